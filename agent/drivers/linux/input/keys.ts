import { type KeyChord, parseChord } from '../../../../src/contract/key-chords.ts';
import type { InputDriver } from '../../input.ts';
import { refused } from '../../input-outcome.ts';
import { type KeyGroup, pressChord } from '../../judged-keys.ts';
import type { Acting } from './acting.ts';
import type { FakeEvent } from './fake-events.ts';
import { createKeyFinder, KEYSYMS, type KeyboardLayout, type Stroke, symbolOf } from './keyboard.ts';
import { around } from './pointer.ts';
import { type TypeTextNeeds, typeText } from './type-text.ts';
import { eventsOf } from './typing.ts';

const MOST_REPEATS = 100;
const MOST_HOLD_MS = 10_000;

export function createKeys(acting: Acting, needs: TypeTextNeeds): Pick<InputDriver, 'pressKeys' | 'typeText'> {
  return {
    pressKeys: ({ keys, repeat = 1, holdMs = 0 }, attempt) =>
      acting.act(attempt, async (turn) => {
        const chord = parseChord(keys);
        if ('fault' in chord) return refused({ code: 'invalid_target', message: chord.fault });
        if (repeat < 1 || repeat > MOST_REPEATS || holdMs < 0 || holdMs > MOST_HOLD_MS) return refused(UNFIT);
        const layout = await turn.seat.layout();
        const stroke = strokeOf(chord, layout);
        if (stroke === undefined) return refused({ code: 'not_typable', message: noKeyFor(keys) });
        const press = groupOf(around(eventsOf(stroke), chord.modifiers, layout));
        const details = `Pressed ${keys}.`;
        return pressChord(turn, { press, repeat, holdMs }, (judged, work) => acting.withEffect(judged, details, work));
      }),
    typeText: (wish, attempt) => acting.act(attempt, (turn) => typeText(needs, wish, turn)),
  };
}

/** Shift that the character itself needs is held, too. A character alone is typed, so that no other one may take its place. */
function strokeOf({ key, modifiers }: KeyChord, layout: KeyboardLayout): Stroke | undefined {
  const finder = createKeyFinder(layout);
  const named = (KEYSYMS as Readonly<Record<string, number>>)[key] ?? functionKey(key);
  if (modifiers.some((modifier) => modifier !== 'shift')) return finder.ofShortcut(named ?? symbolOf(key));
  return named === undefined ? finder.ofCharacter(key) : finder.ofSymbol(named);
}

const FIRST_FUNCTION_KEY = 0xffbe;

function functionKey(key: string): number | undefined {
  const [, number] = /^f(\d+)$/.exec(key) ?? [];
  return number === undefined ? undefined : FIRST_FUNCTION_KEY + Number(number) - 1;
}

function groupOf(events: readonly FakeEvent[]): KeyGroup<FakeEvent> {
  const end = events.findIndex((event) => event.kind === 'key' && !event.isDown);
  return { press: events.slice(0, end), release: events.slice(end) };
}

function noKeyFor(keys: string): string {
  return `Expected keys of the keyboard layout, got ${JSON.stringify(keys)}.`;
}

const UNFIT = {
  code: 'invalid_target',
  message: `Expected 1 to ${MOST_REPEATS} repeats and at most ${MOST_HOLD_MS} ms to hold.`,
} as const;
