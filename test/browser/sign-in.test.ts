import { expect, test } from 'vitest';
import { ONE_USE_CODE } from '../http/fake-sessions.ts';
import { typeCode, usePages } from './page-rig.ts';

const { openBlank, openOwnDashboard } = usePages();

const WRONG_CODE = 'QQQQ-7777';

test('the key stays in the tab: a reload needs no code, another tab does, and nothing else is stored but the private key of the page', async () => {
  const { page, url } = await openOwnDashboard();
  await page.reload();
  await page.getByText('No requests waiting').waitFor();
  const stored = await page.evaluate(async () => ({
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    local: localStorage.length,
    cookie: document.cookie,
  }));
  expect(stored).toEqual({ session: ['handrail-session'], databases: ['handrail'], local: 0, cookie: '' });
  const other = await page.context().newPage();
  await other.goto(url);
  await other.getByRole('heading', { name: 'Sign in to Handrail' }).waitFor();
});

test.each(['/login#', '/#'])('a code in the address %s is not used, and leaves the address bar', async (path) => {
  const { page, url, daemon } = await openBlank();
  await page.goto(`${url}${path}${ONE_USE_CODE}`);
  await page.getByRole('heading', { name: 'Sign in to Handrail' }).waitFor();
  await page.waitForURL(`${url}/`);
  expect([daemon.sessionCount(), daemon.codes.size]).toEqual([0, 1]);
  expect(await page.getByLabel('One-use code').inputValue()).toBe('');
});

test.each([
  ['with Return', '7kqf3xwa'],
  ['with the button', ' code 7KQF-3XWA '],
])('a code signs in %s, typed as %j', async (how, typed) => {
  const { page, url, daemon } = await openBlank();
  await page.goto(url);
  const field = page.getByLabel('One-use code');
  await field.fill(typed);
  if (how === 'with Return') await field.press('Enter');
  else await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('No requests waiting').waitFor();
  expect(daemon.codes.size).toBe(0);
});

test('the field for the code has the focus: the code is typed and sent without a click, also after a wrong one', async () => {
  const { page, url } = await openBlank();
  await page.goto(url);
  await page.getByRole('heading', { name: 'Sign in to Handrail' }).waitFor();
  await page.keyboard.type(WRONG_CODE);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('mistyped, used, or older than ten minutes').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(ONE_USE_CODE);
  await page.keyboard.press('Enter');
  await page.getByText('No requests waiting').waitFor();
});

test('a text that is no code is not sent, and the page says what a code looks like', async () => {
  const { page, url, daemon } = await openBlank();
  await page.goto(url);
  await typeCode(page, 'hello');
  await page.getByRole('alert').getByText('A code has eight letters and digits').waitFor();
  expect(daemon.attempts()).toBe(0);
});

test('a wrong code says so; after five wrong ones too, and the right one still signs in', async () => {
  const { page, url } = await openBlank();
  await page.goto(url);
  await typeCode(page, WRONG_CODE);
  await page.getByRole('alert').getByText('mistyped, used, or older than ten minutes').waitFor();
  expect(await page.locator('.sign-in').textContent()).toContain('Press Enter there for a fresh one');
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await typeCode(page, WRONG_CODE);
  }
  await page.getByRole('alert').getByText('A fresh one works at once').waitFor();
  await typeCode(page, ONE_USE_CODE);
  await page.getByText('No requests waiting').waitFor();
});

test('a double press sends the code once', async () => {
  const { page, url, daemon } = await openBlank();
  await page.goto(url);
  await page.getByLabel('One-use code').fill(ONE_USE_CODE);
  await page.getByRole('button', { name: 'Sign in' }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await page.getByText('No requests waiting').waitFor();
  expect(daemon.attempts()).toBe(1);
});

test('when the daemon no longer knows the session the page asks for a code again', async () => {
  const { page, daemon } = await openOwnDashboard();
  daemon.forgetSessions();
  daemon.ask();
  await page.getByRole('alert').getByText('Your session has ended').waitFor();
  daemon.codes.add('QQQQ-2222');
  await typeCode(page, 'QQQQ-2222');
  await page.getByRole('alertdialog').waitFor();
});

test('signing out, by keyboard alone, ends the session and forgets its key', async () => {
  const { page, daemon } = await openOwnDashboard();
  daemon.ask();
  await page.getByRole('alertdialog').waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sign out' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('You have signed out.').waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  expect([daemon.sessionCount(), daemon.answers]).toEqual([0, []]);
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in to Handrail' }).waitFor();
  daemon.codes.add('QQQQ-2222');
  await typeCode(page, 'QQQQ-2222');
  await page.getByRole('alertdialog').waitFor();
});

test('signing out while Handrail does not answer says so, and forgets the key', async () => {
  const { page, stop } = await openOwnDashboard();
  await page.getByRole('link', { name: 'Settings' }).click();
  const signOut = page.getByRole('button', { name: 'Sign out' });
  await signOut.waitFor();
  await stop();
  await signOut.click();
  await page.getByRole('alert').getByText('Handrail did not answer').waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});
