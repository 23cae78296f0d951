import { expect, test } from 'vitest';
import { usePages } from './page-rig.ts';

const { openBlank, openDashboard } = usePages();

test('the code behind the address signs in, once, and leaves the address bar at once', async () => {
  const { page, url } = await openDashboard();
  expect(page.url()).toBe(`${url}/`);
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  await page.goto(`${url}/login#one-use-code`);
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('used already, is older than ten minutes');
  expect(page.url()).toBe(`${url}/`);
});

test('the key stays in the tab: a reload needs no code, another tab does, and nothing else is stored', async () => {
  const { page, url } = await openDashboard();
  await page.reload();
  await page.getByText('Nothing is asking').waitFor();
  const stored = await page.evaluate(() => ({
    session: Object.keys(sessionStorage),
    local: localStorage.length,
    cookie: document.cookie,
  }));
  expect(stored).toEqual({ session: ['handrail-session'], local: 0, cookie: '' });
  const other = await page.context().newPage();
  await other.goto(url);
  await other.getByRole('heading', { name: 'Sign in to Handrail' }).waitFor();
});

test('a code or a whole address can be pasted, and Return is enough', async () => {
  const { page, url, daemon } = await openBlank();
  await page.goto(url);
  const field = page.getByLabel('One-use code, or the whole sign-in address');
  await field.fill('a-wrong-code');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('typing error').waitFor();
  expect(await page.locator('.sign-in').textContent()).toContain('press Enter in the terminal');
  await field.fill(`${url}/login#one-use-code`);
  await field.press('Enter');
  await page.getByText('Nothing is asking').waitFor();
  expect(daemon.codes.size).toBe(0);
});

test('after five wrong codes it says so, and the right one still signs in', async () => {
  const { page, url } = await openBlank();
  for (let attempt = 0; attempt < 6; attempt += 1) await page.goto(`${url}/login?${attempt}#wrong`);
  await page.getByRole('alert').getByText('A fresh one works at once').waitFor();
  await page.goto(`${url}/login?right#one-use-code`);
  await page.getByText('Nothing is asking').waitFor();
});

test('when the daemon no longer knows the session the page asks for a code again', async () => {
  const { page, url, daemon } = await openDashboard();
  daemon.forgetSessions();
  daemon.ask();
  await page.getByRole('alert').getByText('Your session has ended').waitFor();
  daemon.codes.add('fresh');
  await page.goto(`${url}/login#fresh`);
  await page.getByRole('alertdialog').waitFor();
});

test('signing out, by keyboard alone, ends the session and forgets its key', async () => {
  const { page, url, daemon } = await openDashboard();
  daemon.ask();
  await page.getByRole('alertdialog').waitFor();
  await page.getByRole('tab', { name: 'People' }).click();
  await page.getByRole('button', { name: 'Sign out' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('You have signed out.').waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  expect([daemon.sessionCount(), daemon.answers]).toEqual([0, []]);
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in to Handrail' }).waitFor();
  daemon.codes.add('fresh');
  await page.goto(`${url}/login#fresh`);
  await page.getByRole('alertdialog').waitFor();
});

test('signing out while Handrail does not answer says so, and forgets the key', async () => {
  const { page, stop } = await openDashboard();
  await page.getByRole('tab', { name: 'People' }).click();
  await stop();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alert').getByText('Handrail did not answer').waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});
