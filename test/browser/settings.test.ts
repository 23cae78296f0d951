import { expect, test } from 'vitest';
import { seriousFaults } from './accessibility.ts';
import { LOOKS, WINDOW } from './page-rig.ts';
import { useRealDaemon } from './real-daemon.ts';

const { openAt, openDashboard } = useRealDaemon();
const HOSTILE = 'Desk <b>bold</b>\u202e"';

test('the settings of a real daemon are shown, the time of a prompt is changed, and the journal is verified', async () => {
  const { daemon, page } = await openAt();
  await page.getByRole('link', { name: 'Settings' }).click();
  const facts = page.locator('.daemon-facts').first();
  await facts.getByText('HANDRAIL_DATA_DIR').waitFor();
  expect(await facts.textContent()).toContain(daemon.dataDirectory);
  await page.getByText('90 days, at most 10 million actions').waitFor();
  const expiry = page.getByLabel('A request expires without an answer after');
  await expect.poll(() => expiry.inputValue()).toBe('90000');
  await expiry.selectOption('2 minutes');
  await page.locator('.notice').getByText('Requests expire after 2 minutes without an answer.').waitFor();
  await page.reload();
  await expect.poll(() => expiry.inputValue()).toBe('120000');
  await page.getByRole('button', { name: 'Verify the journal' }).click();
  await page.getByText(/^The journal is intact: \d+ rows\.$/).waitFor();
});

test('the person lets their other computers use this one, and takes that back; a health check follows', async () => {
  const { daemon, page } = await openAt('#/settings');
  const accepts = async () => (await daemon.health()).body.acceptsOtherDaemons;
  const others = page.getByRole('region', { name: 'Your other computers' });
  const allow = others.getByRole('switch', { name: 'Let your other computers use this one' });
  await allow.waitFor();
  expect([await allow.isChecked(), await accepts()]).toEqual([false, false]);
  await allow.click();
  await page.locator('.notice').getByText('Your other computers may use this one.').waitFor();
  await expect.poll(() => allow.isChecked()).toBe(true);
  expect(await accepts()).toBe(true);
  await page.reload();
  await expect.poll(() => allow.isChecked()).toBe(true);
  await allow.click();
  await page.locator('.notice').getByText('No other computer may use this one.').waitFor();
  await expect.poll(() => allow.isChecked()).toBe(false);
  expect(await accepts()).toBe(false);
});

test('the devices show capabilities and a hostile name as text; one is removed after a second question', async () => {
  const { daemon, page, userId } = await openAt();
  const registration = { type: 'linux', name: HOSTILE, capabilities: { canOpenApps: true, canAccessFiles: false } };
  await daemon.call('/api/tee/devices/register', { userId, body: registration });
  await page.getByRole('link', { name: 'Devices' }).click();
  const card = page.locator('.card');
  await card.getByText('Online').waitFor();
  expect(await card.getByRole('heading').textContent()).toBe('Desk <b>bold</b>\\u{202e}"');
  const states = await card
    .locator('.capabilities li')
    .evaluateAll((items) => items.map((item) => `${item.textContent}: ${item.getAttribute('data-state')}`));
  expect(states).toEqual([
    'Open and quit apps as the profile says: allowed',
    'See the screen always asks you: asks',
    'Use mouse and keyboard always asks you: asks',
    'Read and write files refused: refused',
    'Run scripts always asks you: asks',
  ]);
  await card.getByRole('button', { name: /^Remove .*…$/ }).click();
  await card.getByRole('button', { name: /^Keep / }).click();
  await expect.poll(() => card.count()).toBe(1);
  await card.getByRole('button', { name: /^Remove .*…$/ }).click();
  await card.getByRole('button', { name: /^Remove .*"$/ }).click();
  await page.getByText('No devices.').waitFor();
});

test('the trial of the ways to be reached, and everything beside it, can be used by keyboard alone', async () => {
  const { page } = await openAt('#/settings');
  const tryIt = page.getByRole('button', { name: 'Try it' });
  await tryIt.waitFor();
  await page.evaluate(() => document.body.focus());
  for (
    let presses = 0;
    presses < 40 && !(await tryIt.evaluate((each) => each === document.activeElement));
    presses += 1
  )
    await page.keyboard.press('Tab');
  expect(await tryIt.evaluate((each) => getComputedStyle(each).outlineStyle)).not.toBe('none');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing is set up: Handrail has no desktop and no HANDRAIL_NOTIFY.').waitFor();
  // The button keeps the focus, and the answer is read out.
  expect(await tryIt.evaluate((each) => each === document.activeElement)).toBe(true);
  const answer = page.getByRole('status').filter({ hasText: 'Nothing is set up' });
  expect(await answer.count()).toBe(1);
  for (const look of LOOKS) {
    await page.setViewportSize(look.viewport);
    await page.emulateMedia({ colorScheme: look.colorScheme });
    expect(await seriousFaults(page)).toEqual([]);
  }
});

test('a theme that is chosen stays after a reload, whatever the system says', async () => {
  const { page } = await openDashboard({ colorScheme: 'light', viewport: WINDOW });
  const canvas = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await canvas();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Dark').check();
  const dark = await canvas();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.getByLabel('Dark').waitFor();
  expect(await canvas()).toBe(dark);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByLabel('Light', { exact: true }).check();
  expect(await canvas()).toBe(light);
});
