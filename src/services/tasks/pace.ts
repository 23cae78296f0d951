import type { Context } from '../context.ts';
import { type Slice, UNQUEUED } from '../sliced-work.ts';
import { createSlowLane } from '../slow-lane.ts';
import { isStorageFailure } from '../storage-failure.ts';

/** How soon a step is tried again that could not begin for want of room: on disk, or among the prompts that wait. */
const NO_ROOM_RETRY_MS = 2_000;

/** How long tasks may begin steps until the event loop serves everything else; the task that is under way then is finished. */
const SLICE_MS = 10;

/** When to look at a task again: in so many milliseconds, after a while, at once for the next slice, or when something changes. */
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

  /** Does the slices that are left, each after a pause. */
  async function finish(taskId: string, pause: () => Promise<void>): Promise<void> {
    unfinished.add(taskId);
    do await pause();
    while (!isWhole(taskId));
    unfinished.delete(taskId);
  }

  /** Does one slice, and answers whether it was the last one. */
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

  /** A change of the rules makes a thousand tasks begin other steps, each of which is stored. */
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
    /** As `now`, after the slice that is under way, and resolves when all of it has begun. */
    async begin(taskId: string, slice: Slice): Promise<void> {
      if (unfinished.has(taskId)) return;
      if (slice.isOver() || !isWhole(taskId)) await finish(taskId, slice.next);
    },
    /** After whatever is under way now, so that one change is whole before the next begins. */
    soon(taskId: string): void {
      due.add(taskId);
      if (isComing) return;
      isComing = true;
      queueMicrotask(slice);
    },
  };
}
