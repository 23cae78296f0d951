import type { Context } from '../context.ts';
import { isStorageFailure } from '../storage-failure.ts';

/** How soon a step is tried again that could not begin for want of room: on disk, or among the prompts that wait. */
const NO_ROOM_RETRY_MS = 2_000;

/** `work` begins what may begin in a task, and answers in how many milliseconds there will be more, if that is known. */
export function createPace({ clock, log }: Context, work: (taskId: string) => number | 'no room' | undefined) {
  const due = new Set<string>();
  const timers = new Map<string, () => void>();

  function now(taskId: string): void {
    timers.get(taskId)?.();
    timers.delete(taskId);
    const pauseMs = worked(taskId);
    if (pauseMs === undefined) return;
    const delayMs = pauseMs === 'no room' ? NO_ROOM_RETRY_MS : pauseMs;
    const stop = clock.after(delayMs, () => now(taskId));
    timers.set(taskId, stop);
  }

  function worked(taskId: string): number | 'no room' | undefined {
    try {
      return work(taskId);
    } catch (error) {
      log.error({ err: error, taskId }, 'a step of a task could not be begun');
      return isStorageFailure(error) ? 'no room' : undefined;
    }
  }

  return {
    now,
    /** After whatever is under way now, so that one change is whole before the next begins. */
    soon(taskId: string): void {
      if (due.has(taskId)) return;
      due.add(taskId);
      queueMicrotask(() => {
        due.delete(taskId);
        now(taskId);
      });
    },
  };
}
