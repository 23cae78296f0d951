import type { Delivery, InputFailed, InputOutcome } from '../input.ts';
import { createTurns } from '../keyed-queue.ts';
import type { Attempt } from '../outcome.ts';
import { withinDeadline } from '../stopping.ts';
import { BY_PERSON, brokenOff, inputDone, refused, stoppedInput } from './input-outcome.ts';
import type { Keyboard } from './judged-keys.ts';

export type Failure = InputFailed & Delivery;
export type Refusal = Omit<InputFailed, 'ok' | 'sideEffect'>;

/** Pointer and keyboard of one desktop, for one input. */
export type Hands<Event> = Omit<Keyboard<Event>, 'signal' | 'objection' | 'objectionBetween'> & {
  /** The events of one call are sent together; between two calls the input can be ended. */
  send(events: readonly Event[]): Promise<unknown>;
};

/** One input. `signal` also aborts when the person uses the mouse or the keyboard. */
export type Turn<Own> = Own & Pick<Keyboard<unknown>, 'signal' | 'objection' | 'objectionBetween'>;

/** What an input needs of its desktop. The functions reject with an error that `lost` knows where the desktop is gone. */
export type Sitting<Own> = {
  /** Milliseconds since the person's last input; infinite where nobody is watched. */
  quietMs(): Promise<number>;
  /** From here on the person's own hand calls `interrupt`. `held`: a key or a button is down already. */
  begin(interrupt: () => void): Promise<{ held: boolean; hands(signal: AbortSignal): Own }>;
  /** Lets go of everything. */
  end(): Promise<void>;
};

/** Looks for a change of what the person sees. */
export type EffectWatch = {
  /** From here on, a change is an effect. */
  begin(): void;
  /** Whether something changes in time, as soon as it does. */
  isChanged(signal: AbortSignal): Promise<boolean>;
  end(): void;
};

export type Desk<Own> = {
  /** Answers why there can be no input now, if so. */
  sit(signal: AbortSignal): Promise<Sitting<Own> | Failure>;
  watchEffect(signal: AbortSignal): Promise<EffectWatch>;
  /** Why an input broke off, where the error says that the desktop is gone. */
  lost(error: unknown): Refusal | undefined;
  /** Ends early, without an error, when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

export type Acting<Own> = {
  /** One at a time. However the work ends, nothing stays down. */
  act<Data>(attempt: Attempt, work: (turn: Turn<Own>) => Promise<InputOutcome<Data>>): Promise<InputOutcome<Data>>;
  /** The same without pointer and keyboard. */
  inTurn<Data>(
    attempt: Attempt,
    work: (signal: AbortSignal) => Promise<InputOutcome<Data>>,
  ): Promise<InputOutcome<Data>>;
  /** Runs the work and watches what changes by it. It answers why it did nothing, or how it was stopped. */
  withEffect(
    turn: Pick<Keyboard<unknown>, 'signal' | 'objection'>,
    details: string,
    work: () => Promise<Failure | undefined>,
  ): Promise<InputOutcome>;
};

/** The next input waits until the person has not touched anything for so long. */
const QUIET_MS = 2_000;
const QUIET_EVERY_MS = 100;

export function createActing<Own>(desk: Desk<Own>): Acting<Own> {
  const turns = createTurns();

  async function take<Data>(
    sitting: Sitting<Own>,
    { signal: ofAttempt, lastLook, lookBetween }: Pick<Attempt, 'signal' | 'lastLook' | 'lookBetween'>,
    work: (turn: Turn<Own>) => Promise<InputOutcome<Data>>,
  ): Promise<InputOutcome<Data>> {
    const byPerson = new AbortController();
    const signal = AbortSignal.any([ofAttempt, byPerson.signal]);
    let quietMs = await sitting.quietMs();
    while (quietMs < QUIET_MS && !signal.aborted) {
      await desk.wait(Math.min(QUIET_EVERY_MS, QUIET_MS - quietMs), signal);
      quietMs = await sitting.quietMs();
    }
    if (signal.aborted) return stoppedInput(signal);
    const { held, hands } = await sitting.begin(() => byPerson.abort(BY_PERSON));
    if (held) return refused(SOMETHING_IS_HELD);
    return work({
      ...hands(signal),
      signal,
      objection: () => objectionTo(signal, lastLook),
      objectionBetween: async () => (await lookBetween?.()) ?? null,
    });
  }

  async function seated<Data>(
    attempt: Pick<Attempt, 'signal' | 'lastLook' | 'lookBetween'>,
    work: (turn: Turn<Own>) => Promise<InputOutcome<Data>>,
  ): Promise<InputOutcome<Data>> {
    const sitting = await desk.sit(attempt.signal);
    if ('ok' in sitting) return sitting;
    try {
      return await take(sitting, attempt, work).finally(sitting.end);
    } catch (error) {
      const lost = desk.lost(error);
      if (lost === undefined) throw error;
      return brokenOff(lost);
    }
  }

  const inTurn: Acting<Own>['inTurn'] = async (attempt, work) => {
    const signal = withinDeadline(attempt);
    return (await turns({ key: 'input', signal, work: () => work(signal) })) ?? stoppedInput(signal);
  };

  return {
    inTurn,
    act: (attempt, work) => inTurn(attempt, (signal) => seated({ ...attempt, signal }, work)),
    async withEffect({ signal, objection }, details, work) {
      const effect = await desk.watchEffect(signal);
      try {
        const stopped = await objection();
        if (stopped !== undefined) return stopped;
        effect.begin();
        const failed = await work();
        if (failed !== undefined) return failed;
        const isConfirmed = await effect.isChanged(signal);
        const said = isConfirmed ? details : `${details} Nothing that Handrail can see has changed.`;
        return inputDone(said, { isConfirmed, data: {} });
      } finally {
        effect.end();
      }
    },
  };
}

/** Why there must be no effect, if so: it was stopped, or its target is another one by now. Called immediately before the effect. */
export async function objectionTo(signal: AbortSignal, lastLook: Attempt['lastLook']): Promise<Failure | undefined> {
  const failed = signal.aborted ? null : ((await lastLook?.()) ?? null);
  if (signal.aborted) return stoppedInput(signal);
  return failed === null ? undefined : refused(failed);
}

const SOMETHING_IS_HELD: Refusal = {
  code: 'busy',
  message: 'A key or a button is held down, which would change what the input does.',
  fix: 'Let go of it and submit it again.',
};
