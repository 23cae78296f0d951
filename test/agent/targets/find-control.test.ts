import { expect, test } from 'vitest';
import { createFindControl, type NamedPlaces } from '../../../agent/drivers/hands/find-control.ts';
import type { Sighting } from '../../../agent/drivers/input.ts';
import type { Attempt } from '../../../agent/drivers/outcome.ts';
import type { ScreenElement } from '../../../src/contract/screen.ts';

const NAME = { app: 'Chromium', role: 'button', name: 'Send' };
const ON_SITE = { ...NAME, site: 'example.org' };

const ELEMENT = { id: 'e1', role: 'button', name: 'Send' } as unknown as ScreenElement;
const SEEN = {
  app: { appName: 'Chromium', alsoKnownAs: [], risks: [] },
  windowTitle: 'Example',
  element: { elementId: 'e1', role: 'button', name: 'Send' },
} as unknown as Sighting;

function finding(documents: readonly string[], answers: Partial<NamedPlaces>[] = [{}]) {
  let asked = 0;
  const find = createFindControl({
    places: async () => {
      const answer = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      return { elements: [ELEMENT], inPages: [], isWhole: true, ...answer };
    },
    sight: async () => ({ ok: true, data: { ...SEEN, documents } }),
    reveal: async () => undefined,
  });
  return (name: typeof NAME) => find(name, { signal: new AbortController().signal } as unknown as Attempt);
}

const PAGE = 'https://example.org/a';

test.each([
  ['of no site on a page of one', NAME, [PAGE]],
  ['of a site on no page', ON_SITE, []],
  ['of a site in, or on a link to it from, a page of another one', ON_SITE, [PAGE, 'https://evil.example/']],
  ['of a site on a page that does not tell its address', ON_SITE, [PAGE, '']],
])('N54: a name %s leads to nothing', async (_, name, documents) => {
  expect(await finding(documents)(name)).toMatchObject({ ok: false, code: 'target_gone' });
});

test('a name leads to its control on its site, and one of no site to one outside of pages', async () => {
  expect(await finding([PAGE, 'https://example.org/'])(ON_SITE)).toMatchObject({ ok: true, data: { elementId: 'e1' } });
  expect(await finding(['file:///a'])(NAME)).toMatchObject({ ok: true });
  expect(await finding([])(NAME)).toMatchObject({ ok: true });
});

test('N54: a name leads to nothing while an app does not tell all of its controls; a slow one is asked again', async () => {
  const untold = await finding([], [{ isWhole: false }])({ ...NAME });
  expect(untold).toMatchObject({ ok: false, message: expect.stringContaining('nobody knows how many') });
  expect(await finding([], [{ isWhole: false }, {}])(NAME)).toMatchObject({ ok: true });
});
