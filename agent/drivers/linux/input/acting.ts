import { setTimeout as pause } from 'node:timers/promises';
import {
  type Acting,
  createActing,
  type EffectWatch,
  type Hands,
  type Sitting,
  type Turn,
} from '../../hands/acting.ts';
import { refused } from '../../hands/input-outcome.ts';
import { strayedKeys } from '../../hands/judged-keys.ts';
import type { AccessibilityBus, AccessibleEvent } from '../accessibility-bus.ts';
import { DisplayLostError } from '../x-session.ts';
import type { XDesktop } from '../x-window.ts';
import type { X11 } from '../x11.ts';
import { type FakeEvent, openSeat, type Seat } from './seat.ts';

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

/** Measured on a busy machine: of 100 clicks in mousepad, a GTK form, a calculator and Chromium the slowest reaction took 15 to 108 ms. */
const REACTION_MS = 300;
const APPS_WITHIN_MS = 300;

/** The desktop now. From here on, `heard` is told what the app in front says of itself, until `end`. */
async function watchFront(x11: X11, bus: AccessibilityBus, heard: (event: AccessibleEvent) => void) {
  const [before, apps] = await Promise.all([x11.desktop(), bus.apps(APPS_WITHIN_MS)]);
  const front = before.ok ? before.value.windows.find(({ focused }) => focused) : undefined;
  const own = (apps ?? []).filter(({ pid }) => pid !== null && pid === front?.pid);
  const ends = await Promise.all(own.map((app) => bus.hear(app, heard)));
  const end = () => {
    for (const each of ends) each();
  };
  return { before, end };
}

/** The same, told only what a person sees change. */
export function watchChanges(x11: X11, bus: AccessibilityBus, changed: () => void) {
  return watchFront(x11, bus, ({ kind, detail }) => {
    if (isChange(kind, detail)) changed();
  });
}

async function watchEffect(x11: X11, bus: AccessibilityBus): Promise<EffectWatch> {
  const changes = createChanges();
  const { before, end } = await watchFront(x11, bus, changes.note);
  return {
    begin: changes.begin,
    end,
    async isChanged(signal) {
      const endMs = performance.now() + REACTION_MS;
      let desktop = before;
      // Nothing is looked at before something has changed: it would take time from the app that is to react.
      for (let leftMs = REACTION_MS; leftMs > 0 && desktop.ok && !changes.seen(); leftMs = endMs - performance.now()) {
        const until = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(leftMs)), changes.first]);
        await x11.nextChange(desktop.value.revision, until);
        if (signal.aborted || changes.seen()) break;
        desktop = await x11.desktop();
        if (desktop.ok && before.ok && windowsOf(desktop.value) !== windowsOf(before.value)) return true;
      }
      return changes.isLeft();
    },
  };
}

export function windowsOf({ windows }: XDesktop): string {
  return JSON.stringify(
    windows.map(({ id, title, bounds, focused, minimized }) => [id, title, bounds, focused, minimized]),
  );
}

/** A button that is pressed and let go is as before. */
function createChanges() {
  const first = new AbortController();
  const pressed = new Set<string>();
  let hasBegun = false;
  return {
    first: first.signal,
    begin() {
      hasBegun = true;
    },
    note({ path, kind, detail }: AccessibleEvent) {
      if (!hasBegun) return;
      if (isChange(kind, detail)) first.abort();
      if (kind === STATE && detail === 'pressed' && !pressed.delete(path)) pressed.add(path);
    },
    seen: () => first.signal.aborted,
    isLeft: () => first.signal.aborted || pressed.size > 0,
  };
}

const STATE = 'Object:StateChanged';
const STATES = new Set([
  ...['active', 'checked', 'editable', 'enabled', 'expanded', 'focused', 'indeterminate', 'modal', 'selected'],
  ...['sensitive', 'showing', 'visible'],
]);
const PROPERTIES = new Set(['accessible-name', 'accessible-value']);
const OTHERS = new Set([
  ...['Object:ActiveDescendantChanged', 'Object:ChildrenChanged', 'Object:SelectionChanged'],
  ...['Object:TextCaretMoved', 'Object:TextChanged', 'Object:TextSelectionChanged'],
]);

function isChange(kind: string, detail: string): boolean {
  if (kind === STATE) return STATES.has(detail);
  if (kind === 'Object:PropertyChange') return PROPERTIES.has(detail);
  return OTHERS.has(kind);
}

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
