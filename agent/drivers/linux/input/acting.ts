import { setTimeout as pause } from 'node:timers/promises';
import { type Acting, createActing, type Hands, type Sitting, type Turn } from '../../hands/acting.ts';
import { refused } from '../../hands/input-outcome.ts';
import { strayedKeys } from '../../hands/judged-keys.ts';
import type { AccessibilityBus } from '../accessibility-bus.ts';
import { DisplayLostError } from '../x-session.ts';
import type { X11 } from '../x11.ts';
import { watchEffect } from './effect.ts';
import type { FakeEvent } from './fake-events.ts';
import { openSeat, type Seat } from './seat.ts';

/** The seat for one input. */
export type LinuxHands = Hands<FakeEvent> & { seat: Seat };
export type LinuxTurn = Turn<LinuxHands>;
export type LinuxActing = Acting<LinuxHands> & { close(): Promise<void> };

export type ActingNeeds = {
  x11: X11;
  bus: AccessibilityBus;
  environment: NodeJS.ProcessEnv;
  /** False on a private virtual desktop, which no person sits at. */
  watchesPerson: boolean;
};

export function createLinuxActing({ x11, bus, environment, watchesPerson }: ActingNeeds): LinuxActing {
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

  return {
    ...createActing<LinuxHands>({
      async sit() {
        try {
          return sittingOn(await seatNow(), watchesPerson);
        } catch (error) {
          const lost = displayLost(error);
          if (lost === undefined) throw error;
          return refused(lost);
        }
      },
      watchEffect: () => watchEffect(x11, bus),
      lost: displayLost,
      wait: (ms, signal) => pauseUnless(signal, ms),
    }),
    async close() {
      isClosed = true;
      const closing = opening;
      opening = undefined;
      await (await closing?.catch(() => undefined))?.close();
    },
  };
}

function sittingOn(seat: Seat, watchesPerson: boolean): Sitting<LinuxHands> {
  const person = watchesPerson ? seat.person : null;
  let endWatch: (() => void) | undefined;
  return {
    quietMs: async () => (await person?.idleMs()) ?? Number.POSITIVE_INFINITY,
    async begin(interrupt) {
      endWatch = person?.begin(interrupt);
      const { held } = await seat.state();
      const hands = (signal: AbortSignal): LinuxHands => ({
        seat,
        holder: seat.holder,
        send: seat.send,
        sendTo: async (only, events) => ((await seat.send(events, only)) ? undefined : strayedKeys),
        pause: (ms) => pauseUnless(signal, ms),
      });
      return { held, hands };
    },
    async end() {
      await seat.releaseAll();
      endWatch?.();
    },
  };
}

function displayLost(error: unknown) {
  if (!(error instanceof DisplayLostError)) return undefined;
  const fix = 'Check that the X server named by DISPLAY runs.';
  return { code: 'display_unavailable', message: error.message, fix } as const;
}

/** Resolves after the time, or at once when the signal aborts. */
export async function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}
