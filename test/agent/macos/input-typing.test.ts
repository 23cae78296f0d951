import { expect, test } from 'vitest';
import { eventsOf, piecesOf } from '../../../agent/drivers/macos/input/type-text.ts';
import { focusedIn } from './fake-hands.ts';
import type { FakeElement } from './fake-mac.ts';
import { createMacRig, type MacRig, unhurried } from './rig.ts';

const REFUSED = { ok: false, delivered: 'no', safeToRepeat: true, sideEffect: 'none' };

function fieldOf({ mac }: MacRig): FakeElement {
  const field = focusedIn(mac);
  if (field === undefined) throw new Error('the document has the keyboard');
  return field;
}

test('cuts a text into what a person sees as characters, none of which macOS would cut', () => {
  const family = '👩‍👩‍👧';
  const tower = `a${'\u0301'.repeat(45)}`;
  const pieces = piecesOf(`né${family}日${tower}`);
  expect(pieces.slice(0, 4)).toEqual(['n', 'é', family, '日']);
  expect(pieces.join('')).toBe(`né${family}日${tower}`);
  expect(pieces.every((piece) => piece.length <= 20 && piece.isWellFormed())).toBe(true);
});

test('cuts a long row of joined characters between code points, in linear time', () => {
  const row = '👩‍'.repeat(3_000);
  const pieces = piecesOf(row);
  expect(pieces.join('')).toBe(row);
  expect(pieces.every((piece) => piece.length <= 20 && piece.isWellFormed())).toBe(true);
});

test('line breaks and tabs are typed by their keys', () => {
  expect(['\n', '\t'].map((piece) => eventsOf(piece)[0])).toEqual([
    { kind: 'key', code: 36, isDown: true },
    { kind: 'key', code: 48, isDown: true },
  ]);
});

test('types a text of all scripts in the place of the selection, and reads it back', async () => {
  const rig = createMacRig();
  const field = fieldOf(rig);
  field.value = 'before MIDDLE after';
  field.selection = { start: 7, length: 6 };
  const text = 'Straße — 日本語 👩‍👩‍👧 مرحبا\n\tend';
  const outcome = await rig.input.typeText({ text, newline: true, tab: true }, unhurried);
  expect(outcome).toMatchObject({
    ok: true,
    effect: 'confirmed',
    delivered: 'yes',
    data: { typedCharacters: [...text].length },
  });
  expect(field.value).toBe(`before ${text} after`);
});

test('a text that an app changes is unverified', async () => {
  const rig = createMacRig();
  const field = fieldOf(rig);
  Object.defineProperty(field, 'value', { get: () => 'Another text', set: () => undefined });
  expect(await rig.input.typeText({ text: 'teh' }, unhurried)).toMatchObject({
    ok: true,
    effect: 'unverified',
    safeToRepeat: false,
  });
});

test('while an input method composes, the text is put in through the accessibility tree, with no key', async () => {
  const rig = createMacRig();
  rig.mac.hands.inputSource = 'TISTypeKeyboardInputMode';
  const field = fieldOf(rig);
  field.value = '';
  expect(await rig.input.typeText({ text: 'にほん aa' }, unhurried)).toMatchObject({ ok: true, effect: 'confirmed' });
  expect(field.value).toBe('にほん aa');
  expect(rig.mac.hands.seen).toEqual([]);
});

test('while an input method composes, a field that takes no text in another way is refused', async () => {
  const rig = createMacRig();
  rig.mac.hands.inputSource = 'TISTypeKeyboardInputMode';
  fieldOf(rig).role = 'AXGroup';
  const outcome = await rig.input.typeText({ text: 'aa' }, unhurried);
  expect(outcome).toMatchObject({ ...REFUSED, code: 'not_typable' });
  expect(rig.mac.hands.seen).toEqual([]);
});

test('while an app keeps the keyboard for itself, neither a text nor a key is sent to it', async () => {
  const rig = createMacRig();
  rig.mac.hands.isSecure = true;
  const refusal = { ...REFUSED, code: 'invalid_target', message: expect.stringContaining('secure input') };
  expect(await rig.input.typeText({ text: 'secret' }, unhurried)).toMatchObject(refusal);
  expect(await rig.input.pressKeys({ keys: 's' }, unhurried)).toMatchObject(refusal);
  expect(rig.mac.hands.seen).toEqual([]);
});

test('typing that is cancelled says how far it came, and stops before the next 20 characters', async () => {
  const rig = createMacRig();
  const controller = new AbortController();
  const field = fieldOf(rig);
  let value = '';
  const listen = (text: unknown) => {
    value = String(text);
    if (value.length >= 30) controller.abort('requested');
  };
  Object.defineProperty(field, 'value', { get: () => value, set: listen });
  const outcome = await rig.input.typeText(
    { text: 'x'.repeat(200) },
    { signal: controller.signal, deadlineMs: 30_000 },
  );
  expect(outcome).toMatchObject({ ok: false, delivered: 'yes', safeToRepeat: false, sideEffect: 'done' });
  expect(outcome.ok ? '' : outcome.message).toContain('40 characters were typed.');
  expect(value).toBe('x'.repeat(40));
});

test('typing ends where a password field takes the keyboard on the way, and none of the rest reaches it', async () => {
  const rig = createMacRig();
  const field = fieldOf(rig);
  let value = '';
  const listen = (text: unknown) => {
    value = String(text);
    if (value.length === 40) rig.mac.hands.isSecure = true;
  };
  Object.defineProperty(field, 'value', { get: () => value, set: listen });
  const outcome = await rig.input.typeText({ text: 'x'.repeat(200) }, unhurried);
  expect(outcome).toMatchObject({ ok: false, code: 'invalid_target', delivered: 'yes', safeToRepeat: false });
  expect(value).toBe('x'.repeat(40));
});

test('a password field that takes the keyboard during the last look gets no text', async () => {
  const rig = createMacRig();
  const field = fieldOf(rig);
  const lastLook = async () => {
    field.subrole = 'AXSecureTextField';
    return null;
  };
  const outcome = await rig.input.typeText({ text: 'secret' }, { ...unhurried, lastLook });
  expect(outcome).toMatchObject({ ...REFUSED, code: 'invalid_target' });
  expect(rig.mac.hands.seen).toEqual([]);
});
