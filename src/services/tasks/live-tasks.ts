import type { TaskRow } from '../../store/tasks.ts';
import type { Context } from '../context.ts';
import { recordTask } from './recorder.ts';
import { isAtRest, settled } from './step-changes.ts';
import { createTaskSizes } from './task-sizes.ts';

export type LiveTasks = ReturnType<typeof createLiveTasks>;

type RestListener = (task: TaskRow) => void;

type Parts = {
  /** Told of every state that was stored. */
  changed(task: TaskRow): void;
  /** Records what else follows from a state, in the same transaction; what it answers is called when that is stored. */
  follow(task: TaskRow, atMs: number): (() => void) | undefined;
};

/** The tasks that have not ended, in memory as they are in the store, and the one way to change them. */
export function createLiveTasks(context: Context, { changed, follow }: Parts) {
  const tasks = new Map<string, TaskRow>();
  const waiting = new Map<string, Set<RestListener>>();
  const sizes = createTaskSizes();

  function keep(task: TaskRow): void {
    if (task.finishedAtMs === undefined) tasks.set(task.id, task);
    else tasks.delete(task.id);
    sizes.note(task);
    if (isAtRest(task)) {
      const callbacks = waiting.get(task.id) ?? [];
      waiting.delete(task.id);
      for (const callback of callbacks) callback(task);
    }
    changed(task);
  }

  return {
    get: (id: string): TaskRow | undefined => tasks.get(id),
    all: (): TaskRow[] => [...tasks.values()],
    /** How many steps the tasks that have not ended have, of a user and in all. */
    sizes: sizes.of,
    /** Takes in a task that was just stored, or found at start. */
    keep,
    /**
     * Records a new state and everything that follows from it; only inside a write transaction. What it answers takes the
     * state in, and is to be called when that is stored.
     */
    stage(from: TaskRow, to: TaskRow, atMs: number): () => void {
      const next = settled(to, atMs);
      recordTask(context, from, next, atMs);
      const followUp = follow(next, atMs);
      return () => {
        keep(next);
        followUp?.();
      };
    },
    /** Calls back once when nothing more happens in a task by itself; the answer calls it off. */
    whenAtRest(id: string, callback: RestListener): () => void {
      const callbacks = waiting.get(id) ?? new Set();
      waiting.set(id, callbacks.add(callback));
      return () => void callbacks.delete(callback);
    },
  };
}
