import { type KeyChord, parseChord } from '../../../src/contract/key-chords.ts';
import type { InputDriver } from '../input.ts';
import type { Acting, Hands, Refusal, Turn } from './acting.ts';
import { refused } from './input-outcome.ts';
import { type KeyGroup, pressChord } from './judged-keys.ts';

const MOST_REPEATS = 100;
const MOST_HOLD_MS = 10_000;

/** The keys of a chord, why they cannot be pressed now, or nothing where the keyboard layout does not have them. */
export type ChordKeys<Event, Own> = (
  chord: KeyChord,
  turn: Turn<Own>,
) => Promise<KeyGroup<Event> | Refusal | undefined>;

export function createPressKeys<Event, Own extends Hands<Event>>(
  acting: Acting<Own>,
  keysOf: ChordKeys<Event, Own>,
): InputDriver['pressKeys'] {
  return ({ keys, repeat = 1, holdMs = 0 }, attempt) =>
    acting.act(attempt, async (turn) => {
      const chord = parseChord(keys);
      if ('fault' in chord) return refused({ code: 'invalid_target', message: chord.fault });
      if (repeat < 1 || repeat > MOST_REPEATS || holdMs < 0 || holdMs > MOST_HOLD_MS) return refused(UNFIT);
      const press = await keysOf(chord, turn);
      if (press === undefined) return refused(noKeyFor(keys));
      if ('code' in press) return refused(press);
      const withEffect: Parameters<typeof pressChord>[2] = (judged, work) =>
        acting.withEffect(judged, `Pressed ${keys}.`, work);
      return pressChord<Event>(turn, { press, repeat, holdMs }, withEffect);
    });
}

function noKeyFor(keys: string): Refusal {
  const message = `Expected keys that the keyboard layout has, got ${JSON.stringify(keys)}.`;
  return { code: 'not_typable', message };
}

const UNFIT: Refusal = {
  code: 'invalid_target',
  message: `Expected 1 to ${MOST_REPEATS} repeats and at most ${MOST_HOLD_MS} ms to hold.`,
};
