import { expect, test } from 'vitest';
import {
  createKeyFinder,
  KEYSYMS,
  type KeyboardLayout,
  strokesOf,
} from '../../../agent/drivers/linux/input/keyboard.ts';
import { isHolding, releaseOf } from '../../../agent/drivers/linux/input/seat.ts';

const [SHIFT, LEVEL_3] = [0xffe1, 0xfe03];
const of = (character: string) => character.codePointAt(0) ?? 0;

/** Keys 10 to 16: a German q with an @ on level 3, a Russian letter as second group, and the number block. */
const LAYOUT: KeyboardLayout = {
  firstKeycode: 10,
  rows: [
    [of('q'), of('Q'), 0x0100_0439, 0x0100_0419, of('@'), 0x07d9],
    [of('1'), of('!'), of('1'), of('!'), 0, 0],
    [SHIFT],
    [LEVEL_3],
    [0xffb1, 0xff9c],
    [of('ß'), of('?'), 0, 0, of('\\'), 0],
    [KEYSYMS.enter],
  ],
  group: 0,
  hasCapsLock: false,
};

test('each character has its key and the keys that are held with it', () => {
  expect(strokesOf('qQ@1!\n', LAYOUT)).toEqual([
    { keycode: 10, held: [] },
    { keycode: 10, held: [12] },
    { keycode: 10, held: [13] },
    { keycode: 11, held: [] },
    { keycode: 11, held: [12] },
    { keycode: 16, held: [] },
  ]);
});

test.each(['é', '日', '👩', '\u0301', '\u200d'])('a text with %j, which no key types, has no keys', (character) => {
  expect(strokesOf(`q${character}`, LAYOUT)).toBeUndefined();
});

test('keys of the group that is off are not used, except for the symbols of shortcuts', () => {
  const russian = { ...LAYOUT, group: 1 };
  expect(strokesOf('йЙ', russian)).toEqual([
    { keycode: 10, held: [] },
    { keycode: 10, held: [12] },
  ]);
  expect(strokesOf('q', russian)).toBeUndefined();
  expect(createKeyFinder(russian).ofSymbol(of('q'))).toEqual({ keycode: 10, held: [] });
});

/** Keys 24 to 26 of two layouts, as the server tells them: two levels of each group. */
const layoutOf = (keys: readonly string[], group: number): KeyboardLayout => ({
  ...LAYOUT,
  firstKeycode: 24,
  rows: [...keys.map((row) => [...row].map(of)), [SHIFT]],
  group,
});
const HEBREW_ALONE = ['/', "'", 'ק'];
const HEBREW_AND_FRENCH = ['//aA', "''zZ", 'קקeE'];

test('a shortcut is pressed with the key of the group that has Latin letters, also for signs that another group has', () => {
  const { ofShortcut } = createKeyFinder(layoutOf(HEBREW_AND_FRENCH, 0));
  expect(ofShortcut(of('z'))).toEqual({ keycode: 25, held: [] });
  expect(ofShortcut(of('Z'))).toEqual({ keycode: 25, held: [27] });
  expect(createKeyFinder(layoutOf(HEBREW_AND_FRENCH, 2)).ofShortcut(of('z'))).toEqual({ keycode: 25, held: [] });
});

test('where no group has Latin letters, a shortcut is pressed with the key of a US keyboard', () => {
  const { ofShortcut, ofCharacter } = createKeyFinder(layoutOf(HEBREW_ALONE, 0));
  // The key that types a slash is the one of Q, which quits in many apps.
  expect([of('q'), of('/'), of('?')].map(ofShortcut)).toEqual([
    { keycode: 24, held: [] },
    { keycode: 61, held: [] },
    { keycode: 61, held: [27] },
  ]);
  expect(ofCharacter('q')).toBeUndefined();
  expect(ofCharacter('/')).toEqual({ keycode: 24, held: [] });
});

test('a group of which the server does not tell the symbols types nothing by keys', () => {
  expect(strokesOf('q', { ...LAYOUT, group: 2 })).toBeUndefined();
});

test('under Caps Lock letters need the other state of Shift, and other keys do not', () => {
  const locked = { ...LAYOUT, hasCapsLock: true };
  expect(strokesOf('qQ1!ß', locked)).toEqual([
    { keycode: 10, held: [12] },
    { keycode: 10, held: [] },
    { keycode: 11, held: [] },
    { keycode: 11, held: [12] },
    { keycode: 15, held: [] },
  ]);
  expect(strokesOf('@', locked)).toBeUndefined();
});

test('what was pressed last is let go first', () => {
  const down = (keycode: number) => ({ kind: 'key', keycode, isDown: true }) as const;
  const held = isHolding(
    [down(1), down(2), { kind: 'button', button: 1, isDown: true }, { ...down(2), isDown: false }],
    new Set(),
  );
  expect([...held]).toEqual(['key 1', 'button 1']);
  expect(releaseOf(held)).toEqual([
    { kind: 'button', button: 1, isDown: false },
    { kind: 'key', keycode: 1, isDown: false },
  ]);
});
