import { expect, test } from 'vitest';
import { usePages, WINDOW } from './page-rig.ts';

const { openBlank } = usePages();

test('A26: the field of the one-use code is one for passwords, for the page and for its accessibility tree', async () => {
  const { page, url } = await openBlank({ viewport: WINDOW });
  await page.goto(url);
  const field = page.getByLabel('One-use code');
  await field.pressSequentially('CEWD-W5CA');
  expect(await field.getAttribute('type')).toBe('password');
  expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const texts = JSON.stringify(nodes);
  expect(texts).toContain('One-use code');
  expect(texts).not.toContain('CEWD');
});
