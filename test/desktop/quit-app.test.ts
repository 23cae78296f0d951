import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createLinuxApps } from '../../agent/drivers/linux/apps.ts';
import { createDesktopEntries } from '../../agent/drivers/linux/desktop-entries.ts';
import { createX11 } from '../../agent/drivers/linux/x11.ts';
import type { Failed } from '../../agent/drivers/outcome.ts';
import { unhurried } from '../agent/unhurried.ts';
import type { RigApp, RigWindow } from './rig.ts';
import { shareRig } from './share-rig.ts';
import { installTestApps } from './test-apps.ts';

const APPS = [{ id: 'test.Console', lines: ['Name=Console App', 'Exec=cat', 'Terminal=true'] }];

const rig = await shareRig();
const apps = installTestApps(APPS);
const environment = { ...process.env, ...rig.env, ...apps.env };
const x11 = createX11(environment);
const needs = { x11, entries: createDesktopEntries(environment), environment, uniqueId: () => crypto.randomUUID() };
const { quitApp } = createLinuxApps(needs);
const started: RigApp[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((app) => app.end()));
  await rig.until('all windows are gone', async () => (await windows()).length === 0);
});

afterAll(async () => {
  await x11.close();
  await apps.remove();
});

/** wmctrl fails when a window goes away while it looks. */
function windows(): Promise<RigWindow[]> {
  return rig.until('wmctrl lists the windows', () => rig.windows().catch(() => null));
}

async function open(program: string, args: readonly string[] = []) {
  const { app, window } = await rig.open(program, args);
  started.push(app);
  return { pid: app.pid, window };
}

async function openEdited(): Promise<{ pid: number; window: RigWindow }> {
  const editor = await open('mousepad');
  await edit(editor.window.id);
  return editor;
}

async function edit(windowId: string): Promise<void> {
  await rig.ask('xdotool', 'windowactivate', '--sync', windowId);
  await rig.ask('xdotool', 'type', 'not saved');
  await rig.until('the text is entered', async () =>
    (await windows()).some(({ id, title }) => id === windowId && title.startsWith('*')),
  );
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function failed(outcome: Awaited<ReturnType<typeof quitApp>>): Failed {
  if (outcome.ok) throw new Error(`expected a failure, got: ${outcome.details}`);
  return outcome;
}

test('an app without changes closes: wmctrl lists no window of it, and its process has ended', async () => {
  const { pid } = await open('mousepad');
  expect(await quitApp({ appName: 'Mousepad' }, unhurried())).toEqual({
    ok: true,
    details: 'Mousepad closed its window and has ended.',
    effect: 'confirmed',
    data: { appName: 'Mousepad', bundleId: 'org.xfce.mousepad', pid, windowsClosed: 1, stillRunning: false },
  });
  expect(await windows()).toEqual([]);
  // Until it is reaped by the test, whose child it is, a process that has ended still has its id.
  await rig.until('the process is gone', () => !isThere(pid));
});

test('an app with unsaved text keeps its window, its question and its process', async () => {
  const { pid, window } = await openEdited();
  expect(await quitApp({ appName: 'mousepad' }, unhurried())).toEqual({
    ok: false,
    code: 'busy',
    message: 'Mousepad asks something before it closes, in its window “Save Changes”.',
    fix: 'Answer the question the app asks.',
    sideEffect: 'none',
  });
  const left = await windows();
  expect(left.map(({ title }) => title).sort()).toEqual(['*Untitled 1 - Mousepad', 'Save Changes']);
  expect(left.map(({ id }) => id)).toContain(window.id);
  expect(isThere(pid)).toBe(true);
});

test('a question that stands already is not answered by asking again', async () => {
  await openEdited();
  const first = failed(await quitApp({ appName: 'mousepad' }, unhurried()));
  const before = await windows();
  expect(failed(await quitApp({ appName: 'mousepad' }, unhurried()))).toEqual(first);
  expect(await windows()).toEqual(before);
});

test('of two windows the one that was not changed closes, and the answer says so', async () => {
  const { pid, window } = await openEdited();
  await rig.ask('mousepad', '--opening-mode=window', join(import.meta.dirname, 'rig.ts'));
  await rig.until('there are two windows', async () => (await windows()).length === 2);
  expect(failed(await quitApp({ appName: 'mousepad' }, unhurried()))).toMatchObject({
    code: 'busy',
    sideEffect: 'done',
    message: expect.stringContaining('one window of it has closed'),
  });
  expect((await windows()).map(({ title }) => title).sort()).toEqual(['*Untitled 1 - Mousepad', 'Save Changes']);
  expect([(await windows()).some(({ id }) => id === window.id), isThere(pid)]).toEqual([true, true]);
});

test('each of several windows is asked', async () => {
  await open('mousepad');
  await rig.ask('mousepad', '--opening-mode=window', join(import.meta.dirname, 'rig.ts'));
  await rig.until('there are two windows', async () => (await windows()).length === 2);
  expect(await quitApp({ appName: 'mousepad' }, unhurried())).toMatchObject({
    details: 'Mousepad closed its 2 windows and has ended.',
    data: { windowsClosed: 2 },
  });
});

test('the windows of other apps stay', async () => {
  await open('mousepad');
  const { window } = await open('xterm');
  expect(await quitApp({ appName: 'mousepad' }, unhurried())).toMatchObject({ ok: true });
  expect((await windows()).map(({ id }) => id)).toEqual([window.id]);
});

test('a program that runs on without a window is said to', async () => {
  const { window } = await open('xterm');
  const survivor = rig.launch('sleep', ['60']);
  started.push(survivor);
  const pid = String(survivor.pid);
  await rig.ask('xprop', '-id', window.id, '-f', '_NET_WM_PID', '32c', '-set', '_NET_WM_PID', pid);
  expect(await quitApp({ appName: 'XTerm' }, unhurried())).toMatchObject({
    details: 'XTerm closed its window; its program runs on without one.',
    effect: 'confirmed',
    data: { pid: survivor.pid, windowsClosed: 1, stillRunning: true },
  });
  expect(isThere(survivor.pid)).toBe(true);
});

test('a window that hears no request is left, since the window manager would end its program', async () => {
  const { pid, window } = await open('xterm');
  await rig.ask('xprop', '-id', window.id, '-remove', 'WM_PROTOCOLS');
  expect(failed(await quitApp({ appName: 'XTerm' }, unhurried()))).toMatchObject({
    code: 'not_supported',
    sideEffect: 'none',
  });
  expect([(await windows()).length, isThere(pid)]).toEqual([1, true]);
});

test('when the time is over it says how far the app got, and that nothing was forced', async () => {
  const [hung] = [await open('xterm'), await open('xterm')];
  process.kill(hung.pid, 'SIGSTOP');
  expect(failed(await quitApp({ appName: 'XTerm' }, { ...unhurried(), deadlineMs: 8_000 }))).toEqual({
    ok: false,
    code: 'timeout',
    message:
      'The time for this was over; the part done by then stays done. XTerm was asked to close and is still there; one window of it has closed.',
    fix: 'Look whether the app asks something, or is still at work.',
    sideEffect: 'done',
  });
  expect((await windows()).map(({ id }) => id)).toEqual([hung.window.id]);
  expect(isThere(hung.pid)).toBe(true);
});

test('asked for twice at once, an app is asked once', async () => {
  await open('mousepad');
  const outcomes = await Promise.all([1, 2].map(() => quitApp({ appName: 'mousepad' }, unhurried())));
  expect(outcomes.sort((one, other) => Number(other.ok) - Number(one.ok))).toMatchObject([
    { ok: true },
    { ok: false, code: 'target_gone', sideEffect: 'none' },
  ]);
});

test('what runs inside a terminal is not closed with it', async () => {
  const { window } = await open('xterm');
  expect(failed(await quitApp({ appName: 'Console App' }, unhurried()))).toMatchObject({
    code: 'not_supported',
    sideEffect: 'none',
  });
  expect((await windows()).map(({ id }) => id)).toEqual([window.id]);
});
