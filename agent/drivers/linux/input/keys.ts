import { type KeyChord, parseChord } from '../../../../src/contract/key-chords.ts';
import type { InputDriver } from '../../input.ts';
import { refused, stoppedInput } from '../../input-outcome.ts';
import { type Acting, pauseUnless, type Turn } from './acting.ts';
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
        const press = { chord, stroke, layout, holdMs };
        return acting.withEffect(turn, `Pressed ${keys}.`, () => pressAll(turn, { press, repeat }));
      }),
    typeText: (wish, attempt) => acting.act(attempt, (turn) => typeText(needs, wish, turn)),
  };
}

/** Shift that the character itself needs is held, too. */
function strokeOf({ key }: KeyChord, layout: KeyboardLayout): Stroke | undefined {
  const named = (KEYSYMS as Readonly<Record<string, number>>)[key] ?? functionKey(key) ?? symbolOf(key);
  return createKeyFinder(layout).ofSymbol(named);
}

const FIRST_FUNCTION_KEY = 0xffbe;

function functionKey(key: string): number | undefined {
  const [, number] = /^f(\d+)$/.exec(key) ?? [];
  return number === undefined ? undefined : FIRST_FUNCTION_KEY + Number(number) - 1;
}

async function pressAll(turn: Turn, { press, repeat }: { press: Press; repeat: number }) {
  for (let pressed = 0; pressed < repeat; pressed += 1) {
    if (turn.signal.aborted)
      return stoppedInput(turn.signal, pressed === 0 ? undefined : `It was pressed ${pressed} times.`);
    if (await pressOnce(turn, press)) return stoppedInput(turn.signal, CUT_SHORT);
  }
  return undefined;
}

type Press = { chord: KeyChord; stroke: Stroke; layout: KeyboardLayout; holdMs: number };

/** Whether it was cut short while it was held. Without a time to hold, all of it is one message to the server. */
async function pressOnce({ seat, signal }: Turn, { chord, stroke, layout, holdMs }: Press): Promise<boolean> {
  const events = around(eventsOf(stroke), chord.modifiers, layout);
  if (holdMs === 0) {
    await seat.send(events);
    return false;
  }
  const release = events.findIndex((event) => event.kind === 'key' && !event.isDown);
  await seat.send(events.slice(0, release));
  await pauseUnless(signal, holdMs);
  await seat.send(events.slice(release));
  return signal.aborted;
}

function noKeyFor(keys: string): string {
  return `Expected keys of the keyboard layout, got ${JSON.stringify(keys)}.`;
}

const CUT_SHORT = 'The keys were held for a shorter time.';
const UNFIT = {
  code: 'invalid_target',
  message: `Expected 1 to ${MOST_REPEATS} repeats and at most ${MOST_HOLD_MS} ms to hold.`,
} as const;
