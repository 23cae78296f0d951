import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { startDaemonProcess } from '../e2e/daemon.ts';
import { seriousFaults } from './accessibility.ts';
import type { Look } from './kept-page.ts';
import { newRequester } from './made-up.ts';
import { LOOKS, usePages } from './page-rig.ts';

const { openDashboard, openOwnDashboard, openSignedIn } = usePages();

/** The page Access of a daemon that knows ann and bob, who is paused. */
async function openPeople(options: Look = {}, open = openDashboard) {
  const rig = await open(options);
  rig.daemon.set({ requesters: [newRequester('ann'), newRequester('bob', 'Three denials in a row.')] });
  await rig.page.getByRole('link', { name: 'Access', exact: true }).click();
  return { ...rig, ...peopleOn(rig.page) };
}

function peopleOn(page: Page) {
  const card = (name: string) => page.locator('.person').filter({ has: page.getByRole('rowheader', { name }) });
  return {
    card,
    notice: page.locator('.notice'),
    profileOf: (who: string) => page.getByLabel(`Profile of ${who}`),
    apply: (who: string) => page.getByRole('button', { name: `Apply the profile to ${who}` }),
  };
}

test('everybody who asks is listed, below the row for everybody else', async () => {
  const { page, card } = await openPeople();
  await card('bob').waitFor();
  await expect
    .poll(() => page.locator('.person th > p:first-child').allTextContents())
    .toEqual(['Everybody else (*)', 'ann', 'bob']);
  const words = await card('bob').textContent();
  expect(words).toContain('Paused: Three denials in a row.');
  expect(words).toMatch(/known since \d+ \w+.* · no requests waiting · no key/);
});

test('a profile applies when it is applied, not while it is picked', async () => {
  const { daemon, profileOf, apply, notice, card } = await openPeople();
  await expect.poll(() => profileOf('ann').locator('option:checked').textContent()).toBe('as everybody else: assist');
  expect(await apply('ann').getAttribute('aria-disabled')).toBe('true');
  await profileOf('ann').selectOption('trusted');
  await card('ann').getByText('Low and medium risk run').waitFor();
  expect(daemon.profiles.list().assignments).toEqual([]);
  await apply('ann').click();
  await notice.getByText('trusted applies to ann now.').waitFor();
  expect(daemon.profiles.list().assignments).toEqual([{ userId: 'ann', profile: 'trusted' }]);
  expect(await profileOf('ann').inputValue()).toBe('trusted');
});

test('what applies to everybody else is shown by whoever has no profile of their own', async () => {
  const { daemon, profileOf, apply, notice } = await openPeople();
  daemon.profiles.assign('bob', 'trusted');
  await profileOf('everybody else').selectOption('lockdown');
  await apply('everybody else').click();
  await notice.getByText('lockdown applies to everybody else now.').waitFor();
  await expect.poll(() => profileOf('ann').locator('option:checked').textContent()).toBe('as everybody else: lockdown');
  await expect.poll(() => profileOf('bob').inputValue()).toBe('trusted');
});

test('a profile that the person made can be chosen as soon as it is there', async () => {
  const { daemon, profileOf, card } = await openPeople();
  const byLevel = { low: 'allow', medium: 'ask', high: 'block', critical: 'block' } as const;
  daemon.profiles.put({ name: 'office', byLevel, rules: [] });
  await profileOf('ann').locator('option[value=office]').waitFor({ state: 'attached' });
  await profileOf('ann').selectOption('office');
  await card('ann').getByText('high and critical risk is blocked').waitFor();
});

test('a profile is made, changed and removed on the page, by keyboard alone', async () => {
  const { page, daemon, notice } = await openPeople();
  await page.getByRole('button', { name: 'New profile…' }).focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('form', { name: 'New profile' });
  await form.getByLabel('Name').focus();
  await page.keyboard.type('assist');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('There is a profile assist already.').waitFor();
  await form.getByLabel('Name').fill('office');
  await form.getByLabel('Medium risk').selectOption('allow');
  await page.keyboard.press('Tab');
  await form.getByLabel('Name').press('Enter');
  await notice.getByText('The profile office is saved.').waitFor();
  await form.waitFor({ state: 'detached' });
  const own = () => daemon.profiles.list().items.filter(({ builtIn }) => !builtIn);
  const byLevel = { low: 'allow', medium: 'allow', high: 'ask', critical: 'block' };
  expect(own()).toEqual([{ name: 'office', byLevel, rules: [], builtIn: false }]);
  await page.getByRole('button', { name: 'Edit office' }).click();
  await page.getByRole('form', { name: 'Edit office' }).getByLabel('High risk').selectOption('block');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('high and critical risk is blocked').waitFor();
  expect(own()).toMatchObject([{ name: 'office', byLevel: { ...byLevel, high: 'block' } }]);
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove office' }).click();
  await notice.getByText('The profile office is removed.').waitFor();
  expect(own()).toEqual([]);
});

test('a profile can require plans, and the page says so', async () => {
  const { page, daemon, notice } = await openPeople();
  await page.getByRole('button', { name: 'New profile…' }).click();
  const form = page.getByRole('form', { name: 'New profile' });
  await form.getByLabel('Name').fill('office');
  await form.getByLabel('Ask about plans only').check();
  await form.getByLabel('Name').press('Enter');
  await notice.getByText('The profile office is saved.').waitFor();
  expect(daemon.profiles.list().items.at(-1)).toMatchObject({ name: 'office', requirePlan: true });
  await page.getByText('You are asked about plans only').waitFor();
});

test('a profile that applies to nobody is tried on the last week before it applies to anybody', async () => {
  const { page, daemon } = await openPeople();
  const byLevel = { low: 'allow', medium: 'allow', high: 'ask', critical: 'block' } as const;
  const example = {
    userId: 'ann',
    actionType: 'OpenApp',
    from: 'ask',
    rule: 'r',
    at: '2026-01-01T00:00:00.000Z',
  } as const;
  const watch: typeof daemon.policy.watch = async (name) => ({
    days: 7,
    judged: 120,
    withoutContents: 100,
    now: { allow: 74, ask: 46, block: 0 },
    would: { allow: 76, ask: 41, block: 3 },
    newlyAllowed: { count: 5, examples: [{ ...example, count: 5, sentence: `Open \u202e${name}` }] },
    newlyAsked: { count: 0, examples: [] },
    newlyBlocked: { count: 3, examples: [] },
  });
  daemon.policy = { ...daemon.policy, watch };
  daemon.profiles.put({ name: 'office', byLevel, rules: [] });
  await page.getByRole('button', { name: 'Try on the last week: office' }).click();
  const told = page.getByText('Of 120 actions in the last 7 days it would have asked 41 times and blocked 3.');
  await told.waitFor();
  expect(await told.textContent()).toContain('Newly allowed: 5. 100 of them are judged by type, risk and time only');
  await page.getByText('5 × ann: Open \\u{202e}office').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  daemon.profiles.assign('ann', 'office');
  await page.getByRole('button', { name: 'Try on the last week: office' }).waitFor({ state: 'detached' });
});

test('rules for apps, paths and hours are added and removed with a profile', async () => {
  const { page, daemon, notice } = await openPeople();
  await page.getByRole('button', { name: 'New profile…' }).click();
  const form = page.getByRole('form', { name: 'New profile' });
  await form.getByLabel('Name').fill('office');
  await form.getByRole('button', { name: 'Add a rule…' }).click();
  await form.getByRole('button', { name: 'Add the rule' }).click();
  await page.getByRole('alert').getByText('A rule needs an app, a path or hours.').waitFor();
  await form.getByLabel('An action').selectOption('block');
  await form.getByLabel('Apps, one a line').fill('Mail\nNotes');
  await form.getByLabel(/^Paths/).fill('~/Secret/**');
  await form.getByLabel('From').fill('22:00');
  await form.getByLabel('to', { exact: true }).fill('06:00');
  expect(await seriousFaults(page)).toEqual([]);
  await form.getByRole('button', { name: 'Add the rule' }).click();
  await form.getByRole('button', { name: 'Add a rule…' }).click();
  await form.getByLabel('Apps, one a line').fill('\u202eevil');
  await form.getByRole('button', { name: 'Add the rule' }).click();
  await form.getByText('Asks you if the app is \\u{202e}evil').waitFor();
  await form.getByRole('button', { name: 'Save' }).click();
  await notice.getByText('The profile office is saved.').waitFor();
  const rules = () => daemon.profiles.list().items.find(({ name }) => name === 'office')?.rules;
  const blocked = {
    verdict: 'block',
    apps: ['Mail', 'Notes'],
    paths: ['~/Secret/**'],
    hours: { from: '22:00', to: '06:00' },
  };
  expect(rules()).toEqual([blocked, { verdict: 'ask', apps: ['\u202eevil'] }]);
  await form.waitFor({ state: 'detached' });
  await page.getByText('Is blocked if the app is Mail or Notes').waitFor();
  await page.getByRole('button', { name: 'Edit office' }).click();
  await page.getByRole('button', { name: /^Remove the rule: Asks you/ }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(rules).toEqual([blocked]);
  expect(await seriousFaults(page)).toEqual([]);
});

test('a refused profile is explained, and nothing has changed', async () => {
  const { page, daemon, profileOf, apply, notice } = await openPeople();
  await page.route('**/api/console/users/ann/profile', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'validation_failed', detail: 'There is no profile "trusted" any more.' }),
    }),
  );
  await profileOf('ann').selectOption('trusted');
  await apply('ann').click();
  await notice.getByText('There is no profile "trusted" any more.').waitFor();
  expect(daemon.profiles.list().assignments).toEqual([]);
});

test('a fresh key is shown once, can be copied, and is gone for good when it is hidden', async () => {
  const { page, daemon, card, notice } = await openPeople({}, openOwnDashboard);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Lock with a key: ann' }).click();
  await notice.getByText('ann is locked').waitFor();
  const [key = 'none'] = daemon.userKeys;
  const box = page.getByRole('region', { name: 'The new key of ann' });
  expect(await box.locator('.key').textContent()).toBe(`Authorization: Bearer ${key}`);
  expect(await box.textContent()).toContain('This key will not be shown again.');
  await page.getByRole('button', { name: 'Copy the key of ann' }).click();
  await notice.getByText('on the clipboard').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await page.getByRole('button', { name: 'I have kept it: the key of ann' }).click();
  await box.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(key);
  await card('ann').getByText('locked with a key').waitFor();
});

test('a key is removed, and with it the box that showed it', async () => {
  const { page, card, notice } = await openPeople();
  await page.getByRole('button', { name: 'Lock with a key: ann' }).click();
  await page.getByRole('button', { name: 'Remove the key of ann' }).click();
  await notice.getByText('ann no longer needs a key.').waitFor();
  await card('ann').getByText('no key').waitFor();
  await expect.poll(() => page.locator('.fresh-key').count()).toBe(0);
});

test('a name that no program has used yet is locked by keyboard alone, and one that is locked keeps its key', async () => {
  const { page, daemon, card, notice } = await openPeople();
  const field = page.getByLabel('Lock a name before its first use');
  await field.fill('not a name');
  await page.keyboard.press('Enter');
  expect(await field.evaluate((input: HTMLInputElement) => input.validity.valid)).toBe(false);
  expect(daemon.userKeys).toEqual([]);
  await field.fill('backup-script');
  await page.keyboard.press('Enter');
  await notice.getByText('backup-script is locked').waitFor();
  const box = page.getByRole('region', { name: 'The new key of backup-script' });
  expect(await box.locator('.key-value').textContent()).toBe(daemon.userKeys[0]);
  await card('backup-script').getByText('locked with a key').waitFor();
  await page.locator('.lock-name button[aria-disabled=false]').waitFor();
  await field.fill('backup-script');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('backup-script is locked already').waitFor();
  expect(daemon.userKeys).toHaveLength(1);
});

test('who asks is paused and resumed by keyboard alone, and the focus stays', async () => {
  const { page, card, notice } = await openPeople();
  await card('ann').getByRole('button', { name: 'Pause ann' }).focus();
  await page.keyboard.press('Enter');
  await notice.getByText('ann is paused').waitFor();
  await card('ann').getByText('Paused: you said so').waitFor();
  await card('ann').locator('button:focus:not([aria-disabled="true"])').waitFor();
  await page.keyboard.press('Enter');
  await notice.getByText('ann may ask again.').waitFor();
  await card('ann').getByText('Paused:').waitFor({ state: 'detached' });
});

test('a profile is chosen and applied by keyboard alone', async () => {
  const { page, daemon, profileOf, notice } = await openPeople();
  await profileOf('ann').focus();
  await page.keyboard.type('lock');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await notice.getByText('lockdown applies to ann now.').waitFor();
  expect(daemon.profiles.list().assignments).toEqual([{ userId: 'ann', profile: 'lockdown' }]);
});

const bottomOf = (element: Element) => element.getBoundingClientRect().bottom;

test.each(LOOKS)(
  'everybody can use it and nothing sticks out: $colorScheme, $viewport.width wide',
  async ({ colorScheme, viewport }) => {
    const { page, daemon } = await openPeople({ colorScheme, viewport });
    daemon.ask();
    await page.getByRole('button', { name: 'Lock with a key: ann' }).click();
    await page.locator('.fresh-key').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await expect
      .poll(() => page.locator('.fresh-key button').last().evaluate(bottomOf))
      .toBeLessThanOrEqual(viewport.height);
    const overflow = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('.content, .status-bar')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    );
    expect(overflow).toEqual([0, 0, 0]);
    const words = page.locator('.status-line-words');
    expect(await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  },
);

test('at a real daemon a profile lets a screenshot through, and a key keeps out who does not show it', async () => {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' });
  onTestFinished(daemon.stop);
  const page = await openSignedIn(daemon.base, daemon.signInCode);
  const { id: targetDeviceId } = await daemon.register();
  const screenshot = () => daemon.submit({ targetDeviceId, actionType: 'TakeScreenshot', parameters: {} });
  const { profileOf, apply, notice } = peopleOn(page);
  await page.getByRole('link', { name: 'Access', exact: true }).click();
  await expect.poll(() => profileOf('ann').locator('option:checked').textContent()).toBe('as everybody else: assist');
  await profileOf('ann').selectOption('trusted');
  await apply('ann').click();
  await notice.getByText('trusted applies to ann now.').waitFor();
  expect((await screenshot()).body.status).toBe('success');
  await profileOf('ann').selectOption('assist');
  await apply('ann').click();
  await notice.getByText('assist applies to ann now.').waitFor();
  expect((await screenshot()).body.status).toBe('awaiting_confirmation');

  await page.getByRole('button', { name: 'Lock with a key: ann' }).click();
  const authorization = String(await page.locator('.key').textContent()).replace('Authorization: ', '');
  const devices = (headers = {}) => daemon.call('/api/tee/devices', { userId: 'ann', headers });
  expect((await devices()).status).toBe(401);
  expect((await devices({ authorization })).status).toBe(200);
  await page.getByRole('button', { name: 'Remove the key of ann' }).click();
  await notice.getByText('ann no longer needs a key.').waitFor();
  expect((await devices()).status).toBe(200);

  await page.getByLabel('Lock a name before its first use').fill('zoe');
  await page.getByRole('button', { name: 'Lock the name' }).click();
  await notice.getByText('zoe is locked').waitFor();
  const key = await page.locator('.key-value').textContent();
  const asZoe = (headers = {}) => daemon.call('/api/tee/devices', { userId: 'zoe', headers });
  expect((await asZoe()).status).toBe(401);
  expect((await asZoe({ authorization: `Bearer ${key}` })).status).toBe(200);
});
