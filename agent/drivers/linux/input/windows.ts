import type { Delivery, InputDriver, InputFailed, InputOutcome } from '../../input.ts';
import { inputDone, refused, stoppedInput } from '../../input-outcome.ts';
import type { Attempt } from '../../outcome.ts';
import { withinDeadline } from '../../stopping.ts';
import { namedWindows, placeOf } from '../screen-windows.ts';
import { withoutDisplay } from '../without-display.ts';
import type { XWindow } from '../x-window.ts';
import type { X11, XAnswer } from '../x11.ts';
import { objectionTo } from './acting.ts';
import type { SightNeeds } from './sight.ts';

type Windows = Pick<
  InputDriver,
  'listWindows' | 'windowPlaces' | 'focusWindow' | 'moveWindow' | 'minimizeWindow' | 'closeWindow'
>;

/** A window manager and an app are given so long. */
const WITHIN_MS = 3_000;
/** A window manager moves and sizes a window in the steps that its app asks for. */
const NEAR = 24;

export function createWindowActions({ x11, entries }: Pick<SightNeeds, 'x11' | 'entries'>): Windows {
  const change = (windowId: string, attempt: Attempt, wish: Change) => changeWindow(x11, { windowId, attempt, wish });
  return {
    async listWindows() {
      const desktop = await x11.desktop();
      if (!desktop.ok) return refused(withoutDisplay(desktop.reason));
      const windows = await namedWindows(desktop.value.windows, await entries.list());
      const details = `There are ${windows.length} windows.`;
      return { ok: true, details, effect: 'none', data: { windows }, delivered: 'yes', safeToRepeat: true };
    },
    async windowPlaces() {
      const desktop = await x11.desktop();
      return desktop.ok ? desktop.value.windows.map(placeOf) : [];
    },
    focusWindow: ({ windowId }, attempt) =>
      change(windowId, attempt, {
        ask: (window) => x11.activate(window),
        isDone: (window) => window?.focused === true,
        done: 'The window has the focus.',
        safeToRepeat: true,
      }),
    moveWindow: ({ windowId, bounds }, attempt) =>
      change(windowId, attempt, {
        ask: (window) => x11.move(window, bounds),
        isDone: (window) =>
          window !== undefined &&
          (['x', 'y', 'width', 'height'] as const).every(
            (side) => Math.abs(window.bounds[side] - bounds[side]) <= NEAR,
          ),
        done: 'The window was moved.',
        safeToRepeat: true,
      }),
    minimizeWindow: ({ windowId }, attempt) =>
      change(windowId, attempt, {
        ask: (window) => x11.minimize(window),
        isDone: (window) => window?.minimized === true,
        done: 'The window was minimized.',
        safeToRepeat: true,
      }),
    closeWindow: ({ windowId }, attempt) =>
      change(windowId, attempt, {
        ask: (window) => x11.requestClose(window),
        isDone: (window) => window === undefined,
        done: 'The window was closed.',
        safeToRepeat: false,
      }),
  };
}

type Change = {
  ask(window: XWindow): Promise<XAnswer<void>>;
  isDone(window: XWindow | undefined): boolean;
  done: string;
  safeToRepeat: boolean;
};

async function changeWindow(
  x11: X11,
  { windowId, attempt, wish }: { windowId: string; attempt: Attempt; wish: Change },
): Promise<InputOutcome> {
  const signal = withinDeadline(attempt);
  if (signal.aborted) return stoppedInput(signal);
  const first = await find(x11, windowId);
  if ('code' in first) return first;
  if (first.window === undefined) return refused(GONE);
  const objection = await objectionTo(signal, attempt.lastLook);
  if (objection !== undefined) return objection;
  const asked = await wish.ask(first.window);
  if (!asked.ok) return refused(withoutDisplay(asked.reason));
  const endMs = performance.now() + WITHIN_MS;
  for (;;) {
    const now = await find(x11, windowId);
    if ('code' in now) return { ...now, sideEffect: 'unknown', delivered: 'unknown', safeToRepeat: wish.safeToRepeat };
    const isConfirmed = wish.isDone(now.window);
    if (isConfirmed) return inputDone(wish.done, { isConfirmed, data: {}, safeToRepeat: wish.safeToRepeat });
    if (signal.aborted) return stoppedInput(signal, 'The window manager was asked, and had not done it yet.');
    if (performance.now() > endMs) return inputDone(ASKED, { isConfirmed, data: {}, safeToRepeat: wish.safeToRepeat });
    await x11.nextChange(now.revision, signal);
  }
}

async function find(
  x11: X11,
  windowId: string,
): Promise<{ window: XWindow | undefined; revision: number } | (InputFailed & Delivery)> {
  const desktop = await x11.desktop();
  if (!desktop.ok) return refused(withoutDisplay(desktop.reason));
  const { windows, revision } = desktop.value;
  return { window: windows.find(({ id }) => id === windowId), revision };
}

const ASKED = 'The window was asked to, and its state has not changed so far.';
const GONE = {
  code: 'target_gone',
  message: 'Expected the id of a window; there is none with it.',
  fix: 'List the windows again.',
} as const;
