import type { TaskStatus } from '../../contract/task.ts';
import type { TaskRow } from '../../store/records/tasks.ts';
import type { Context } from '../context.ts';
import type { Piece } from '../work/slices.ts';
import { recordTask } from './recorder.ts';
import { isAtRest, settled } from './step-changes.ts';

export type LiveTasks = ReturnType<typeof createLiveTasks>;

type RestListener = (task: TaskRow) => void;

type Parts = {
  /** Told of every state that was stored. */
  changed(task: TaskRow): void;
  /** Records further consequences of a state, in the same transaction; the returned function is called after the commit. */
  follow(task: TaskRow, atMs: number): (() => void) | undefined;
};

/** The tasks that have not ended, in memory as they are in the store, and the one way to change them. */
export function createLiveTasks(context: Context, { changed, follow }: Parts) {
  const tasks = new Map<string, TaskRow>();
  const waiting = new Map<string, Set<RestListener>>();
  const byStatus = new Map<TaskStatus, number>();

  function count({ status }: TaskRow, by: 1 | -1): void {
    byStatus.set(status, (byStatus.get(status) ?? 0) + by);
  }

  function keep(task: TaskRow): void {
    const before = tasks.get(task.id);
    if (before !== undefined) count(before, -1);
    if (task.finishedAtMs === undefined) {
      tasks.set(task.id, task);
      count(task, 1);
    } else tasks.delete(task.id);
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
    /** How many tasks that have not ended have a status. */
    countOf: (status: TaskStatus): number => byStatus.get(status) ?? 0,
    /** Takes in a task that was just stored, or found at start. */
    keep,
    /** The pieces of work that take in the tasks that are stored and have not ended. */
    *loads(): Generator<Piece> {
      for (const id of context.store.tasks.liveIds()) {
        yield () => {
          const task = context.store.tasks.findById(id);
          if (task !== undefined) keep(task);
        };
      }
    },
    /**
     * Records a new state with all its consequences; only inside a write transaction. Call the returned function after the
     * commit: it updates the memory.
     */
    stage(from: TaskRow, to: TaskRow, atMs: number): () => void {
      const next = settled(to, atMs);
      // A prompt that the task no longer needs ends before the task does: nothing is counted for a task that has ended.
      const followUp = follow(next, atMs);
      recordTask(context, from, next, atMs);
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
