import { type KeyChord, parseChord } from '../../../../src/contract/key-chords.ts';
import type { InputDriver } from '../../input.ts';
import { refused } from '../../input-outcome.ts';
import { pressChord } from '../../judged-keys.ts';
import type { RunProgram } from '../run-script.ts';
import type { Acting } from './acting.ts';
import { readLayout } from './keyboard-layout.ts';
import { SECURE } from './secure-input.ts';
import { typeText } from './type-text.ts';
import { chordEvents, isMissing, namedStroke, type Stroke, shortcutOf, strokeOf } from './virtual-keys.ts';

const MOST_REPEATS = 100;
const MOST_HOLD_MS = 10_000;

export function createKeys(acting: Acting, run: RunProgram): Pick<InputDriver, 'pressKeys' | 'typeText'> {
  return {
    pressKeys: ({ keys, repeat = 1, holdMs = 0 }, attempt) =>
      acting.act(attempt, async (turn) => {
        const chord = parseChord(keys);
        if ('fault' in chord) return refused({ code: 'invalid_target', message: chord.fault });
        if (!isFit({ repeat, holdMs })) return refused(UNFIT);
        if (turn.isSecure) return refused(SECURE);
        const stroke = await strokeFor(run, chord, turn.signal);
        if (stroke === undefined) return refused({ code: 'not_typable', message: noKeyFor(keys) });
        const [press, release] = chordEvents(chord.modifiers, stroke);
        const presses = { press: { press, release }, repeat, holdMs };
        return pressChord(turn, presses, (judged, work) => acting.withEffect(judged, `Pressed ${keys}.`, work));
      }),
    typeText: (wish, attempt) => acting.act(attempt, (turn) => typeText(run, wish, turn)),
  };
}

function isFit({ repeat, holdMs }: { repeat: number; holdMs: number }): boolean {
  return repeat >= 1 && repeat <= MOST_REPEATS && holdMs >= 0 && holdMs <= MOST_HOLD_MS;
}

/** A character alone is typed, so that no other one may take its place. */
async function strokeFor(
  run: RunProgram,
  { key, modifiers }: KeyChord,
  signal: AbortSignal,
): Promise<Stroke | undefined> {
  const named = namedStroke(key);
  if (named !== undefined || isMissing(key)) return named;
  const layout = await readLayout(run, signal);
  const find = modifiers.some((modifier) => modifier !== 'shift') ? shortcutOf : strokeOf;
  return layout.ok ? find(key, layout.data) : undefined;
}

function noKeyFor(keys: string): string {
  return `Expected keys that the keyboard layout has, got ${JSON.stringify(keys)}.`;
}

const UNFIT = {
  code: 'invalid_target',
  message: `Expected 1 to ${MOST_REPEATS} repeats and at most ${MOST_HOLD_MS} ms to hold.`,
} as const;
