import { afterAll, expect, test } from 'vitest';
import { converse } from '../../agent/drivers/converse.ts';
import { runProgram } from '../../agent/drivers/exec.ts';
import { createApplications } from '../../agent/drivers/macos/applications.ts';
import { createMacosDriver } from '../../agent/drivers/macos/driver.ts';
import { createMacInput } from '../../agent/drivers/macos/input/driver.ts';
import { createSeat } from '../../agent/drivers/macos/input/seat.ts';
import { readLayout } from '../../agent/drivers/macos/input/virtual-keys.ts';
import { systemClock } from '../../agent/drivers/macos/run-script.ts';
import { done, openDocument, unhurried } from './mac.ts';

/** Whether pointer, keyboard and windows of macOS are what the Mac in memory takes them to be. Run where `process.platform` is darwin. */

const driver = createMacosDriver();
const input = createMacInput({
  run: runProgram,
  applications: createApplications(runProgram, systemClock.now),
  converse,
  clock: systemClock,
  describeScreen: (parameters, attempt) => driver.describeScreen(parameters, attempt),
});
afterAll(async () => {
  await input.close();
  await driver.close();
});

const TEXT = 'Grüße 日本語 👩‍👩‍👧 مرحبا {~^|}';

/**
 * Assumed without a Mac: that CGEvents of the bridge arrive within 30 ms, that the window server counts each of them once, and how long a call takes.
 */
test('input-events.js moves the pointer, and no own event counts as the person', async () => {
  const seat = createSeat(converse);
  await seat.begin();
  await seat.post([{ kind: 'move', x: 200, y: 200 }]);
  await systemClock.wait(100, unhurried.signal);
  expect(await seat.look()).toMatchObject({ person: false, pointer: { x: 200, y: 200 } });
  await seat.close();
});

/** Assumed without a Mac: that NSEvent translates a key that was never pressed, and that the bridge takes input sources as objects. */
test('keyboard-layout.js tells the characters of the keys', async () => {
  const layout = await readLayout(runProgram, unhurried.signal);
  if (!layout.ok) throw new Error(layout.message);
  expect(layout.data.keys.filter(({ plain }) => /^\p{L}$/u.test(plain)).length).toBeGreaterThan(20);
});

/** Assumed without a Mac: that an app takes the characters of an event as they are, and how soon it tells its new value. */
test('input types a text of several scripts into TextEdit, reads it back, and clears it', async () => {
  const document = openDocument('');
  try {
    await input.waitFor({ windowTitle: 'handrail-test' }, unhurried);
    expect(await input.typeText({ text: TEXT }, unhurried)).toMatchObject({ ok: true, effect: 'confirmed' });
    expect(await input.typeText({ text: 'x', clear: true }, unhurried)).toMatchObject({ effect: 'confirmed' });
  } finally {
    document.close();
  }
});

/**
 * Assumed without a Mac: that AXParent and AXChildren agree, that a minimized window keeps its bounds, and that AXValueCreate takes bytes.
 */
test('input finds every element of TextEdit by its id, and moves, minimizes and closes its window', async () => {
  const document = openDocument('some text');
  try {
    await input.waitFor({ windowTitle: 'handrail-test' }, unhurried);
    const { elements, windows } = done(await driver.describeScreen({}, unhurried)).data;
    const windowId = String(windows.find(({ title }) => title.includes('handrail-test'))?.id);
    for (const { id, role } of elements.filter((element) => element.windowId === windowId))
      expect(await input.sight({ kind: 'element', elementId: id }, unhurried)).toMatchObject({
        data: { element: { role } },
      });
    const confirmed = { ok: true, effect: 'confirmed' };
    const bounds = { x: 120, y: 90, width: 500, height: 400 };
    expect(await input.moveWindow({ windowId, bounds }, unhurried)).toMatchObject(confirmed);
    expect(await input.minimizeWindow({ windowId }, unhurried)).toMatchObject(confirmed);
    expect(await input.focusWindow({ windowId }, unhurried)).toMatchObject(confirmed);
    expect(await input.closeWindow({ windowId }, unhurried)).toMatchObject(confirmed);
  } finally {
    document.close();
  }
});

/** Assumed without a Mac: that AXPress performs an item of a closed menu, and that AXFrontmost brings an app of another program forward. */
test('input chooses a menu item of TextEdit that was never opened', async () => {
  const document = openDocument('some text');
  try {
    await input.waitFor({ windowTitle: 'handrail-test' }, unhurried);
    const listed = await input.listWindows(unhurried);
    const window = listed.ok ? listed.data.windows.find(({ title }) => title.includes('handrail-test')) : undefined;
    const wish = { windowId: String(window?.id), path: ['Format', 'Font', 'Show Fonts'] };
    expect(await input.invokeMenu(wish, unhurried)).toMatchObject({ ok: true, effect: 'confirmed' });
  } finally {
    document.close();
  }
});

/** Assumed without a Mac: whether this version of macOS asks the person before a program reads the clipboard. */
test('clipboard.js reads what it wrote', async () => {
  expect(await input.writeClipboard({ text: TEXT }, unhurried)).toMatchObject({ ok: true, effect: 'confirmed' });
  expect(await input.readClipboard(unhurried)).toMatchObject({ ok: true, data: { text: TEXT } });
});
