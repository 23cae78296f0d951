import { setTimeout as pause } from 'node:timers/promises';
import type { Delivery, InputFailed, InputOutcome } from '../../input.ts';
import { BY_PERSON, brokenOff, inputDone, refused, stoppedInput } from '../../input-outcome.ts';
import { type Keyboard, strayedKeys } from '../../judged-keys.ts';
import { createTurns } from '../../keyed-queue.ts';
import type { Attempt } from '../../outcome.ts';
import { withinDeadline } from '../../stopping.ts';
import type { AccessibilityBus } from '../accessibility-bus.ts';
import { DisplayLostError } from '../x-session.ts';
import type { X11 } from '../x11.ts';
import { watchEffect } from './effect.ts';
import type { FakeEvent } from './fake-events.ts';
import { openSeat, type Seat } from './seat.ts';

/** The seat for one input. `signal` also aborts when the person uses the mouse or the keyboard. */
export type Turn = Keyboard<FakeEvent> & {
  seat: Seat;
  /** Why there must be no effect, if so: it was stopped, or its target is another one by now. Called immediately before the effect. */
  objection(): Promise<(InputFailed & Delivery) | undefined>;
};

export type Acting = {
  /** One at a time. However the work ends, nothing stays down. */
  act<Data>(attempt: Attempt, work: (turn: Turn) => Promise<InputOutcome<Data>>): Promise<InputOutcome<Data>>;
  /** Runs the work and watches what changes by it. It answers why it did nothing, or how it was stopped. */
  withEffect(
    turn: Pick<Turn, 'signal' | 'objection'>,
    details: string,
    work: () => Promise<(InputFailed & Delivery) | undefined>,
  ): Promise<InputOutcome>;
  close(): Promise<void>;
};

export type ActingNeeds = {
  x11: X11;
  bus: AccessibilityBus;
  environment: NodeJS.ProcessEnv;
  /** False on a private virtual desktop, which no person sits at. */
  watchesPerson: boolean;
};

/** The next input waits until the person has not touched anything for so long. */
const QUIET_MS = 2_000;
const LOOK_EVERY_MS = 100;

export function createActing({ x11, bus, environment, watchesPerson }: ActingNeeds): Acting {
  const turns = createTurns();
  let opening: Promise<Seat> | undefined;
  let isClosed = false;

  async function seatNow(): Promise<Seat> {
    const display = environment.DISPLAY ?? '';
    const open = () => {
      if (isClosed) throw new DisplayLostError('The driver has been closed.');
      return openSeat(display);
    };
    opening = opening === undefined ? open() : opening.then((known) => (known.isLost() ? open() : known), open);
    return opening;
  }

  async function take<Data>(
    seat: Seat,
    { signal: ofAttempt, lastLook, lookBetween }: Pick<Attempt, 'signal' | 'lastLook' | 'lookBetween'>,
    work: (turn: Turn) => Promise<InputOutcome<Data>>,
  ): Promise<InputOutcome<Data>> {
    const byPerson = new AbortController();
    const signal = AbortSignal.any([ofAttempt, byPerson.signal]);
    if (watchesPerson) await untilQuiet(seat, ofAttempt);
    if (signal.aborted) return stoppedInput(signal);
    const endWatch = watchesPerson ? seat.person?.begin(() => byPerson.abort(BY_PERSON)) : undefined;
    try {
      if ((await seat.state()).held) return refused(SOMETHING_IS_HELD);
      const objections = {
        objection: () => objectionTo(signal, lastLook),
        objectionBetween: async () => (await lookBetween?.()) ?? null,
      };
      return await work({ seat, ...objections, ...keyboardOf(seat, signal) });
    } finally {
      await seat.releaseAll();
      endWatch?.();
    }
  }

  return {
    async act(attempt, work) {
      const signal = withinDeadline(attempt);
      const outcome = await turns({
        key: 'input',
        signal,
        work: async () => {
          const seat = await orLost(seatNow());
          if (!('send' in seat)) return refused(seat);
          const ended = await orLost(take(seat, { ...attempt, signal }, work));
          return 'ok' in ended ? ended : brokenOff(ended);
        },
      });
      return outcome ?? stoppedInput(signal);
    },
    async withEffect({ signal, objection }, details, work) {
      const effect = await watchEffect(x11, bus);
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
    async close() {
      isClosed = true;
      const closing = opening;
      opening = undefined;
      await (await closing?.catch(() => undefined))?.close();
    },
  };
}

function keyboardOf(seat: Seat, signal: AbortSignal): Omit<Keyboard<FakeEvent>, 'objection' | 'objectionBetween'> {
  return {
    signal,
    holder: () => seat.holder(),
    sendTo: async (only, events) => ((await seat.send(events, only)) ? undefined : strayedKeys),
    pause: (ms) => pauseUnless(signal, ms),
  };
}

/** Why there must be no effect, if so. */
export async function objectionTo(signal: AbortSignal, lastLook: Attempt['lastLook']) {
  const failed = signal.aborted ? null : ((await lastLook?.()) ?? null);
  if (signal.aborted) return stoppedInput(signal);
  return failed === null ? undefined : refused(failed);
}

const SOMETHING_IS_HELD = {
  code: 'busy',
  message: 'A key or a button is held down, which would change what the input does.',
  fix: 'Let go of it and submit it again.',
} as const;

async function untilQuiet(seat: Seat, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const idleMs = await seat.person?.idleMs();
    if (idleMs === null || idleMs === undefined || idleMs >= QUIET_MS) return;
    await pause(Math.min(LOOK_EVERY_MS, QUIET_MS - idleMs));
  }
}

async function orLost<Value>(work: Promise<Value>): Promise<Value | Omit<InputFailed, 'ok' | 'sideEffect'>> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DisplayLostError)) throw error;
    return {
      code: 'display_unavailable',
      message: error.message,
      fix: 'Check that the X server named by DISPLAY runs.',
    };
  }
}

/** Resolves after the time, or at once when the signal aborts. */
export async function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}
