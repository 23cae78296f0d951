/** The keys of a keyboard as the X server has them: for each key a row of symbols, and the group that is switched on. */
export type KeyboardLayout = {
  firstKeycode: number;
  rows: readonly (readonly number[])[];
  /** The core protocol tells the symbols of 0 and 1. */
  group: number;
  hasCapsLock: boolean;
};

/** A key, and the keys that are held while it is pressed. */
export type Stroke = { keycode: number; held: readonly number[] };

/** How to type each character of a text with the keys of a layout; `undefined` where it has no key for one of them. */
export function strokesOf(text: string, layout: KeyboardLayout): Stroke[] | undefined {
  const finder = createKeyFinder(layout);
  const strokes = [...text].map((character) => finder.ofCharacter(character));
  return strokes.every((stroke) => stroke !== undefined) ? strokes : undefined;
}

export type KeyFinder = {
  ofCharacter(character: string): Stroke | undefined;
  /** The key of a symbol, in any group. */
  ofSymbol(keysym: number): Stroke | undefined;
  /** The key that an app takes for a symbol in a shortcut: of the group with Latin letters, or where none is, of a US keyboard. */
  ofShortcut(keysym: number): Stroke | undefined;
};

export function createKeyFinder(layout: KeyboardLayout): KeyFinder {
  const groups = [0, 1].map((group) => symbolsOf(layout, group));
  const [first = new Map<number, Place>()] = groups;
  const active = groups[layout.group] ?? new Map<number, Place>();
  const all = [active, ...groups];
  const latin = all.filter(isLatin);
  const strokeOf = (place: Pick<Place, 'keycode' | 'level'> | undefined): Stroke | undefined => {
    const held = place === undefined ? undefined : modifiersFor(place.level, first);
    return place === undefined || held === undefined ? undefined : { keycode: place.keycode, held };
  };
  const placeIn = (maps: readonly Places[], keysym: number) => maps.map((keys) => keys.get(keysym)).find(isThere);
  return {
    ofCharacter(character) {
      const place = active.get(symbolOf(character));
      return strokeOf(place !== undefined && layout.hasCapsLock ? underCapsLock(place) : place);
    },
    ofSymbol: (keysym) => strokeOf(placeIn(all, keysym)),
    ofShortcut: (keysym) => strokeOf(placeIn(latin.length > 0 ? latin : [US_PLACES], keysym) ?? placeIn(all, keysym)),
  };
}

type Places = ReadonlyMap<number, Pick<Place, 'keycode' | 'level'>>;

function isLatin(keys: Places): boolean {
  return ['a', 'z'].every((letter) => keys.has(symbolOf(letter)));
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

/** X11 has the symbols of Latin-1 under their own numbers, and all others of Unicode above 0x1000000. */
export function symbolOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\n') return KEYSYMS.enter;
  if (character === '\t') return KEYSYMS.tab;
  const isLatin1 = (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff);
  if (isLatin1) return code;
  return code === 0x20ac ? EURO : UNICODE + code;
}

/** The symbols of keys with a name (keysymdef.h of the X server). */
export const KEYSYMS = {
  enter: 0xff0d,
  tab: 0xff09,
  space: 0x20,
  escape: 0xff1b,
  backspace: 0xff08,
  delete: 0xffff,
  insert: 0xff63,
  home: 0xff50,
  end: 0xff57,
  pageup: 0xff55,
  pagedown: 0xff56,
  up: 0xff52,
  down: 0xff54,
  left: 0xff51,
  right: 0xff53,
  menu: 0xff67,
  capslock: 0xffe5,
  printscreen: 0xff61,
  plus: 0x2b,
  power: 0x1008ff2a,
  sleep: 0x1008ff2f,
  shift: 0xffe1,
  ctrl: 0xffe3,
  alt: 0xffe9,
  cmd: 0xffeb,
} as const;

/** The rows of a US keyboard by the number of their first key, plain and with Shift. All servers of Linux number them so (xkeyboard-config, keycodes/evdev). */
const US_ROWS: readonly (readonly [firstKeycode: number, plain: string, shifted: string])[] = [
  [10, '1234567890-=', '!@#$%^&*()_+'],
  [24, 'qwertyuiop[]', 'QWERTYUIOP{}'],
  [38, "asdfghjkl;'`", 'ASDFGHJKL:"~'],
  [51, '\\zxcvbnm,./', '|ZXCVBNM<>?'],
];
const US_PLACES: Places = new Map(
  US_ROWS.flatMap(([first, ...levels]) =>
    levels.flatMap((row, level) => [...row].map((key, index) => [symbolOf(key), { keycode: first + index, level }])),
  ),
);

const UNICODE = 0x0100_0000;
const EURO = 0x20ac;
const LEVEL_3 = 0xfe03;
/** Keys of the number block: NumLock decides what they type. */
const KEYPAD = { first: 0xff80, last: 0xffbd };

/** Level 0: the key alone, 1: with Shift, 2: with the level-3 key, 3: with both. */
type Place = { keycode: number; level: number; row: readonly number[] };

function symbolsOf({ rows, firstKeycode }: KeyboardLayout, group: number): Map<number, Place> {
  const found = new Map<number, Place>();
  // A row holds two levels of each group, then two more of each.
  const columns = [2 * group, 2 * group + 1, 4 + 2 * group, 5 + 2 * group];
  for (const [level, column] of columns.entries()) {
    for (const [index, row] of rows.entries()) {
      const symbol = row[column] ?? 0;
      const isKeypad = (row[0] ?? 0) >= KEYPAD.first && (row[0] ?? 0) <= KEYPAD.last;
      if (symbol !== 0 && !isKeypad && !found.has(symbol))
        found.set(symbol, { keycode: firstKeycode + index, level, row: columns.map((each) => row[each] ?? 0) });
    }
  }
  return found;
}

function modifiersFor(level: number, keys: ReadonlyMap<number, Place>): number[] | undefined {
  const wanted = [...(level % 2 === 1 ? [KEYSYMS.shift] : []), ...(level >= 2 ? [LEVEL_3] : [])];
  const held = wanted.map((symbol) => keys.get(symbol)?.keycode);
  return held.every((keycode) => keycode !== undefined) ? held : undefined;
}

/** Caps Lock reverses Shift on the keys of letters. Its effect on level 3 depends on the layout. */
function underCapsLock(place: Place): Place | undefined {
  if (place.level >= 2) return undefined;
  const [lower = 0, upper = 0] = place.row;
  const isLetter = lower !== upper && characterOf(lower).toUpperCase() === characterOf(upper);
  return isLetter ? { ...place, level: 1 - place.level } : place;
}

function characterOf(symbol: number): string {
  return String.fromCodePoint(symbol >= UNICODE && symbol < UNICODE + 0x11_0000 ? symbol - UNICODE : symbol & 0xff);
}
