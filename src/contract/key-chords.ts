/** A key with the modifiers that are held while it is pressed. `key` is a name of the list below, or one character. */
export type KeyChord = { modifiers: readonly Modifier[]; key: string };

export type Modifier = 'cmd' | 'ctrl' | 'alt' | 'shift';

/** The longest text that is read as a chord. */
export const MAX_CHORD = 64;

/**
 * Reads "cmd+shift+s". The last part is the key: a name such as `enter` or `f5`, or one character that is not a control character; "+" itself
 * is written `plus`. Answers a sentence where it cannot be read. `cmd` is the Super key on Linux.
 */
export function parseChord(text: string): KeyChord | { fault: string } {
  if (text.length > MAX_CHORD)
    return { fault: `Expected a chord of at most ${MAX_CHORD} characters, got ${text.length}.` };
  const parts = text.split('+').map((part) => part.trim().toLowerCase());
  const last = parts.at(-1) ?? '';
  const key = keyNamed(last);
  if (key === undefined) return { fault: `Expected the name of a key or one character, got ${shown(last)}.` };
  const modifiers = new Set<Modifier>();
  for (const part of parts.slice(0, -1)) {
    const modifier = MODIFIERS.get(part);
    if (modifier === undefined) return { fault: `Expected one of cmd, ctrl, alt and shift, got ${shown(part)}.` };
    if (modifiers.has(modifier)) return { fault: `Expected each modifier once, got ${modifier} twice.` };
    modifiers.add(modifier);
  }
  return { modifiers: ORDER.filter((modifier) => modifiers.has(modifier)), key };
}

export type ChordDanger =
  | 'quits'
  | 'closes'
  | 'deletes'
  | 'locks'
  | 'pastes'
  | 'sends'
  | 'presses'
  | 'opens a menu'
  | 'leaves the app'
  | 'reads otherwise';

/** The risky effect that a chord has by custom on a Mac or on Linux; `undefined` where it has none. */
export function chordDanger(chord: KeyChord): ChordDanger | undefined {
  const { modifiers, key } = chord;
  const custom = CUSTOMS.find(({ keys, holds }) => keys.includes(key) && holds.some((held) => isHeld(held, modifiers)));
  return custom?.danger ?? dangerOfCharacter(chord); // guard N14-3
}

/**
 * Alt with a character presses the button or opens the menu that has it underlined, and in a page the control that has it as its access
 * key. With a character of another alphabet, apps take the chord for the one of the Latin letter on that key.
 */
function dangerOfCharacter({ modifiers, key }: KeyChord): ChordDanger | undefined {
  if ([...key].length !== 1 || modifiers.every((held) => held === 'shift')) return undefined;
  if (/\P{ASCII}/u.test(key)) return 'reads otherwise';
  return modifiers.includes('alt') ? 'presses' : undefined;
}

/** Further modifiers make a variant of the same, such as "close all". So the first custom that fits decides. */
const CUSTOMS: readonly { danger: ChordDanger; keys: readonly string[]; holds: readonly (readonly Modifier[])[] }[] = [
  { danger: 'locks', keys: ['power', 'sleep'], holds: [[]] },
  {
    danger: 'locks',
    keys: ['q'],
    holds: [
      ['cmd', 'ctrl'],
      ['cmd', 'shift'],
    ],
  },
  { danger: 'locks', keys: ['l'], holds: [['cmd'], ['ctrl', 'alt']] },
  { danger: 'locks', keys: ['delete', 'backspace', ...functionKeys(12)], holds: [['ctrl', 'alt']] },
  { danger: 'quits', keys: ['q'], holds: [['cmd'], ['ctrl']] },
  {
    danger: 'quits',
    keys: ['escape'],
    holds: [
      ['cmd', 'alt'],
      ['ctrl', 'alt'],
    ],
  },
  { danger: 'closes', keys: ['w'], holds: [['cmd'], ['ctrl']] },
  { danger: 'closes', keys: ['f4'], holds: [['alt'], ['ctrl']] },
  { danger: 'deletes', keys: ['delete', 'backspace'], holds: [['cmd']] },
  { danger: 'deletes', keys: ['delete'], holds: [['shift']] },
  { danger: 'pastes', keys: ['v'], holds: [['cmd'], ['ctrl']] },
  { danger: 'pastes', keys: ['insert'], holds: [['shift']] },
  { danger: 'sends', keys: ['enter'], holds: [['cmd'], ['ctrl']] },
  { danger: 'opens a menu', keys: ['menu'], holds: [[]] },
  { danger: 'opens a menu', keys: ['f10'], holds: [['shift']] },
  // The menu of the window, starters of programs, the menu of the desktop, and a picture of the screen; of GNOME, KDE, Xfce and Openbox.
  { danger: 'leaves the app', keys: ['space', 'f1', 'f2', 'f3', 'f12'], holds: [['alt']] }, // guard N53-1
  { danger: 'leaves the app', keys: ['escape'], holds: [['ctrl']] },
  { danger: 'leaves the app', keys: ['printscreen'], holds: [[]] },
];

function isHeld(wanted: readonly Modifier[], held: readonly Modifier[]): boolean {
  return wanted.every((modifier) => held.includes(modifier));
}

/** Whether a chord with Cmd is by custom the one of the app on a Mac. The others, and all with Super on Linux, are of the desktop. */
export function isOfApp({ modifiers, key }: KeyChord, { isMac }: { isMac: boolean }): boolean {
  if (!modifiers.includes('cmd')) return true;
  return (
    isMac &&
    !modifiers.includes('ctrl') &&
    (OF_APPS.has(key) || /^[\da-z=,.;[\]/-]$/u.test(key)) &&
    !OF_THE_MAC.has(key)
  );
}

const OF_APPS: ReadonlySet<string> = new Set([
  ...['plus', 'up', 'down', 'left', 'right', 'home', 'end', 'enter', 'backspace', 'delete', 'pageup', 'pagedown'],
]);
/** Hide the app, minimize its window. */
const OF_THE_MAC: ReadonlySet<string> = new Set(['h', 'm']);

const ORDER: readonly Modifier[] = ['cmd', 'ctrl', 'alt', 'shift'];

const MODIFIERS: ReadonlyMap<string, Modifier> = new Map([
  ['cmd', 'cmd'],
  ['command', 'cmd'],
  ['super', 'cmd'],
  ['meta', 'cmd'],
  ['win', 'cmd'],
  ['⌘', 'cmd'],
  ['ctrl', 'ctrl'],
  ['control', 'ctrl'],
  ['⌃', 'ctrl'],
  ['alt', 'alt'],
  ['option', 'alt'],
  ['⌥', 'alt'],
  ['shift', 'shift'],
  ['⇧', 'shift'],
]);

function functionKeys(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `f${index + 1}`);
}

/** The keys with a name; other names lead to one of them. */
export const NAMED_KEYS = [
  ...['enter', 'tab', 'space', 'escape', 'backspace', 'delete', 'insert', 'home', 'end', 'pageup', 'pagedown'],
  ...['up', 'down', 'left', 'right', 'menu', 'capslock', 'printscreen', 'plus', 'power', 'sleep'],
  ...functionKeys(20),
] as const;

const NAMES: ReadonlyMap<string, string> = new Map([
  ...NAMED_KEYS.map((name) => [name, name] as const),
  ...Object.entries({ return: 'enter', esc: 'escape', del: 'delete', ins: 'insert', pgup: 'pageup', pgdn: 'pagedown' }),
  ...Object.entries({ page_up: 'pageup', page_down: 'pagedown', arrowup: 'up', arrowdown: 'down', arrowleft: 'left' }),
  ...Object.entries({ arrowright: 'right', print: 'printscreen', ' ': 'space', '⏎': 'enter', '⌫': 'backspace' }),
]);

function keyNamed(name: string): string | undefined {
  const known = NAMES.get(name);
  if (known !== undefined) return known;
  return [...name].length === 1 && !/[\p{C}\p{Z}\p{M}]/u.test(name) ? name : undefined;
}

function shown(part: string): string {
  return JSON.stringify(part.slice(0, 20).toWellFormed());
}
