import { expect, test, vi } from 'vitest';
import type { InputDriver, InputOutcome } from '../../../agent/drivers/input.ts';
import { permissionMissing } from '../../../agent/drivers/macos/permissions.ts';
import type { Attempt } from '../../../agent/drivers/outcome.ts';
import { until } from '../../desktop/processes.ts';
import { touch } from './fake-hands.ts';
import { fails } from './fake-programs.ts';
import { createMacRig, type MacRig, unhurried } from './rig.ts';

const HOLD = { keys: 'ctrl+shift+f9', holdMs: 9_000 };
const LONG_DRAG = { path: Array.from({ length: 100 }, (_, index) => ({ x: 100 + index, y: 100 })) };
const NOTHING_DONE = { ok: false, delivered: 'no', safeToRepeat: true, sideEffect: 'none' };
const UNKNOWN = { ok: false, delivered: 'unknown', safeToRepeat: false, sideEffect: 'unknown' };

const untilHeld = ({ mac }: MacRig) => until('something is held', () => mac.hands.down.size > 0);
const presses = ({ mac }: MacRig) => mac.hands.seen.filter((line) => line.startsWith('press'));

test.each<[string, (input: InputDriver) => Promise<InputOutcome>]>([
  ['a chord', (input) => input.pressKeys(HOLD, unhurried)],
  ['a drag', (input) => input.drag(LONG_DRAG, unhurried)],
])('when the agent dies in the middle of %s, the process that posts events lets go of it', async (_title, begin) => {
  const rig = createMacRig();
  const running = begin(rig.input);
  await untilHeld(rig);
  rig.programs.hands[0]?.endInput();
  expect([...rig.mac.hands.down]).toEqual([]);
  await rig.input.close();
  expect(await running).toMatchObject({ ok: false });
});

test('when the process that posts events is killed in the middle of a chord, the next one lets go of its keys', async () => {
  const rig = createMacRig();
  const running = rig.input.pressKeys(HOLD, unhurried);
  await untilHeld(rig);
  rig.programs.hands[0]?.crash('killed');
  expect(await running).toMatchObject({ ...UNKNOWN, code: 'internal_error' });
  expect(rig.programs.hands.map(({ args }) => args[3])).toEqual([
    '{"held":{"keys":[],"buttons":[]}}',
    '{"held":{"keys":[59,56,101],"buttons":[]}}',
  ]);
  expect([...rig.mac.hands.down]).toEqual([]);
});

test('a process that hangs is ended after 2 s, and its button is let go of', async () => {
  const rig = createMacRig();
  const running = rig.input.drag(LONG_DRAG, unhurried);
  await untilHeld(rig);
  rig.programs.hands[0]?.crash('hangs');
  expect(await running).toMatchObject({ ...UNKNOWN, code: 'internal_error' });
  expect([...rig.mac.hands.down]).toEqual([]);
});

test('closing the driver in the middle of a chord lets go of it', async () => {
  const rig = createMacRig();
  const running = rig.input.pressKeys(HOLD, unhurried);
  await untilHeld(rig);
  await rig.input.close();
  expect([...rig.mac.hands.down]).toEqual([]);
  expect(await running).toMatchObject({ ok: false });
  expect(await rig.input.click({ at: { x: 5, y: 5 } }, unhurried)).toMatchObject({ ok: false });
  expect(rig.programs.hands).toHaveLength(1);
});

test('inputs run one after the other', async () => {
  const rig = createMacRig();
  await Promise.all([
    rig.input.pressKeys({ keys: 'f1', holdMs: 60 }, unhurried),
    rig.input.pressKeys({ keys: 'f2', holdMs: 60 }, unhurried),
  ]);
  expect(rig.mac.hands.seen.map((line) => line.split(' ', 3).join(' '))).toEqual([
    'press key 122',
    'release key 122',
    'press key 120',
    'release key 120',
  ]);
});

test('without the permission Accessibility nothing is done, and it is said in the words of the other actions', async () => {
  const rig = createMacRig();
  rig.mac.grants.accessibility = false;
  const { code, message, fix } = permissionMissing('accessibility');
  const attempts = [
    rig.input.click({ at: { x: 5, y: 5 } }, unhurried),
    rig.input.typeText({ text: 'a' }, unhurried),
    rig.input.closeWindow({ windowId: '1' }, unhurried),
    rig.input.sight({ kind: 'focus' }, unhurried),
  ];
  for (const outcome of await Promise.all(attempts)) expect(outcome).toMatchObject({ ok: false, code, message, fix });
  expect(rig.mac.hands.seen).toEqual([]);
});

test('nothing is done on a locked screen, which would take the events', async () => {
  const rig = createMacRig();
  rig.mac.session = { onConsole: true, locked: true };
  const outcome = await rig.input.typeText({ text: 'a' }, unhurried);
  expect(outcome).toMatchObject({ ...NOTHING_DONE, code: 'display_unavailable' });
  expect(rig.programs.hands).toEqual([]);
});

test('where osascript may not run, nothing is done', async () => {
  const rig = createMacRig();
  rig.programs.intercept.set('/usr/bin/osascript', () => fails('osascript-script-error', { error: 'no' }));
  const outcome = await rig.input.click({ at: { x: 5, y: 5 } }, unhurried);
  expect(outcome).toMatchObject({ ...NOTHING_DONE, code: 'internal_error' });
});

test('while the person holds a key, nothing is done', async () => {
  const rig = createMacRig();
  rig.mac.hands.deviceFlags = 0x20000;
  expect(await rig.input.click({ at: { x: 5, y: 5 } }, unhurried)).toMatchObject({ ...NOTHING_DONE, code: 'busy' });
  // Caps Lock is no key that is held.
  rig.mac.hands.deviceFlags = 0x10000;
  expect(await rig.input.click({ at: { x: 5, y: 5 } }, unhurried)).toMatchObject({ ok: true });
});

test('an input waits until the person has used nothing for 2 s, and its own events do not count', async () => {
  const rig = createMacRig();
  const { clock } = rig.mac;
  await rig.input.movePointer({ to: { x: 5, y: 5 } }, unhurried);
  const afterOwnMs = clock.now();
  await rig.input.movePointer({ to: { x: 6, y: 5 } }, unhurried);
  expect(clock.now() - afterOwnMs).toBeLessThan(500);
  clock.advance(100);
  touch(rig.mac);
  const touchedMs = clock.now();
  await rig.input.movePointer({ to: { x: 7, y: 5 } }, unhurried);
  expect(clock.now() - touchedMs).toBeGreaterThanOrEqual(2_000);
});

test('an input that is cancelled while it waits for the person does nothing', async () => {
  const rig = createMacRig();
  const controller = new AbortController();
  rig.mac.clock.after(500, () => {
    touch(rig.mac);
    controller.abort('requested');
  });
  touch(rig.mac);
  const outcome = await rig.input.click({ at: { x: 5, y: 5 } }, { signal: controller.signal, deadlineMs: 30_000 });
  expect(outcome).toMatchObject(NOTHING_DONE);
  expect(rig.mac.hands.seen).toEqual([]);
});

test("the person's own devices stay alive while events are posted", async () => {
  const rig = createMacRig();
  await rig.input.movePointer({ to: { x: 5, y: 5 } }, unhurried);
  expect(rig.mac.hands.suppressionSeconds).toBe(0);
});

test('a click holds its modifiers, and each click of several says which one it is', async () => {
  const rig = createMacRig();
  await rig.input.click({ at: { x: 9, y: 8 }, button: 'right', count: 2, modifiers: ['cmd', 'shift'] }, unhurried);
  expect(rig.mac.hands.seen).toEqual([
    'press key 55 with 100000',
    'press key 56 with 120000',
    'move to 9,8',
    ...['press right at 9,8', 'release right', 'press right at 9,8', 'click 2', 'release right'],
    ...['release key 56', 'release key 55'],
  ]);
});

test('scrolls down and right by three lines a notch, where the pointer was sent', async () => {
  const rig = createMacRig();
  await rig.input.scroll({ at: { x: 300, y: 200 }, dx: -1, dy: 2 }, unhurried);
  expect(rig.mac.hands.seen.slice(1)).toEqual([
    'scroll 0,3 lines at 300,200',
    'scroll 0,3 lines at 300,200',
    'scroll -3,0 lines at 300,200',
  ]);
});

test('reaches a display at negative coordinates, and nothing between two displays', async () => {
  const rig = createMacRig();
  rig.mac.displays.push({ id: 2, name: 'Left', bounds: { x: -1920, y: -200, width: 1920, height: 1080 }, scale: 1 });
  expect(await rig.input.movePointer({ to: { x: -1900.5, y: -150 } }, unhurried)).toMatchObject({
    ok: true,
    effect: 'confirmed',
  });
  expect(rig.mac.hands.pointer).toEqual({ x: -1900.5, y: -150 });
  const outcome = await rig.input.movePointer({ to: { x: 100, y: -150 } }, unhurried);
  expect(outcome).toMatchObject({ ...NOTHING_DONE, code: 'coordinates_off_screen' });
});

test.each([
  ['cmd+a', ['press key 55 with 100000', 'press key 0 with 100000']],
  ['cmd+shift+z', ['press key 55 with 100000', 'press key 56 with 120000', 'press key 6 with 120000']],
  ['?', ['press key 56 with 20000', 'press key 44 with 20000']],
  ['cmd+plus', ['press key 55 with 100000', 'press key 56 with 120000', 'press key 24 with 120000']],
  ['alt+left', ['press key 58 with 80000', 'press key 123 with 80000']],
])('presses %s by the keys of the layout', async (keys, expected) => {
  const rig = createMacRig();
  expect(await rig.input.pressKeys({ keys }, unhurried)).toMatchObject({ ok: true });
  expect(presses(rig)).toEqual(expected);
  expect([...rig.mac.hands.down]).toEqual([]);
});

/** Some keys of a Russian layout. */
const RUSSIAN = { 0: 'фФ', 6: 'яЯ', 13: 'цЦ', 26: '7?', 44: '.,' };

test.each([
  ['cmd+a', ['press key 55 with 100000', 'press key 0 with 100000']],
  // By the layout it would be the key of 7.
  ['ctrl+?', ['press key 59 with 40000', 'press key 56 with 60000', 'press key 44 with 60000']],
  ['ф', ['press key 0 with 0']],
])('under a layout without Latin letters, presses %s', async (keys, expected) => {
  const rig = createMacRig();
  rig.mac.hands.keys = RUSSIAN;
  expect(await rig.input.pressKeys({ keys }, unhurried)).toMatchObject({ ok: true });
  expect(presses(rig)).toEqual(expected);
});

test('under a layout without Latin letters, a Latin letter alone is refused, and a field is emptied', async () => {
  const rig = createMacRig();
  rig.mac.hands.keys = RUSSIAN;
  expect(await rig.input.pressKeys({ keys: 'a' }, unhurried)).toMatchObject({ ...NOTHING_DONE, code: 'not_typable' });
  expect(await rig.input.typeText({ text: 'new', clear: true }, unhurried)).toMatchObject({ effect: 'confirmed' });
});

test.each(['power', 'capslock', 'ж'])('refuses %s, which no key of this keyboard is', async (keys) => {
  const rig = createMacRig();
  expect(await rig.input.pressKeys({ keys }, unhurried)).toMatchObject({ ...NOTHING_DONE, code: 'not_typable' });
  expect(rig.mac.hands.seen).toEqual([]);
});

test('keys that change nothing are unverified', async () => {
  const rig = createMacRig();
  const outcome = await rig.input.pressKeys({ keys: 'f5' }, unhurried);
  expect(outcome).toMatchObject({ ok: true, effect: 'unverified', details: expect.stringContaining('Nothing') });
});

test('a process that answers with something else is ended', async () => {
  const stop = vi.fn();
  const rig = createMacRig({
    converse: (_start, { said }) => ({ say: () => setImmediate(() => said('{"id":1,"ok":true}\n')), stop }),
  });
  expect(await rig.input.click({ at: { x: 5, y: 5 } }, unhurried)).toMatchObject({ code: 'internal_error' });
  expect(stop).toHaveBeenCalled();
});

test.each<[string, (input: InputDriver, attempt: Attempt, windowId: string) => Promise<InputOutcome>]>([
  ['movePointer', (input, attempt) => input.movePointer({ to: { x: 5, y: 5 } }, attempt)],
  ['click', (input, attempt) => input.click({ at: { x: 5, y: 5 } }, attempt)],
  ['drag', (input, attempt) => input.drag(LONG_DRAG, attempt)],
  ['scroll', (input, attempt) => input.scroll({ at: { x: 5, y: 5 }, dx: 0, dy: 1 }, attempt)],
  ['pressKeys', (input, attempt) => input.pressKeys({ keys: 'f5' }, attempt)],
  ['typeText', (input, attempt) => input.typeText({ text: 'a', clear: true }, attempt)],
  ['setValue', (input, attempt) => input.setValue({ elementId: 'ax-501-m--k', value: 'a' }, attempt)],
  ['actOnElement', (input, attempt) => input.actOnElement({ elementId: 'ax-501-m--k' }, attempt)],
  ['invokeMenu', (input, attempt, windowId) => input.invokeMenu({ windowId, path: ['File'] }, attempt)],
  ['closeWindow', (input, attempt, windowId) => input.closeWindow({ windowId }, attempt)],
  ['writeClipboard', (input, attempt) => input.writeClipboard({ text: 'a' }, attempt)],
])('%s does nothing where the last look finds another target', async (_title, act) => {
  const rig = createMacRig();
  const before = JSON.stringify([rig.mac.windows, rig.mac.hands.clipboard]);
  const changed = { ok: false, code: 'target_changed', message: 'Another one.', sideEffect: 'none' } as const;
  const windowId = String(rig.mac.windows[0]?.id);
  const outcome = await act(rig.input, { ...unhurried, lastLook: async () => changed }, windowId);
  expect(outcome).toMatchObject({ ...NOTHING_DONE, code: 'target_changed' });
  expect(rig.mac.hands.seen).toEqual([]);
  expect(JSON.stringify([rig.mac.windows, rig.mac.hands.clipboard])).toBe(before);
});
