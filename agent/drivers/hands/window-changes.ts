import type { Bounds } from '../../../src/contract/device.ts';
import type { InputDriver, InputOutcome } from '../input.ts';
import type { Attempt } from '../outcome.ts';
import { type Acting, type Failure, objectionTo } from './acting.ts';
import { inputDone, stoppedInput } from './input-outcome.ts';

export type WindowWish = { wish: 'focus' | 'minimize' | 'close' } | { wish: 'move'; bounds: Bounds };

export type WindowState = { minimized: boolean; focused: boolean; bounds: Bounds | null };

/** How one desktop changes a window and sees whether it did; one for each change. */
export type WindowDesk = {
  now(): number;
  /** Asks the window manager or the app. Answers why it was not asked, or that it is not known. */
  ask(windowId: string, wish: WindowWish, signal: AbortSignal): Promise<Failure | undefined>;
  /** The window; `null` where it is gone, `undefined` where that is not known. */
  look(windowId: string, signal: AbortSignal): Promise<WindowState | null | undefined | Failure>;
  /** Until the window may be another one than at the last look. */
  untilLater(signal: AbortSignal): Promise<void>;
};

type Change = {
  isDone(window: WindowState | null): boolean;
  done: string;
  safeToRepeat: boolean;
};

/** A window manager and an app are given so long. */
const WITHIN_MS = 3_000;
/** A window manager moves and sizes a window in the steps that its app asks for. */
const NEAR = 24;

/** Like pointer and keyboard they wait for the person's hand: a window that comes or goes takes the keyboard from what the person types into. */
export function createWindowChanges<Own>(
  newDesk: () => WindowDesk,
  { act }: Pick<Acting<Own>, 'act'>,
): Pick<InputDriver, 'focusWindow' | 'moveWindow' | 'minimizeWindow' | 'closeWindow'> {
  const change = (windowId: string, wish: WindowWish, attempt: Attempt) =>
    // guard N53-4
    act(attempt, async ({ signal }) => {
      const desk = newDesk();
      const failed = (await objectionTo(signal, attempt.lastLook)) ?? (await desk.ask(windowId, wish, signal));
      return failed ?? untilDone(desk, { windowId, wish, signal });
    });
  return {
    focusWindow: ({ windowId }, attempt) => change(windowId, { wish: 'focus' }, attempt),
    moveWindow: ({ windowId, bounds }, attempt) => change(windowId, { wish: 'move', bounds }, attempt),
    minimizeWindow: ({ windowId }, attempt) => change(windowId, { wish: 'minimize' }, attempt),
    closeWindow: ({ windowId }, attempt) => change(windowId, { wish: 'close' }, attempt),
  };
}

/** To ask twice for all but the close does no harm. */
export function isSafeToRepeat({ wish }: WindowWish): boolean {
  return wish !== 'close';
}

async function untilDone(
  desk: WindowDesk,
  { windowId, wish, signal }: { windowId: string; wish: WindowWish; signal: AbortSignal },
): Promise<InputOutcome> {
  const { isDone, done, safeToRepeat } = changeOf(wish);
  const endMs = desk.now() + WITHIN_MS;
  for (;;) {
    const window = await desk.look(windowId, signal);
    if (window && 'code' in window) return { ...window, sideEffect: 'unknown', delivered: 'unknown', safeToRepeat };
    const isConfirmed = window !== undefined && isDone(window);
    if (isConfirmed) return inputDone(done, { isConfirmed, data: {}, safeToRepeat });
    if (signal.aborted) return stoppedInput(signal, 'It was asked for, and had not happened yet.');
    if (desk.now() > endMs) return inputDone(ASKED, { isConfirmed, data: {}, safeToRepeat });
    await desk.untilLater(signal);
  }
}

function changeOf(wish: WindowWish): Change {
  const safeToRepeat = isSafeToRepeat(wish);
  switch (wish.wish) {
    case 'focus':
      return { isDone: (window) => window?.focused === true, done: 'The window has the focus.', safeToRepeat };
    case 'move':
      return { isDone: (window) => isNear(window, wish.bounds), done: 'The window was moved.', safeToRepeat };
    case 'minimize':
      return { isDone: (window) => window?.minimized === true, done: 'The window was minimized.', safeToRepeat };
    case 'close':
      return { isDone: (window) => window === null, done: 'The window was closed.', safeToRepeat };
  }
}

function isNear(window: WindowState | null, wanted: Bounds): boolean {
  const bounds = window?.bounds ?? null;
  const sides = ['x', 'y', 'width', 'height'] as const;
  return bounds !== null && sides.every((side) => Math.abs(bounds[side] - wanted[side]) <= NEAR);
}

const ASKED = 'The window was asked to, and its state has not changed so far.';
