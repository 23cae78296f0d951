import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLinuxDriver } from '../../agent/drivers/linux/driver.ts';
import type { Bounds } from '../../src/contract/device.ts';
import type { DescribeScreenParameters } from '../../src/contract/parameters.ts';
import type { ScreenDescription, ScreenElement } from '../../src/contract/screen.ts';
import { unhurried } from '../agent/unhurried.ts';
import type { RigWindow } from './rig.ts';
import { shareDriver } from './share-rig.ts';

const SENTENCE = 'The quick brown fox jumps over 13 lazy dogs.';
const TYPED = 'only in the editor';
const PASSWORD = 'correct-horse-42';

const { rig, driver } = await shareDriver({ width: 1280, height: 800 });
const environment = { ...process.env, ...rig.env };

async function look(parameters: DescribeScreenParameters = {}, by = driver) {
  const outcome = await by.describeScreen(parameters, unhurried());
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome;
}

describe('an editor and a terminal', () => {
  let editor: Awaited<ReturnType<typeof rig.open>>;
  let terminal: Awaited<ReturnType<typeof rig.open>>;

  beforeAll(async () => {
    terminal = await rig.open('xterm', ['-T', 'my terminal', '-e', `echo "${SENTENCE}"; sleep 1000`]);
    editor = await rig.open('mousepad');
    await rig.ask('xdotool', 'windowactivate', '--sync', editor.window.id);
    await rig.ask('xdotool', 'type', TYPED);
    await rig.until('the title says that something was typed', async () =>
      (await titles()).includes('*Untitled 1 - Mousepad'),
    );
  });

  afterAll(async () => {
    await Promise.all([editor.app.end(), terminal.app.end()]);
  });

  test('the windows are those that wmctrl lists, with the app in front first', async () => {
    const { data } = await look();
    expect(data.windows.map(({ id, pid, title }) => ({ id, pid, title }))).toEqual([
      { id: editor.window.id, pid: editor.window.pid, title: '*Untitled 1 - Mousepad' },
      { id: terminal.window.id, pid: terminal.window.pid, title: 'my terminal' },
    ]);
    expect(data.windows.map(({ app, focused, onScreen }) => ({ app, focused, onScreen }))).toEqual([
      { app: 'Mousepad', focused: true, onScreen: true },
      { app: 'XTerm', focused: false, onScreen: true },
    ]);
    expect(data.frontmostApp).toBe('Mousepad');
  });

  test('the bounds of a window hold its surface and the frame that the window manager drew around it', async () => {
    const { data } = await look();
    const area = await rig.area(terminal.window.id);
    const extents = await rig.ask('xprop', '-id', terminal.window.id, '-notype', '_NET_FRAME_EXTENTS');
    const [left = 0, right = 0, top = 0, bottom = 0] = (extents.split('=')[1] ?? '').split(',').map(Number);
    expect(data.windows[1]?.bounds).toEqual({
      x: area.x - left,
      y: area.y - top,
      width: area.width + left + right,
      height: area.height + top + bottom,
    });
  });

  test('it is told aloud, with what is missing', async () => {
    expect((await look()).details).toMatch(
      /^Mousepad is in front with the window “\*Untitled 1 - Mousepad”\. Behind it: XTerm with “my terminal”\. \d+ elements are described\. This is not complete: XTerm does not describe the contents of the window\. Values, texts and documents are left out\.$/,
    );
  });

  test('the menus of the menu bar are where a click opens them', async () => {
    const { data } = await look();
    const menuItems = data.elements.filter((element) => element.role === 'menuitem');
    expect(menuItems.map(({ name }) => name)).toEqual(['File', 'Edit', 'Search', 'View', 'Document', 'Help']);
    await click(menuItems[0]?.bounds);
    const named = (name: string) => (element: ScreenElement) => element.role === 'menuitem' && element.name === name;
    const open = await rig.until('the menu is open', async () => {
      const { elements } = (await look()).data;
      return elements.find(named('Open...'));
    });
    expect(open.bounds).not.toBeNull();
    await rig.ask('xdotool', 'key', 'Escape');
    await rig.until('the menu is closed', async () => !(await look()).data.elements.some(named('Open...')));
  });

  test('what has the keyboard is known', async () => {
    const { data } = await look();
    const focused = data.elements.find(({ id }) => id === data.focusedElement);
    expect(focused).toMatchObject({ role: 'textbox', focused: true, windowId: editor.window.id });
  });

  test('with contents both are, read from the editor and from the pixels of the terminal', async () => {
    await rig.ask('wmctrl', '-i', '-a', terminal.window.id);
    await rig.until('the terminal is in front', async () => (await rig.activeWindow())?.id === terminal.window.id);
    const { data } = await look({ contents: true });
    expect(data.elements.map(({ value }) => value)).toContain(TYPED);
    const line = data.text.find(({ text }) => text === SENTENCE);
    expect(line).toMatchObject({ windowId: terminal.window.id });
    expect(line?.confidence).toBeGreaterThan(0.7);
    const area = await rig.area(terminal.window.id);
    expect(Math.abs(Number(line?.bounds.y) - area.y)).toBeLessThan(20);
    expect(Math.abs(Number(line?.bounds.x) - area.x)).toBeLessThan(20);
    expect(data.degradedReasons.map(({ code }) => code)).toEqual(['read_by_ocr']);
    expect(data.windows.map(({ missing }) => missing)).toEqual(['read_by_ocr', undefined]);
    expect(data.complete).toBe(false);
  });

  test('a terminal that is covered is not given the words of the window before it', async () => {
    const area = await rig.area(terminal.window.id);
    const cover = await openForTest('xterm', ['-T', 'cover', '-e', 'echo covering words here; sleep 1000']);
    await rig.ask('xdotool', 'windowmove', '--sync', cover.window.id, String(area.x), String(area.y));
    await rig.ask('xdotool', 'windowsize', '--sync', cover.window.id, String(area.width), String(area.height / 2));
    const { data } = await look({ contents: true });
    const words = (windowId: string) => data.text.filter((line) => line.windowId === windowId).map(({ text }) => text);
    expect(words(cover.window.id).join(' ')).toContain('covering words here');
    expect(words(terminal.window.id).join(' ')).not.toMatch(/covering|quick/);
  });

  test('an app that hangs costs the time for the tree and is named; the others are told', async () => {
    process.kill(editor.app.pid, 'SIGSTOP');
    const { data } = await look();
    process.kill(editor.app.pid, 'SIGCONT');
    expect(data.windows).toHaveLength(2);
    expect(data.degradedReasons.find(({ code }) => code === 'app_slow')?.message).toContain('within 1500 ms');
  });
});

test('an app that has only just been opened is described with its controls', async () => {
  const outcome = await driver.openApp({ appName: 'Mousepad' }, unhurried());
  const pid = outcome.ok ? Number(outcome.data.pid) : 0;
  onTestFinished(async () => {
    process.kill(pid, 'SIGKILL');
    await rig.until('its window is gone', async () => (await listedWindows())?.length === 0);
  });
  expect(nameOf((await look()).data, 'File')).toMatchObject({ role: 'menuitem' });
});

test('a button of a GTK 4 app is where it is said to be', async () => {
  const { app } = await openForTest('gnome-calculator');
  const seven = await rig.until('its buttons are told', async () => {
    const { elements } = (await look()).data;
    return elements.find(({ role, name }) => role === 'button' && name === '7');
  });
  await rig.until('it is in front', async () => (await rig.activeWindow())?.pid === app.pid);
  await click(seven.bounds);
  await rig.until('the display shows what was clicked', async () => {
    const { elements } = (await look({ contents: true })).data;
    return elements.some(({ role, value }) => role === 'textbox' && value === '7');
  });
});

test('a dialog whose app gives it no title is told with its window, and no text is read from its pixels', async () => {
  const { app, window } = await rig.open('zenity', ['--forms', '--text=Fill in', '--add-entry=Street']);
  const fields = await rig.until('the field is described', async () => {
    const { elements } = (await look({ contents: true })).data;
    return elements.some(({ role }) => role === 'textbox') ? elements : undefined;
  });
  expect(new Set(fields.map(({ windowId }) => windowId))).toEqual(new Set([window.id]));
  expect((await look({ contents: true })).data.text).toEqual([]);
  await app.end();
});

test('a password is told neither as a value nor in any other way, though the dialog has it', async () => {
  const args = ['--password', '--title=Sign in'];
  const dialog = spawn('zenity', args, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
  await rig.until('it is in front', async () => (await rig.activeWindow())?.pid === dialog.pid);
  await rig.ask('xdotool', 'type', PASSWORD);
  const { data } = await look({ contents: true });
  expect(data.elements.filter(({ role }) => role === 'textbox')).toMatchObject([
    { focused: true, actions: ['activate'] },
  ]);
  expect(data.elements.filter(({ role }) => role === 'textbox')[0]).not.toHaveProperty('value');
  expect(JSON.stringify(data)).not.toContain(PASSWORD);
  expect(JSON.stringify(await look())).not.toContain(PASSWORD);
  await rig.ask('xdotool', 'key', 'Return');
  const [output] = await once(dialog.stdout.setEncoding('utf8'), 'data');
  expect(output).toBe(`${PASSWORD}\n`);
  if (dialog.exitCode === null) await once(dialog, 'exit');
});

test('without an accessibility bus there are windows, a reason, and with contents the text of the pixels', async () => {
  await openForTest('xterm', ['-T', 'alone', '-e', `echo "${SENTENCE}"; sleep 1000`]);
  const deaf = createLinuxDriver({ ...environment, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' });
  const { data } = await look({ contents: true }, deaf);
  expect(data.windows.map(({ title }) => title)).toEqual(['alone']);
  expect(data.elements).toEqual([]);
  expect(data.text.map(({ text }) => text)).toContain(SENTENCE);
  expect(data.degradedReasons).toMatchObject([
    { code: 'accessibility_off', fix: expect.any(String) },
    { code: 'read_by_ocr' },
  ]);
  expect((await deaf.environment()).permissions).toEqual({
    screenRecording: 'not_required',
    accessibility: 'denied',
    automation: 'not_required',
  });
  await deaf.close();
});

test('of one display only the windows on it are told, and of an unknown one none, with the reason', async () => {
  await openForTest('xterm');
  const [display] = (await driver.environment()).displays;
  const there = (await look({ display: String(display?.id) })).data;
  const nowhere = (await look({ display: 'no-such-display' })).data;
  expect({ displays: there.displays, windows: there.windows.length }).toEqual({ displays: [display], windows: 1 });
  expect(nowhere).toMatchObject({ windows: [], complete: false, degradedReasons: [{ code: 'display_unknown' }] });
});

test('a window that is minimized is told as not on the screen, without its elements', async () => {
  const { window } = await openForTest('mousepad');
  await rig.until('its menus are told', async () => (await look()).data.elements.length > 5);
  await rig.ask('xdotool', 'windowminimize', '--sync', window.id);
  // The window manager says so a moment later.
  await rig.until('it is minimized', async () => (await look()).data.windows[0]?.onScreen === false);
  const { data, details } = await look();
  expect(data.windows).toMatchObject([{ id: window.id, onScreen: false, focused: false }]);
  expect({ elements: data.elements, frontmostApp: data.frontmostApp }).toEqual({ elements: [], frontmostApp: null });
  expect(details).toContain('Not on the screen, because minimized or on another workspace: Mousepad');
});

test('a browser that was asleep is woken, and its page is told with contents only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-page-'));
  const page = join(folder, 'page.html');
  writeFileSync(
    page,
    '<title>A page</title><p>words of the page<button>Buy now</button><input type=password value=hunter2>',
  );
  await openForTest('chromium', [...CHROMIUM, `--user-data-dir=${folder}/profile`, `file://${page}`]);
  const reload = await rig.until('its buttons are told', async () => {
    const { elements } = (await look()).data;
    return elements.find(({ role, name }) => role === 'button' && name === 'Reload');
  });
  expect(reload.actions).toEqual(['press']);
  const without = (await look()).data;
  expect(JSON.stringify(without)).not.toMatch(/words of the page|Buy now/);
  expect(without.elements.find(({ role }) => role === 'document')?.missing).toBe('contents_left_out');
  expect(without.complete).toBe(false);
  const within = await rig.until('the page is told', async () => {
    const { data } = await look({ contents: true });
    return nameOf(data, 'words of the page') !== undefined && data;
  });
  expect(nameOf(within, 'Buy now')).toMatchObject({ role: 'button' });
  expect(JSON.stringify(within)).not.toContain('hunter2');
  rmSync(folder, { recursive: true, force: true });
});

const CHROMIUM = [
  '--force-renderer-accessibility',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function nameOf({ elements }: ScreenDescription, name: string): ScreenElement | undefined {
  return elements.find((element) => element.name === name);
}

/** An app that ends with the test, and whose window is gone when the next begins. */
async function openForTest(program: string, args: readonly string[] = []) {
  const opened = await rig.open(program, args);
  onTestFinished(async () => {
    await opened.app.end();
    const isIts = ({ pid }: RigWindow) => pid === opened.window.pid;
    await rig.until('its window is gone', async () => (await listedWindows())?.some(isIts) === false);
  });
  return opened;
}

/** wmctrl fails when a window goes away while it looks. */
function listedWindows(): Promise<RigWindow[] | null> {
  return rig.windows().catch(() => null);
}

async function titles(): Promise<string[]> {
  return (await rig.windows()).map(({ title }) => title);
}

async function click(bounds: Bounds | null | undefined): Promise<void> {
  if (!bounds) throw new Error('expected an element with a place to click');
  const x = Math.round(bounds.x + bounds.width / 2);
  const y = Math.round(bounds.y + bounds.height / 2);
  await rig.ask('xdotool', 'mousemove', '--sync', String(x), String(y), 'click', '1');
}
