import { type KeyChord, parseChord } from '../../../src/contract/key-chords.ts';
import type { InputDriver, InputOutcome, Typed, TypeTextWish } from '../input.ts';
import type { Acting, Failure, Hands, Refusal, Turn } from './acting.ts';
import { inputDone, PART_DONE, refused } from './input-outcome.ts';
import { judgedHolder, type KeyGroup, MOST_TOGETHER, pressChord } from './judged-keys.ts';
import { unwantedCharacter } from './unwanted-character.ts';

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

/** One way in which all of a text gets into what has the keyboard. The first two answer why they did not, if so. `only`: as `judgedHolder` tells it. */
type TypingWay = {
  clear(only: number): Promise<Failure | undefined>;
  type(only: number): Promise<Failure | undefined>;
  /** Whether the text is read back exactly. */
  isTaken(): Promise<boolean>;
};

/**
 * Reads the keyboard, and answers what finds the field and the way after the last look. Nothing is done by both. Nothing may be typed into
 * a password field.
 */
export type FindWay<Own> = (
  wish: TypeTextWish,
  turn: Turn<Own>,
) => Promise<Failure | (() => Promise<Failure | TypingWay>)>;

export function createTypeText<Event, Own extends Hands<Event>>(
  acting: Acting<Own>,
  findWay: FindWay<Own>,
): InputDriver['typeText'] {
  return (wish, attempt) =>
    acting.act(attempt, async (turn): Promise<InputOutcome<Typed>> => {
      const judged = await judgedWay(wish, turn, findWay);
      if ('ok' in judged) return judged;
      const failed = await typeBy(judged, wish);
      if (failed !== undefined) return failed;
      const typedCharacters = [...wish.text].length;
      const isConfirmed = await judged.way.isTaken();
      const details = `Typed ${typedCharacters} characters${isConfirmed ? '' : '; they could not be read back exactly'}.`;
      return inputDone(details, { isConfirmed, data: { typedCharacters } });
    });
}

type Judged = { only: number; way: TypingWay };

async function judgedWay<Event, Own extends Hands<Event>>(
  wish: TypeTextWish,
  turn: Turn<Own>,
  findWay: FindWay<Own>,
): Promise<Judged | Failure> {
  const fault = unwantedCharacter(wish);
  if (fault !== undefined) return refused({ code: 'invalid_target', message: fault });
  const wayNow = await findWay(wish, turn);
  if (typeof wayNow === 'object') return wayNow;
  const only = await judgedHolder(turn);
  if (typeof only === 'object') return only;
  // Into the field that this last look has seen: before it, the keyboard may have been elsewhere.
  const way = await wayNow();
  return 'ok' in way ? way : { only, way };
}

async function typeBy({ only, way }: Judged, { clear = false }: TypeTextWish): Promise<Failure | undefined> {
  const uncleared = clear ? await way.clear(only) : undefined;
  if (uncleared !== undefined) return uncleared;
  const failed = await way.type(only);
  // The field was emptied before it failed.
  return failed !== undefined && clear ? { ...failed, ...PART_DONE } : failed;
}

/** The keys of a text, as many together as may be sent between two looks. */
export function groupsOf<Piece, Event>(
  pieces: readonly Piece[],
  eventsOf: (piece: Piece) => readonly Event[],
): KeyGroup<Event>[] {
  return Array.from({ length: Math.ceil(pieces.length / MOST_TOGETHER) }, (_, index) => {
    const together = pieces.slice(index * MOST_TOGETHER, (index + 1) * MOST_TOGETHER);
    return { press: together.flatMap(eventsOf), release: [] };
  });
}

export const PASSWORD_FOCUSED = {
  code: 'invalid_target',
  message: 'The keyboard is in a password field. Handrail types no passwords.',
} as const;
