import type { Context } from '../context.ts';
import { type Slice, UNQUEUED } from '../work/sliced-work.ts';
import { createSlowLane } from '../work/slow-lane.ts';
import { isStorageFailure } from '../work/storage-failure.ts';

/** How soon a step is tried again that could not begin because the disk or the queue of prompts was full. */
const NO_ROOM_RETRY_MS = 2_000;

/** How long tasks may begin steps before the event loop serves other work; the current task is finished first. */
const SLICE_MS = 10;

/**
 * When to look at a task again. A number: in so many milliseconds. `no room`: after a while. `more`: at once, for the next slice.
 * `undefined`: at its next change.
 */
export type Pause = number | 'no room' | 'more' | undefined;

export type Pace = ReturnType<typeof createPace>;

/** `work` begins what may begin in a task, one slice at a time. */
export function createPace({ clock, log }: Pick<Context, 'clock' | 'log'>, work: (taskId: string) => Pause) {
  /** The tasks to look at, in the order in which they changed. */
  const due = new Set<string>();
  let isComing = false;
  const timers = new Map<string, () => void>();
  /** Tasks whose next slice is scheduled; that slice sees every change made before it. */
  const unfinished = new Set<string>();
  const lane = createSlowLane();

  function now(taskId: string): void {
    if (unfinished.has(taskId) || isWhole(taskId)) return;
    unfinished.add(taskId);
    void lane.turn().then(async (leave) => {
      await finish(taskId, UNQUEUED.pause);
      leave();
    });
  }

  /** Runs the remaining slices, each after a pause. */
  async function finish(taskId: string, pause: () => Promise<void>): Promise<void> {
    unfinished.add(taskId);
    do await pause();
    while (!isWhole(taskId));
    unfinished.delete(taskId);
  }

  /** Runs one slice; returns whether it was the last one. */
  function isWhole(taskId: string): boolean {
    timers.get(taskId)?.();
    timers.delete(taskId);
    const pauseMs = worked(taskId);
    if (pauseMs === 'more') return false;
    if (pauseMs === undefined) return true;
    const delayMs = pauseMs === 'no room' ? NO_ROOM_RETRY_MS : pauseMs;
    const stop = clock.after(delayMs, () => now(taskId));
    timers.set(taskId, stop);
    return true;
  }

  function worked(taskId: string): Pause {
    try {
      return work(taskId);
    } catch (error) {
      log.error({ err: error, taskId }, 'a step of a task could not be begun');
      return isStorageFailure(error) ? 'no room' : undefined;
    }
  }

  /** A change of the rules may begin steps in a thousand tasks, and each step is stored. */
  function slice(): void {
    const endMs = clock.monotonicMs() + SLICE_MS;
    for (const taskId of due) {
      due.delete(taskId);
      now(taskId);
      if (clock.monotonicMs() >= endMs) break;
    }
    isComing = due.size > 0;
    if (isComing) clock.after(0, slice);
  }

  return {
    now,
    /** As `now`, after the current slice; resolves when all startable steps have begun. */
    async begin(taskId: string, slice: Slice): Promise<void> {
      if (unfinished.has(taskId)) return;
      if (slice.isOver() || !isWhole(taskId)) await finish(taskId, slice.next);
    },
    /** Runs after the current work, so that one change is complete before the next begins. */
    soon(taskId: string): void {
      due.add(taskId);
      if (isComing) return;
      isComing = true;
      queueMicrotask(slice);
    },
  };
}
