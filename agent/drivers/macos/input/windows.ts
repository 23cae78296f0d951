import { endianness } from 'node:os';
import type { Bounds } from '../../../../src/contract/device.ts';
import type { InputDriver, InputOutcome } from '../../input.ts';
import { inputDone, refused, stoppedInput } from '../../input-outcome.ts';
import type { Attempt } from '../../outcome.ts';
import type { Clock } from '../clock.ts';
import { readDesktop, toScreenWindows } from '../desktop-state.ts';
import type { RunProgram } from '../run-script.ts';
import { type Acting, objectionTo } from './acting.ts';
import { askElements, type ElementsRequest, failureOf } from './ask-elements.ts';

type Windows = Pick<
  InputDriver,
  'listWindows' | 'windowPlaces' | 'focusWindow' | 'moveWindow' | 'minimizeWindow' | 'closeWindow'
>;

/** An app is given so long. */
const WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 100;
/** Some apps move and size a window in steps. */
const NEAR = 24;

export function createWindowActions(acting: Acting, { run, clock }: { run: RunProgram; clock: Clock }): Windows {
  const change = (windowId: string, attempt: Attempt, wish: Change) =>
    acting.look(attempt, async (signal) => {
      const objection = await objectionTo(signal, attempt.lastLook);
      return objection ?? changeWindow({ run, clock, signal }, windowId, wish);
    });
  const listWindows: Windows['listWindows'] = (attempt) =>
    acting.look(attempt, async (signal) => {
      const state = await readDesktop(run, { parts: ['windows', 'apps'], signal });
      if (signal.aborted) return stoppedInput(signal);
      if (!state.ok) return refused({ code: 'internal_error', message: state.message });
      const windows = toScreenWindows(state.data.windows, state.data.apps);
      const details = `There are ${windows.length} windows.`;
      return { ok: true, details, effect: 'none', data: { windows }, delivered: 'yes', safeToRepeat: true };
    });
  return {
    listWindows,
    async windowPlaces(attempt) {
      const listed = await listWindows(attempt);
      return listed.ok ? listed.data.windows : [];
    },
    focusWindow: ({ windowId }, attempt) =>
      change(windowId, attempt, {
        ask: { wish: 'focus' },
        isDone: (window) => window?.focused === true,
        done: 'The window has the focus.',
        safeToRepeat: true,
      }),
    moveWindow: ({ windowId, bounds }, attempt) =>
      change(windowId, attempt, {
        ask: {
          wish: 'move',
          position: bytesOf(bounds.x, bounds.y),
          size: bytesOf(bounds.width, bounds.height),
        },
        isDone: (window) => isNear(window?.bounds ?? null, bounds),
        done: 'The window was moved.',
        safeToRepeat: true,
      }),
    minimizeWindow: ({ windowId }, attempt) =>
      change(windowId, attempt, {
        ask: { wish: 'minimize' },
        isDone: (window) => window?.minimized === true,
        done: 'The window was minimized.',
        safeToRepeat: true,
      }),
    closeWindow: ({ windowId }, attempt) =>
      change(windowId, attempt, {
        ask: { wish: 'close' },
        isDone: (window) => window === null,
        done: 'The window was closed.',
        safeToRepeat: false,
      }),
  };
}

type MacWindowState = { minimized: boolean; focused: boolean; bounds: Bounds | null };
type Change = {
  ask: Omit<Extract<ElementsRequest, { verb: 'change' }>, 'verb' | 'windowId'>;
  /** `null` where the window is gone. */
  isDone(window: MacWindowState | null): boolean;
  done: string;
  safeToRepeat: boolean;
};

async function changeWindow(
  { run, clock, signal }: { run: RunProgram; clock: Clock; signal: AbortSignal },
  windowId: string,
  { ask, isDone, done, safeToRepeat }: Change,
): Promise<InputOutcome> {
  const asked = await askElements(run, { verb: 'change', windowId, ...ask, signal });
  if (!asked.ok) return { ...failureOf(asked, { signal, isChange: true }), ...(safeToRepeat && { safeToRepeat }) };
  const endMs = clock.now() + WITHIN_MS;
  for (;;) {
    const now = await askElements(run, { verb: 'window', windowId, signal });
    const isKnown = now.ok || now.fault === 'gone';
    const isConfirmed = isKnown && isDone(now.ok ? now : null);
    if (isConfirmed) return inputDone(done, { isConfirmed, data: {}, safeToRepeat });
    if (signal.aborted) return stoppedInput(signal, 'The app was asked, and had not done it yet.');
    if (clock.now() > endMs) return inputDone(ASKED, { isConfirmed, data: {}, safeToRepeat });
    await clock.wait(LOOK_EVERY_MS, signal);
  }
}

/** Two numbers as CGPoint and CGSize hold them, for a script that can only hand over bytes. */
function bytesOf(one: number, other: number): string {
  const bytes = Buffer.alloc(16);
  const write = endianness() === 'LE' ? bytes.writeDoubleLE : bytes.writeDoubleBE;
  write.call(bytes, one, 0);
  write.call(bytes, other, 8);
  return bytes.toString('base64');
}

function isNear(bounds: Bounds | null, wanted: Bounds): boolean {
  const sides = ['x', 'y', 'width', 'height'] as const;
  return bounds !== null && sides.every((side) => Math.abs(bounds[side] - wanted[side]) <= NEAR);
}

const ASKED = 'The app was asked to, and the window has not changed so far.';
