import type { Delivery, InputFailed, InputOutcome } from '../input.ts';
import { doneInPart, PART_DONE, refused, stoppedInput } from './input-outcome.ts';

type Failure = InputFailed & Delivery;

/** A keyboard as one input has it. Windows are told apart by numbers. */
export type Keyboard<Event> = {
  signal: AbortSignal;
  objection(): Promise<Failure | undefined>;
  /** Why no more keys may be sent, if so. Called between groups of keys, and while keys are held. */
  objectionBetween(): Promise<InputFailed | null>;
  /** The window that has the keyboard. */
  holder(): Promise<number>;
  /** Sends nothing while another window than `only` has the keyboard, and answers the failure for what was done before. */
  sendTo(only: number, events: readonly Event[]): Promise<((howFar?: string) => Failure) | undefined>;
  /** Ends early when the input is to end. */
  pause(ms: number): Promise<void>;
};

/** A keyboard that moves more often is not still enough to type. */
const MOST_LOOKS = 5;
/** While keys are held, it is seen so often who has the keyboard. */
const LOOK_EVERY_MS = 50;
/** So many characters at most are sent between two looks. */
export const MOST_TOGETHER = 20;

/** The window that had the keyboard while its target was judged. A click into a field may move the keyboard a little later. */
export async function judgedHolder<Event>(
  keyboard: Pick<Keyboard<Event>, 'holder' | 'objection'>,
): Promise<number | Failure> {
  let now = await keyboard.holder();
  for (let look = 1; ; look += 1) {
    const before = now;
    const failed = await keyboard.objection();
    if (failed !== undefined) return failed;
    now = await keyboard.holder();
    if (now === before || look === MOST_LOOKS) return before;
  }
}

/** Keys that are pressed together, and what lets go of them. */
export type KeyGroup<Event> = { press: readonly Event[]; release: readonly Event[] };

export type JudgedKeys<Event> = {
  /** The window that is meant, as `judgedHolder` tells it. */
  only: number;
  groups: readonly KeyGroup<Event>[];
  /** Nothing was done since the last look. */
  isJustSeen?: boolean;
  /** How long the keys of each group are held. */
  holdMs?: number;
  /** How much was done after so many groups, as a sentence. */
  howFar?: (groups: number) => string;
};

type Sending<Event> = Omit<Keyboard<Event>, 'holder' | 'objection'>;

/**
 * The one way in which keys are sent. Before each group, and all the time that keys are held, it is seen who has the keyboard. The keys end
 * when that is another window, or is in another page. The keys that are down then are let go of at the end of the input.
 */
export async function sendKeys<Event>(
  keyboard: Sending<Event>,
  { only, groups, isJustSeen = false, holdMs = 0, howFar }: JudgedKeys<Event>,
): Promise<Failure | undefined> {
  for (const [sent, { press, release }] of groups.entries()) {
    const objection = isJustSeen && sent === 0 ? null : await keyboard.objectionBetween(); // guard N42-3
    const events = holdMs === 0 ? [...press, ...release] : press;
    const done = sent === 0 ? undefined : howFar?.(sent);
    const unsent = await sendUnless(keyboard, objection, { only, events, howFar: done });
    const cut = unsent ?? (await hold(keyboard, { only, holdMs, release }));
    if (cut !== undefined) return cut;
  }
  return undefined;
}

type Holding<Event> = { only: number; holdMs: number; release: readonly Event[] };

async function hold<Event>(keyboard: Sending<Event>, { only, holdMs, release }: Holding<Event>) {
  for (let leftMs = holdMs; leftMs > 0; ) {
    const beganMs = performance.now();
    const waited = keyboard.pause(Math.min(leftMs, LOOK_EVERY_MS));
    const [objection] = await Promise.all([keyboard.objectionBetween(), waited]);
    leftMs -= Math.max(LOOK_EVERY_MS, performance.now() - beganMs);
    // With the last look the keys are let go.
    const events = leftMs > 0 ? [] : release;
    const unsent = await sendUnless(keyboard, objection, { only, events, howFar: CUT_SHORT });
    if (unsent !== undefined) return unsent;
  }
  return undefined;
}

type Together<Event> = { only: number; events: readonly Event[]; howFar: string | undefined };

/** Sends the events, or answers why it did not. */
async function sendUnless<Event>(
  { signal, sendTo }: Sending<Event>,
  objection: InputFailed | null,
  { only, events, howFar }: Together<Event>,
): Promise<Failure | undefined> {
  if (signal.aborted) return stoppedInput(signal, howFar);
  if (objection !== null) return howFar === undefined ? refused(objection) : doneInPart(objection, howFar);
  return (await sendTo(only, events))?.(howFar);
}

type Presses<Event> = { press: KeyGroup<Event>; repeat: number; holdMs: number };
type WithEffect<Event> = (
  turn: Pick<Keyboard<Event>, 'signal' | 'objection'>,
  work: () => Promise<Failure | undefined>,
) => Promise<InputOutcome>;

/** Presses a chord again and again. One press may already move the keyboard, so each is a group of its own. */
export function pressChord<Event>(
  keyboard: Keyboard<Event>,
  { press, repeat, holdMs }: Presses<Event>,
  withEffect: WithEffect<Event>,
): Promise<InputOutcome> {
  let only = 0;
  const objection = async () => {
    const judged = await judgedHolder(keyboard);
    if (typeof judged === 'object') return judged;
    only = judged;
    return undefined;
  };
  const groups = Array.from({ length: repeat }, () => press);
  const howFar = (presses: number) => `It was pressed ${presses} times.`;
  return withEffect({ signal: keyboard.signal, objection }, () =>
    sendKeys(keyboard, { only, groups, isJustSeen: true, holdMs, howFar }),
  );
}

/** The rest of the keys is not for a window that nobody has judged. `howFar` says how much was sent; absent when nothing was. */
export function strayedKeys(howFar?: string): Failure {
  const message = `Another window took the keyboard. ${howFar ?? 'Nothing was done.'}`;
  const strayed = refused({ code: 'target_changed', message });
  return howFar === undefined ? strayed : { ...strayed, ...PART_DONE };
}

const CUT_SHORT = 'The keys were held for a shorter time.';
