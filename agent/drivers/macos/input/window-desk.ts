import { endianness } from 'node:os';
import { refused, stoppedInput, told } from '../../hands/input-outcome.ts';
import { createWindowChanges, isSafeToRepeat, type WindowDesk, type WindowWish } from '../../hands/window-changes.ts';
import type { InputDriver } from '../../input.ts';
import type { Clock } from '../clock.ts';
import { readDesktop, toScreenWindows } from '../desktop-state.ts';
import type { RunProgram } from '../run-script.ts';
import type { MacActing } from './acting.ts';
import { askElements, failureOf } from './ask-elements.ts';

type Windows = Pick<
  InputDriver,
  'listWindows' | 'windowPlaces' | 'focusWindow' | 'moveWindow' | 'minimizeWindow' | 'closeWindow'
>;

const LOOK_EVERY_MS = 100;

export function createWindowActions(acting: MacActing, { run, clock }: { run: RunProgram; clock: Clock }): Windows {
  const listWindows: Windows['listWindows'] = (attempt) =>
    acting.look(attempt, async (signal) => {
      const state = await readDesktop(run, { parts: ['windows', 'apps'], signal });
      if (signal.aborted) return stoppedInput(signal);
      if (!state.ok) return refused({ code: 'internal_error', message: state.message });
      const windows = toScreenWindows(state.data.windows, state.data.apps);
      return told(`There are ${windows.length} windows.`, { windows });
    });
  return {
    listWindows,
    async windowPlaces(attempt) {
      const listed = await listWindows(attempt);
      return listed.ok ? listed.data.windows : [];
    },
    ...createWindowChanges(() => windowDesk({ run, clock }), acting),
  };
}

function windowDesk({ run, clock }: { run: RunProgram; clock: Clock }): WindowDesk {
  return {
    now: clock.now,
    async ask(windowId, wish, signal) {
      const asked = await askElements(run, { verb: 'change', windowId, ...requestOf(wish), signal });
      if (asked.ok) return undefined;
      const failed = failureOf(asked, { signal, isChange: true });
      return isSafeToRepeat(wish) ? { ...failed, safeToRepeat: true } : failed;
    },
    async look(windowId, signal) {
      const now = await askElements(run, { verb: 'window', windowId, signal });
      if (now.ok) return now;
      return now.fault === 'gone' ? null : undefined;
    },
    untilLater: (signal) => clock.wait(LOOK_EVERY_MS, signal),
  };
}

function requestOf(wish: WindowWish) {
  if (wish.wish !== 'move') return wish;
  const { x, y, width, height } = wish.bounds;
  return { wish: wish.wish, position: bytesOf(x, y), size: bytesOf(width, height) };
}

/** Two numbers as CGPoint and CGSize hold them, for a script that can only hand over bytes. */
function bytesOf(one: number, other: number): string {
  const bytes = Buffer.alloc(16);
  const write = endianness() === 'LE' ? bytes.writeDoubleLE : bytes.writeDoubleBE;
  write.call(bytes, one, 0);
  write.call(bytes, other, 8);
  return bytes.toString('base64');
}
