import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createLinuxApps } from '../../agent/drivers/linux/apps.ts';
import { createDesktopEntries } from '../../agent/drivers/linux/desktop-entries.ts';
import { createX11 } from '../../agent/drivers/linux/x11.ts';
import type { Attempt, Outcome } from '../../agent/drivers/outcome.ts';
import type { OpenedApp } from '../../src/contract/screen.ts';
import { shareRig } from './share-rig.ts';
import { installTestApps } from './test-apps.ts';

const APPS = [
  { id: 'test.Crashing', lines: ['Name=Crashing', 'Exec=sh -c "exit 3"'] },
  { id: 'test.Killed', lines: ['Name=Killed', 'Exec=sh -c "kill -TERM $$"'] },
  { id: 'test.Silent', lines: ['Name=Silent', 'Exec=true'] },
  { id: 'test.Console', lines: ['Name=Console App', 'Exec=cat', 'Terminal=true'] },
  { id: 'test.Bus-Only', lines: ['Name=Bus Only', 'DBusActivatable=true', 'StartupWMClass=BusOnly'] },
  { id: 'test.Gone', lines: ['Name=Gone From Bus', 'DBusActivatable=true'] },
  { id: 'test.Strange', lines: ['Name=Strange', 'Exec=strange "'] },
  { id: 'test.Environment', lines: ['Name=Environment', 'Exec=xterm -T environment'] },
];

const rig = await shareRig();
const apps = installTestApps(APPS);
const environment = { ...process.env, ...rig.env, ...apps.env, HANDRAIL_SECRET: 'x', NODE_OPTIONS: '--no-warnings' };
const x11 = createX11(environment);
const needs = { x11, entries: createDesktopEntries(environment), environment, uniqueId: () => crypto.randomUUID() };
const { openApp } = createLinuxApps({ ...needs, windowTimeoutMs: 10_000 });

afterEach(async () => {
  for (const { pid } of apps.running()) process.kill(pid, 'SIGKILL');
  await rig.until('all windows are gone', async () => (await listedWindows()).length === 0);
});

afterAll(async () => {
  await x11.close();
  await apps.remove();
});

/** wmctrl fails when a window goes away while it looks. */
function listedWindows() {
  return rig.windows().catch(() => [null]);
}

function attempt(signal = new AbortController().signal): Attempt {
  return { signal, deadlineMs: 30_000 };
}

async function opened(appName: string) {
  return succeeded(await openApp({ appName }, attempt()));
}

function succeeded(outcome: Outcome<OpenedApp>) {
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome;
}

test('an opened app is a live process with a window that wmctrl lists, in front', async () => {
  const { data, effect, details } = await opened('mousepad');
  expect({ data, effect, details }).toEqual({
    data: {
      appName: 'Mousepad',
      bundleId: 'org.xfce.mousepad',
      pid: expect.any(Number),
      alreadyRunning: false,
      frontmost: true,
      windowTitle: 'Untitled 1 - Mousepad',
    },
    effect: 'confirmed',
    details: 'Mousepad was opened; its window “Untitled 1 - Mousepad” is in front.',
  });
  expect(await rig.windows()).toMatchObject([{ pid: data.pid, title: 'Untitled 1 - Mousepad' }]);
  expect(await rig.activeWindow()).toMatchObject({ pid: data.pid });
  expect(process.kill(Number(data.pid), 0)).toBe(true);
});

test('an app is found by its program, its display name and its id, and the second time it is there already', async () => {
  const first = await opened('gnome-calculator');
  const again = await Promise.all(['Calculator', 'org.gnome.Calculator', 'org.gnome.calculator.desktop'].map(opened));
  expect(first.data).toMatchObject({ appName: 'Calculator', bundleId: 'org.gnome.Calculator', alreadyRunning: false });
  expect(again.map(({ data }) => ({ pid: data.pid, alreadyRunning: data.alreadyRunning }))).toEqual(
    Array.from({ length: 3 }, () => ({ pid: first.data.pid, alreadyRunning: true })),
  );
  expect(await rig.windows()).toHaveLength(1);
});

test('an app asked for twice at once is started once', async () => {
  const outcomes = await Promise.all([opened('XTerm'), opened('XTerm')]);
  expect(outcomes.map(({ data }) => data.alreadyRunning).sort()).toEqual([false, true]);
  expect(await rig.windows()).toHaveLength(1);
});

test('a minimized app comes back to the front', async () => {
  const { data } = await opened('XTerm');
  const [window] = await rig.windows();
  await rig.ask('xdotool', 'windowminimize', String(window?.id));
  await rig.until('it is minimized', async () => (await isHidden(String(window?.id))) === true);
  expect((await opened('XTerm')).data).toMatchObject({ pid: data.pid, alreadyRunning: true, frontmost: true });
  expect(await isHidden(String(window?.id))).toBe(false);
});

test('a program that hands over to a running one is followed there', async () => {
  const editor = await opened('Mousepad');
  const settings = await opened('Text Editor Settings');
  expect(settings).toMatchObject({
    effect: 'confirmed',
    data: { pid: editor.data.pid, frontmost: true, windowTitle: 'Mousepad Preferences' },
  });
});

test('an app that runs in a terminal is opened in one', async () => {
  const { data, effect } = await opened('Console App');
  expect({ data, effect }).toMatchObject({ effect: 'confirmed', data: { appName: 'Console App', frontmost: true } });
  await rig.until('its program runs there', () => apps.running().some(({ command }) => command === 'cat'));
});

test('an app that is started over D-Bus only is activated there', async () => {
  const service = rig.launch(process.execPath, [
    fileURLToPath(new URL('bus-only-app.ts', import.meta.url)),
    'test.Bus-Only',
  ]);
  await rig.until('it is on the bus', async () =>
    (await rig.ask('dbus-send', ...LIST_NAMES)).includes('test.Bus-Only'),
  );
  const { data, effect } = await opened('Bus Only');
  expect({ data, effect }).toMatchObject({ effect: 'confirmed', data: { appName: 'Bus Only', frontmost: true } });
  await service.end();
  const [window] = await rig.windows();
  process.kill(Number(window?.pid), 'SIGKILL');
});

const LIST_NAMES = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/', 'org.freedesktop.DBus.ListNames'];

test.each([
  ['Crashing', 'target_gone', 'exited with code 3', 'done'],
  ['Killed', 'target_gone', 'was ended by SIGTERM', 'done'],
  ['Gone From Bus', 'app_not_found', 'did not answer on D-Bus as test.Gone', 'none'],
  ['Strange', 'app_not_found', 'a command that cannot be read', 'none'],
])('%s fails with %s and says why', async (appName, code, why, sideEffect) => {
  const outcome = await openApp({ appName }, attempt());
  expect(outcome).toMatchObject({ ok: false, code, sideEffect, message: expect.stringContaining(why) });
});

test('an app that shows no window is unverified, and said to be', async () => {
  const hasty = createLinuxApps({ ...needs, windowTimeoutMs: 300 }).openApp;
  expect(succeeded(await hasty({ appName: 'Silent' }, attempt()))).toEqual({
    ok: true,
    details: 'Silent was opened; the program it started has ended, but within 0.3 s no window of it appeared.',
    effect: 'unverified',
    data: { appName: 'Silent', bundleId: 'test.Silent', pid: null, alreadyRunning: false, frontmost: false },
  });
});

test('an app gets a session of its own, none of our files and none of our settings', async () => {
  const { data } = await opened('Environment');
  const proc = (name: string) => join('/proc', String(data.pid), name);
  expect(['0', '1', '2'].map((fd) => readlinkSync(proc(`fd/${fd}`)))).toEqual(Array(3).fill('/dev/null'));
  expect(await rig.ask('ps', '-o', 'sid=', '-p', String(data.pid))).toBe(
    await rig.ask('ps', '-o', 'pid=', '-p', String(data.pid)),
  );
  const names = readFileSync(proc('environ'), 'utf8')
    .split('\0')
    .map((setting) => setting.split('=')[0]);
  expect(names).toContain('DISPLAY');
  expect(names.filter((name) => /^(NODE_|npm_|HANDRAIL_|VITEST)/.test(String(name)))).toEqual([]);
});

test('an app outlives the agent that opened it', async () => {
  const agent = spawn(process.execPath, [fileURLToPath(new URL('opening-agent.ts', import.meta.url)), 'XTerm'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await once(agent.stdout.setEncoding('utf8'), 'data');
  const [exitCode] = await once(agent, 'exit');
  const { pid } = JSON.parse(String(output));
  expect(exitCode).toBe(0);
  expect(process.kill(pid, 0)).toBe(true);
  expect(await rig.windows()).toMatchObject([{ pid }]);
});

async function isHidden(id: string): Promise<boolean> {
  return (await rig.ask('xprop', '-id', id, '_NET_WM_STATE')).includes('_NET_WM_STATE_HIDDEN');
}
