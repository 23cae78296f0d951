import { expect, test } from 'vitest';
import { useRealDaemon } from './real-daemon.ts';

const { openAt, current } = useRealDaemon();

async function openAsked(request: { actionType: string; parameters: Record<string, unknown> }) {
  const opened = await openAt();
  const { daemon, userId } = opened;
  const { id: targetDeviceId } = await daemon.register(undefined, userId);
  await daemon.submit({ targetDeviceId, ...request }, { userId });
  return { ...opened, card: opened.page.locator('.outcome').first() };
}

async function grants(): Promise<{ userId: string }[]> {
  return (await current().person.call<{ items: { userId: string }[] }>('/grants')).body.items;
}

test('the card of allowed access names how long it lasts and revokes it, for each of its apps', async () => {
  const parameters = { apps: ['Text Editor', 'Notes'], allow: 'input', minutes: 15 };
  const { page, card, userId, allow, allowIsAlive } = await openAsked({ actionType: 'RequestAccess', parameters });
  await allowIsAlive();
  await allow.click();
  await card.getByText(/^Stays allowed until \d\d:\d\d\.$/).waitFor();
  const own = async () => (await grants()).filter((each) => each.userId === userId).length;
  expect(await own()).toBe(2);
  await card.getByRole('button', { name: /^Revoke the approval: / }).click();
  await page.getByText('Revoked. The next request asks you again.').waitFor();
  await card.getByText(/^Stays allowed until/).waitFor({ state: 'detached' });
  expect([await own(), await card.getByRole('button', { name: /^Revoke/ }).count()]).toEqual([0, 0]);
});

test('the card of an approval for 15 minutes names its end, and loses it once the grant is revoked elsewhere', async () => {
  const { page, card, userId, allow, allowIsAlive } = await openAsked({ actionType: 'TakeScreenshot', parameters: {} });
  await page.getByLabel('15 minutes').check();
  await allowIsAlive();
  await allow.click();
  await card.getByText(/^Stays allowed until \d\d:\d\d\.$/).waitFor();
  await page.getByRole('link', { name: /^Access/ }).click();
  await page
    .getByRole('row', { name: userId })
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await page.getByRole('link', { name: /^Requests/ }).click();
  await card.waitFor();
  await card.getByText(/^Stays allowed/).waitFor({ state: 'detached' });
});
