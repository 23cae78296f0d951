import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { PermissionStep } from '../../src/contract/shell.ts';
import { mayHave } from '../../src/shell/own-page.ts';
import { ONE_USE_CODE } from '../http/fake-sessions.ts';
import { newRequester } from './made-up.ts';
import { PANEL, usePages, WINDOW } from './page-rig.ts';

const { openBlank, openDashboard } = usePages();

const STALE: PermissionStep[] = [
  {
    permission: 'screenRecording',
    state: 'stale',
    name: 'Screen & System Audio Recording',
    why: 'For screenshots.',
    todo: 'Add it again.',
    command: 'tccutil reset ScreenCapture app',
  },
  { permission: 'accessibility', state: 'granted', name: 'Accessibility', why: 'For buttons.' },
  { permission: 'automation', state: 'on_demand', name: 'Automation', why: 'For scripts.', todo: 'macOS asks once.' },
];

/** The page as in a window of the Mac app: the calls are there, as the preload script puts them. Notes each call. */
async function inApp(page: Page, { url, touch = 'touched' }: { url: string; touch?: string }): Promise<string[]> {
  const calls: string[] = [];
  await page.exposeFunction('noteShellCall', async (name: string, request: unknown) => {
    calls.push(`${name} ${JSON.stringify(request)}`);
    if (name === 'signIn') {
      const response = await fetch(`${url}/api/console/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ code: ONE_USE_CODE, ...Object(request) }),
      });
      return response.json();
    }
    if (name === 'touchId') return touch;
    return name === 'permissions' ? { steps: STALE } : {};
  });
  await page.addInitScript(`
    window.handrailShell = Object.fromEntries(
      ['signIn', 'touchId', 'permissions', 'openPane', 'relaunch'].map((name) => [name, (request) => window.noteShellCall(name, request)]),
    );
  `);
  return calls;
}

/** Permissions by electron's names and by those of Chromium's own tools. */
const PERMISSIONS = [
  ['clipboard-sanitized-write', { name: 'clipboard-write' }],
  ['clipboard-read', { name: 'clipboard-read' }],
  ['notifications', { name: 'notifications' }],
  ['geolocation', { name: 'geolocation' }],
  ['media', { name: 'microphone' }],
  ['media', { name: 'camera' }],
  ['midi', { name: 'midi' }],
  ['screen-wake-lock', { name: 'screen-wake-lock' }],
] as const;

/** Gives the page exactly the permissions that the walls of the app give it. */
async function withinWalls(page: Page, url: string): Promise<void> {
  const browser = await page.context().browser()?.newBrowserCDPSession();
  const target = await (await page.context().newCDPSession(page)).send('Target.getTargetInfo');
  const { browserContextId } = target.targetInfo;
  for (const [permission, descriptor] of PERMISSIONS) {
    const isGranted = mayHave({ permission, address: page.url(), isTop: true }, url);
    await browser?.send('Browser.setPermission', {
      permission: descriptor,
      setting: isGranted ? 'granted' : 'denied',
      origin: new URL(url).origin,
      ...(browserContextId !== undefined && { browserContextId }),
    });
  }
}

test('within the walls of the app a key can be copied, and the page can ask for nothing else', async () => {
  const { page, url, daemon } = await openBlank({ viewport: WINDOW });
  await inApp(page, { url });
  daemon.set({ requesters: [newRequester('ann')] });
  await page.goto(`${url}/#/access`);
  await withinWalls(page, url);
  await page.getByRole('button', { name: 'Lock with a key: ann' }).click();
  await page.getByRole('button', { name: 'Copy the key of ann' }).click();
  await page.locator('.notice').getByText('on the clipboard').waitFor();
  const refused = await page.evaluate(`Promise.all([
    navigator.clipboard.readText().then(() => 'read', (error) => error.name),
    Notification.requestPermission(),
    new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('found'), ({ code }) => resolve(code))),
    navigator.permissions.query({ name: 'camera' }).then(({ state }) => state),
  ])`);
  expect(refused).toEqual(['NotAllowedError', 'denied', 1, 'denied']);
});

test('a window of the Mac app signs in without a code, and its address has none', async () => {
  const { page, url } = await openBlank({ viewport: PANEL });
  await inApp(page, { url });
  await page.goto(url);
  await page.getByText('No requests waiting').waitFor();
  expect(page.url()).not.toContain(ONE_USE_CODE);
});

test('Allow of a high risk asks for Touch ID, and sends that as the proof', async () => {
  const { page, url, daemon, allow, allowIsAlive, clickAt } = await openBlank({ viewport: PANEL });
  const calls = await inApp(page, { url });
  await page.goto(url);
  await page.getByText('No requests waiting').waitFor();
  const asked = daemon.ask({ presenceBy: 'touchId', level: 'high' });
  await allowIsAlive();
  await clickAt(allow);
  await expect.poll(() => daemon.answers).toEqual([expect.stringContaining('allow once touchId')]);
  expect(calls).toContain(`touchId {"confirmationId":"${asked.id}"}`);
});

test('a refused touch allows nothing and is said', async () => {
  const { page, url, daemon, allow, allowIsAlive, clickAt, notice } = await openBlank({ viewport: PANEL });
  await inApp(page, { url, touch: 'refused' });
  await page.goto(url);
  await page.getByText('No requests waiting').waitFor();
  daemon.ask({ presenceBy: 'touchId', level: 'high' });
  await allowIsAlive();
  await clickAt(allow);
  await notice.getByText('Touch ID did not recognize you').waitFor();
  expect(daemon.answers).toEqual([]);
});

test('a browser cannot allow what takes Touch ID, and says where', async () => {
  const { page, daemon, allow } = await openDashboard({ viewport: PANEL });
  daemon.ask({ presenceBy: 'touchId', level: 'high' });
  await page.getByText('Allow this in the Handrail app: it needs Touch ID.').waitFor({ timeout: 90_000 });
  expect(await allow.getAttribute('aria-disabled')).toBe('true');
});

test('Devices walks through the permissions in the app, and not in a browser', async () => {
  const { page, url } = await openBlank({ viewport: WINDOW });
  const calls = await inApp(page, { url });
  await page.goto(`${url}/#/devices`);
  await page.getByText('tccutil reset ScreenCapture app').waitFor();
  await page.getByRole('button', { name: 'Open System Settings: Screen' }).click();
  await page.getByText('asked when needed').waitFor();
  await page.getByRole('button', { name: 'Open System Settings: Automation' }).click();
  await page.getByRole('button', { name: 'Relaunch Handrail' }).click();
  expect(calls.filter((call) => !/^(signIn|permissions)/.test(call))).toEqual([
    'openPane {"permission":"screenRecording"}',
    'openPane {"permission":"automation"}',
    'relaunch {}',
  ]);
  const browser = await openDashboard({ viewport: WINDOW });
  await browser.page.goto(`${browser.url}/#/devices`);
  await browser.page.getByRole('heading', { name: 'Registered devices' }).waitFor();
  expect(await browser.page.getByText('Permissions of this Mac').count()).toBe(0);
});
