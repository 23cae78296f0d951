import type { Display } from '../../../../src/contract/device.ts';
import {
  type Acting,
  createActing,
  type EffectWatch,
  type Failure,
  type Hands,
  type Sitting,
  type Turn,
} from '../../hands/acting.ts';
import { PART_DONE, refused, stoppedInput } from '../../hands/input-outcome.ts';
import { strayedKeys } from '../../hands/judged-keys.ts';
import type { InputDriver } from '../../input.ts';
import { withinDeadline } from '../../stopping.ts';
import { displayUnavailable, readDesktop, toDisplay } from '../desktop-state.ts';
import { permissionMissing } from '../permissions.ts';
import { ALLOW_OSASCRIPT, type Clock, type RunProgram } from '../run-script.ts';
import type { Converse } from '../script-reader.ts';
import { askElements } from './ask-elements.ts';
import { createSeat, type InputEvent, type Looked, SECURE, type Seat, SeatLostError } from './seat.ts';

export type MacInputNeeds = {
  run: RunProgram;
  converse: Converse;
  clock: Clock;
};

/** The seat for one input. */
export type MacHands = Omit<Hands<InputEvent>, 'send'> & {
  displays: readonly Display[];
  /** An app keeps the keyboard for itself. */
  isSecure: boolean;
  send(events: readonly InputEvent[]): Promise<Looked>;
};
export type MacTurn = Turn<MacHands>;
export type MacActing = Acting<MacHands> &
  Pick<InputDriver, 'settle' | 'close'> & {
    /** As `inTurn`, where the screen can be seen and is not locked. */
    onScreen: Acting<MacHands>['inTurn'];
    /** The same where the elements of other apps can be seen, too. */
    look: Acting<MacHands>['inTurn'];
  };

const WATCH_EVERY_MS = 15;
/** An app is given so long to react. */
const REACTION_MS = 400;
const REACTION_EVERY_MS = 50;
/** So long nothing may change. */
const QUIET_MS_OF_SCREEN = 100;

export function createMacActing({ run, converse, clock }: MacInputNeeds): MacActing {
  const seat = createSeat(converse);
  const acting = createActing<MacHands>({
    async sit(signal) {
      const state = await ready(run, signal, { needsAccessibility: true });
      return 'ok' in state ? state : sittingOn(seat, { ...state, clock });
    },
    watchEffect: (signal) => watchEffect({ run, clock }, signal),
    lost: (error) =>
      error instanceof SeatLostError
        ? { code: 'internal_error', message: error.message, fix: ALLOW_OSASCRIPT }
        : undefined,
    wait: clock.wait,
  });
  const within =
    (needs: Needs): Acting<MacHands>['inTurn'] =>
    (attempt, work) =>
      acting.inTurn(attempt, async (signal) => {
        const state = await ready(run, signal, needs);
        return 'ok' in state ? state : work(signal);
      });
  return {
    ...acting,
    onScreen: within({ needsAccessibility: false }),
    look: within({ needsAccessibility: true }),
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

function sittingOn(seat: Seat, { displays, clock }: { displays: readonly Display[]; clock: Clock }): Sitting<MacHands> {
  let begun = { held: false, secure: false };
  return {
    async quietMs() {
      const { quietMs, ...rest } = await seat.begin();
      begun = rest;
      return quietMs;
    },
    async begin(interrupt) {
      const noted = <Answer extends Looked>(looked: Answer): Answer => {
        if (looked.person) interrupt();
        return looked;
      };
      const hands = (signal: AbortSignal): MacHands => ({
        displays,
        isSecure: begun.secure,
        holder: () => seat.holder(),
        send: async (events) => noted(await seat.post(events)),
        async sendTo(only, events) {
          const looked = noted(await seat.post(events, only));
          if (looked.posted) return undefined;
          return looked.secure ? tookKeyboard : strayedKeys;
        },
        async pause(ms) {
          for (let left = ms; left > 0 && !signal.aborted; left -= WATCH_EVERY_MS) {
            await clock.wait(Math.min(left, WATCH_EVERY_MS), signal);
            if (!signal.aborted) noted(await seat.look());
          }
        },
      });
      return { held: begun.held, hands };
    },
    end: () => seat.release().catch(() => undefined),
  };
}

type Needs = { needsAccessibility: boolean };

async function ready(
  run: RunProgram,
  signal: AbortSignal,
  { needsAccessibility }: Needs,
): Promise<{ displays: readonly Display[] } | Failure> {
  if (signal.aborted) return stoppedInput(signal);
  const state = await readDesktop(run, { parts: ['displays', 'session', 'permissions'], signal });
  if (signal.aborted) return stoppedInput(signal);
  if (!state.ok) return refused({ code: 'internal_error', message: state.message, fix: ALLOW_OSASCRIPT });
  const blind = displayUnavailable(state.data, { whenLocked: 'refuse' });
  if (blind !== null) return refused(blind);
  if (needsAccessibility && state.data.grants.accessibility !== true)
    return refused(permissionMissing('accessibility'));
  return { displays: state.data.displays.map(toDisplay) };
}

async function look(run: RunProgram, signal: AbortSignal): Promise<string | undefined> {
  const answer = await askElements(run, { verb: 'look', signal });
  return answer.ok ? answer.look : undefined;
}

/** Looks before and after. */
async function watchEffect(
  { run, clock }: Pick<MacInputNeeds, 'run' | 'clock'>,
  signal: AbortSignal,
): Promise<EffectWatch> {
  const before = await look(run, signal);
  return {
    begin: () => undefined,
    end: () => undefined,
    async isChanged(within) {
      if (before === undefined) return false;
      const endMs = clock.now() + REACTION_MS;
      do {
        const now = await look(run, within);
        if (now !== undefined && now !== before) return true;
        await clock.wait(REACTION_EVERY_MS, within);
      } while (clock.now() < endMs && !within.aborted);
      return false;
    },
  };
}

/** An app keeps the keyboard for itself since a part of the keys was sent. */
function tookKeyboard(howFar?: string): Failure {
  return howFar === undefined
    ? refused(SECURE)
    : { ...refused(SECURE), message: `${SECURE.message} ${howFar}`, ...PART_DONE };
}
