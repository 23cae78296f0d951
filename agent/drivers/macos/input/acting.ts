import type { Display } from '../../../../src/contract/device.ts';
import { displayAt, type Point } from '../../../../src/contract/frames.ts';

import type { Delivery, InputFailed, InputOutcome } from '../../input.ts';
import { BY_PERSON, brokenOff, inputDone, PART_DONE, refused, stoppedInput } from '../../input-outcome.ts';
import { type Keyboard, strayedKeys } from '../../judged-keys.ts';
import { createTurns } from '../../keyed-queue.ts';
import type { Attempt } from '../../outcome.ts';
import { withinDeadline } from '../../stopping.ts';
import type { Clock } from '../clock.ts';
import { readDesktop, toDisplay } from '../desktop-state.ts';
import { displayUnavailable } from '../display-available.ts';
import { permissionMissing } from '../permissions.ts';
import type { RunProgram } from '../run-script.ts';
import type { Converse } from '../script-reader.ts';
import { askElements } from './ask-elements.ts';
import type { InputEvent } from './events.ts';
import { createSeat, type Looked, SeatLostError } from './seat.ts';
import { SECURE } from './secure-input.ts';

export type MacInputNeeds = {
  run: RunProgram;
  converse: Converse;
  clock: Clock;
};

/** The seat for one input. `signal` also aborts when the person uses the mouse or the keyboard. */
export type Turn = Keyboard<InputEvent> & {
  displays: readonly Display[];
  /** Why there must be no effect, if so: it was stopped, or its target is another one by now. Called immediately before the effect. */
  objection(): Promise<Failure | undefined>;
  /** An app keeps the keyboard for itself. */
  isSecure: boolean;
  /** The events of one call are posted together; between two calls the input can be ended. */
  post(events: readonly InputEvent[]): Promise<Looked>;
  /** Ends early when the person uses the mouse or the keyboard. */
  pause(ms: number): Promise<void>;
};

type Failure = InputFailed & Delivery;

export type Acting = {
  /** One at a time. However the work ends, nothing stays down. */
  act<Data>(attempt: Attempt, work: (turn: Turn) => Promise<InputOutcome<Data>>): Promise<InputOutcome<Data>>;
  /** The same without pointer and keyboard. */
  look<Data>(attempt: Attempt, work: (signal: AbortSignal) => Promise<InputOutcome<Data>>): Promise<InputOutcome<Data>>;
  /** Runs the work between two looks. It answers why it did nothing, or how it was stopped. */
  withEffect(
    turn: Pick<Turn, 'signal' | 'objection'>,
    details: string,
    work: () => Promise<Failure | undefined>,
  ): Promise<InputOutcome>;
  /** Two looks that are apart for a moment show the same. */
  settle(wish: { withinMs: number }, attempt: Attempt): Promise<boolean>;
  close(): Promise<void>;
};

/** The next input waits until the person has not touched anything for so long. */
const QUIET_MS = 2_000;
const QUIET_EVERY_MS = 100;
const WATCH_EVERY_MS = 15;
/** An app is given so long to react. */
const REACTION_MS = 400;
const REACTION_EVERY_MS = 50;
/** So long nothing may change. */
const QUIET_MS_OF_SCREEN = 100;

export function createActing({ run, converse, clock }: MacInputNeeds): Acting {
  const turns = createTurns();
  const seat = createSeat(converse);

  async function take<Data>(
    ready: { displays: readonly Display[]; attempt: AbortSignal } & Pick<Attempt, 'lastLook' | 'lookBetween'>,
    work: (turn: Turn) => Promise<InputOutcome<Data>>,
  ): Promise<InputOutcome<Data>> {
    const byPerson = new AbortController();
    const signal = AbortSignal.any([ready.attempt, byPerson.signal]);
    let begun = await seat.begin();
    while (begun.quietMs < QUIET_MS && !signal.aborted) {
      await clock.wait(Math.min(QUIET_EVERY_MS, QUIET_MS - begun.quietMs), signal);
      begun = await seat.begin();
    }
    if (signal.aborted) return stoppedInput(signal);
    if (begun.held) return refused(SOMETHING_IS_HELD);
    const noted = <Answer extends Looked>(looked: Answer): Answer => {
      if (looked.person) byPerson.abort(BY_PERSON);
      return looked;
    };
    const pause = async (ms: number) => {
      for (let left = ms; left > 0 && !signal.aborted; left -= WATCH_EVERY_MS) {
        await clock.wait(Math.min(left, WATCH_EVERY_MS), signal);
        if (!signal.aborted) noted(await seat.look());
      }
    };
    const post = async (events: readonly InputEvent[]) => noted(await seat.post(events));
    const objection = () => objectionTo(signal, ready.lastLook);
    const objectionBetween = async () => (await ready.lookBetween?.()) ?? null;
    const sendTo = async (only: number, events: readonly InputEvent[]) => {
      const looked = noted(await seat.post(events, only));
      if (looked.posted) return undefined;
      return looked.secure ? tookKeyboard : strayedKeys;
    };
    const keyboard = { signal, objection, objectionBetween, holder: () => seat.holder(), sendTo, pause };
    return work({ ...keyboard, displays: ready.displays, isSecure: begun.secure, post });
  }

  async function inTurn<Data>(
    attempt: Attempt,
    work: (signal: AbortSignal, displays: readonly Display[]) => Promise<InputOutcome<Data>>,
  ): Promise<InputOutcome<Data>> {
    const signal = withinDeadline(attempt);
    const outcome = await turns({
      key: 'input',
      signal,
      work: async () => {
        const state = await ready(run, signal);
        return 'ok' in state ? state : work(signal, state.displays);
      },
    });
    return outcome ?? stoppedInput(signal);
  }

  return {
    act: (attempt, work) =>
      inTurn(attempt, async (signal, displays) => {
        const { lastLook, lookBetween } = attempt;
        const ended = await orLost(take({ displays, attempt: signal, lastLook, lookBetween }, work));
        await seat.release().catch(() => undefined);
        return ended;
      }),
    look: (attempt, work) => inTurn(attempt, work),
    async withEffect({ signal, objection }, details, work) {
      const before = await look(run, signal);
      const failed = (await objection()) ?? (await work());
      if (failed !== undefined) return failed;
      const isConfirmed = before !== undefined && (await isChanged({ run, clock }, before, signal));
      const said = isConfirmed ? details : `${details} Nothing that Handrail can see has changed.`;
      return inputDone(said, { isConfirmed, data: {} });
    },
    async settle({ withinMs }, attempt) {
      const signal = withinDeadline(attempt);
      const endMs = clock.now() + withinMs;
      let before = await look(run, signal);
      while (clock.now() < endMs && !signal.aborted) {
        await clock.wait(QUIET_MS_OF_SCREEN, signal);
        const now = await look(run, signal);
        if (now !== undefined && now === before) return true;
        before = now;
      }
      return false;
    },
    close: () => seat.close(),
  };
}

async function ready(run: RunProgram, signal: AbortSignal): Promise<{ displays: readonly Display[] } | Failure> {
  if (signal.aborted) return stoppedInput(signal);
  const state = await readDesktop(run, { parts: ['displays', 'session', 'permissions'], signal });
  if (signal.aborted) return stoppedInput(signal);
  if (!state.ok) return refused({ code: 'internal_error', message: state.message, fix: ALLOW_OSASCRIPT });
  const blind = displayUnavailable(state.data, { whenLocked: 'refuse' });
  if (blind !== null) return refused(blind);
  if (state.data.grants.accessibility !== true) return refused(permissionMissing('accessibility'));
  return { displays: state.data.displays.map(toDisplay) };
}

async function look(run: RunProgram, signal: AbortSignal): Promise<string | undefined> {
  const answer = await askElements(run, { verb: 'look', signal });
  return answer.ok ? answer.look : undefined;
}

/** Whether something differs from the look before, as soon as it does. */
async function isChanged(
  { run, clock }: Pick<MacInputNeeds, 'run' | 'clock'>,
  before: string,
  signal: AbortSignal,
): Promise<boolean> {
  const endMs = clock.now() + REACTION_MS;
  do {
    const now = await look(run, signal);
    if (now !== undefined && now !== before) return true;
    await clock.wait(REACTION_EVERY_MS, signal);
  } while (clock.now() < endMs && !signal.aborted);
  return false;
}

/** An app keeps the keyboard for itself since a part of the keys was sent. */
function tookKeyboard(howFar?: string): Failure {
  return howFar === undefined
    ? refused(SECURE)
    : { ...refused(SECURE), message: `${SECURE.message} ${howFar}`, ...PART_DONE };
}

/** Why there must be no effect, if so. */
export async function objectionTo(signal: AbortSignal, lastLook: Attempt['lastLook']): Promise<Failure | undefined> {
  const failed = signal.aborted ? null : ((await lastLook?.()) ?? null);
  if (signal.aborted) return stoppedInput(signal);
  return failed === null ? undefined : refused(failed);
}

/** Why a point cannot be used, if one of them lies on no display. */
export function offScreen({ displays }: Turn, points: readonly Point[]): Failure | undefined {
  const out = points.find((point) => displayAt(displays, point) === undefined);
  if (out === undefined) return undefined;
  const message = `Expected a point on a display, got ${out.x}, ${out.y}.`;
  return refused({ code: 'coordinates_off_screen', message, fix: 'Take a new look.' });
}

async function orLost<Data>(work: Promise<InputOutcome<Data>>): Promise<InputOutcome<Data>> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SeatLostError)) throw error;
    return brokenOff({ code: 'internal_error', message: error.message, fix: ALLOW_OSASCRIPT });
  }
}

export const ALLOW_OSASCRIPT =
  'Let Handrail run /usr/bin/osascript; on a managed Mac an administrator may have blocked it.';
const SOMETHING_IS_HELD = {
  code: 'busy',
  message: 'A key or a button is held down, which would change what the input does.',
  fix: 'Let go of it and submit it again.',
} as const;
