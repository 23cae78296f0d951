import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { KeyChord, Modifier } from '../../../../src/contract/key-chords.ts';
import { type RunProgram, runScript, type ScriptAnswer } from '../run-script.ts';
import type { InputEvent } from './seat.ts';

/** The key codes of a Mac, which are places on its keyboard (HIToolbox, Events.h). */
const MODIFIERS: Readonly<Record<Modifier, number>> = { cmd: 55, shift: 56, alt: 58, ctrl: 59 };

const NAMED: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ enter: 36, tab: 48, space: 49, backspace: 51, escape: 53, menu: 110, insert: 114, home: 115, pageup: 116 },
    ...{ delete: 117, end: 119, pagedown: 121, left: 123, right: 124, down: 125, up: 126 },
    ...{ f1: 122, f2: 120, f3: 99, f4: 118, f5: 96, f6: 97, f7: 98, f8: 100, f9: 101, f10: 109, f11: 103, f12: 111 },
    ...{ f13: 105, f14: 107, f15: 113, f16: 106, f17: 64, f18: 79, f19: 80, f20: 90 },
  }),
);

/** A key, and whether Shift is held for its character. */
export type Stroke = { code: number; shift: boolean };

/** The key with a name, wherever the layout has its letters; `undefined` for a key of a character. */
export function namedStroke(key: string): Stroke | undefined {
  const code = NAMED.get(key);
  return code === undefined ? undefined : { code, shift: false };
}

/** The names that a Mac has no key for, or none that works when it is not of a device. */
export function isMissing(key: string): boolean {
  return ['capslock', 'printscreen', 'power', 'sleep'].includes(key);
}

const KeyboardLayout = Type.Object({
  /** False while an input method composes what is typed. */
  isLayout: Type.Boolean(),
  keys: Type.Array(Type.Object({ code: Type.Integer(), plain: Type.String(), shifted: Type.String() })),
});
export type KeyboardLayout = Static<typeof KeyboardLayout>;

const shape = Compile(KeyboardLayout);
/** The main block of the keyboard; further codes are of the number block and of keys without a character. */
const KEYS = 51;
const TIMEOUT_MS = 5_000;

/** The characters on the keys as they are switched on now. */
export function readLayout(run: RunProgram, signal: AbortSignal): Promise<ScriptAnswer<KeyboardLayout>> {
  return runScript(run, {
    script: 'keyboard-layout',
    request: { keys: KEYS },
    answer: shape,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
}

/** The key that types a character in a layout. */
export function strokeOf(key: string, { keys }: KeyboardLayout): Stroke | undefined {
  const character = key === 'plus' ? '+' : key;
  const plain = keys.find((one) => one.plain === character);
  const found = plain ?? keys.find((one) => one.shifted === character);
  return found === undefined ? undefined : { code: found.code, shift: plain === undefined };
}

/** The same for a shortcut: while the layout has no Latin letters, the key at its place on a US keyboard is meant. */
export function shortcutOf(key: string, layout: KeyboardLayout): Stroke | undefined {
  const isLatin = ['a', 'z'].every((letter) => layout.keys.some(({ plain }) => plain === letter));
  return strokeOf(key, isLatin ? layout : { ...layout, keys: US_KEYS }) ?? strokeOf(key, layout);
}

/** Plain and with Shift, by the codes of a US keyboard (HIToolbox, kVK_ANSI_A to kVK_ANSI_Grave). */
const US_KEYS = [
  ...keysFrom(0, 'asdfhgzxcv', 'ASDFHGZXCV'),
  ...keysFrom(11, 'bqweryt123465=97-80]ou[ip', 'BQWERYT!@#$^%+(&_*)}OU{IP'),
  ...keysFrom(37, "lj'k;\\,/nm.", 'LJ"K:|<?NM>'),
  ...keysFrom(50, '`', '~'),
];

function keysFrom(first: number, plain: string, shifted: string): KeyboardLayout['keys'] {
  return [...plain].map((key, index) => ({ code: first + index, plain: key, shifted: shifted[index] ?? '' }));
}

export function modifierEvents(held: readonly Modifier[]): [down: InputEvent[], up: InputEvent[]] {
  const events = (isDown: boolean, modifiers: readonly Modifier[]) =>
    modifiers.map((modifier): InputEvent => ({ kind: 'key', code: MODIFIERS[modifier], isDown }));
  return [events(true, held), events(false, held.toReversed())];
}

/** Everything that is pressed for a chord, and everything that is let go of after it. */
export function chordEvents(modifiers: KeyChord['modifiers'], { code, shift }: Stroke): [InputEvent[], InputEvent[]] {
  const needsShift = shift && !modifiers.includes('shift');
  const [down, up] = modifierEvents(needsShift ? [...modifiers, 'shift'] : modifiers);
  return [
    [...down, { kind: 'key', code, isDown: true }],
    [{ kind: 'key', code, isDown: false }, ...up],
  ];
}
