import type { Context } from '../context.ts';
import { isStorageFailure } from '../work/storage-failure.ts';
import { createDeadline, nextTurn } from '../work/turns.ts';

/** How soon a step is tried again that could not begin because the disk or the queue of prompts was full. */
const NO_ROOM_RETRY_MS = 2_000;

/**
 * When to look at a task again. A number: in so many milliseconds. `no room`: after a while. `more`: at once, for the next slice.
 * `undefined`: at its next change.
 */
export type Pause = number | 'no room' | 'more' | undefined;

export type Pace = ReturnType<typeof createPace>;

/** `work` begins what may begin in a task, one slice at a time. A change of the rules may begin steps in many tasks. */
export function createPace({ clock, log }: Pick<Context, 'clock' | 'log'>, work: (taskId: string) => Pause) {
  /** The tasks to look at, in the order in which they changed. */
  const due = new Set<string>();
  let isComing = false;
  const timers = new Map<string, () => void>();
  /** Called when all startable steps of a task have begun. */
  const listeners = new Map<string, () => void>();

  /** Does one slice of the work of a task. Answers whether it was the last one. */
  function look(taskId: string): boolean {
    due.delete(taskId);
    timers.get(taskId)?.();
    timers.delete(taskId);
    const pause = worked(taskId);
    if (pause === 'more') {
      due.add(taskId);
      return false;
    }
    listeners.get(taskId)?.();
    listeners.delete(taskId);
    if (pause === undefined) return true;
    const delayMs = pause === 'no room' ? NO_ROOM_RETRY_MS : pause;
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

  function next(): void {
    const isOver = createDeadline(clock);
    for (const taskId of due) if (!look(taskId) || isOver()) break;
    isComing = false;
    if (due.size > 0) goOn();
  }

  function goOn(): void {
    if (isComing) return;
    isComing = true;
    void nextTurn('/tasks').then(next);
  }

  function now(taskId: string): void {
    if (!look(taskId)) goOn();
  }

  return {
    now,
    /** Runs after the current work, so that one change is complete before the next begins. */
    soon(taskId: string): void {
      due.add(taskId);
      if (isComing) return;
      isComing = true;
      queueMicrotask(next);
    },
    /** As `now`; resolves when all startable steps have begun. */
    begin(taskId: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      listeners.set(taskId, resolve);
      now(taskId);
      return promise;
    },
  };
}
