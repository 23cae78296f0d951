import type { Database } from 'better-sqlite3';
import { IS_LIVE } from './schema/actions.ts';
import { idNotAfter, onlyRow } from './stored-values.ts';

/** How many actions, or tasks, one transaction removes at most, so that nothing waits long for it. */
const BATCH = 100;

export type RawLimits = { keptFromMs: number; mostActions: number; neverAfterMs: number };

/**
 * Removes the oldest actions and tasks with all rows that belong to them. SQLite does not check references meanwhile: most
 * columns that refer to an action have no index, so that writing one stays cheap. So this code clears every row that refers
 * to a removed action or task.
 */
export function createRawRetention(database: Database) {
  const extent = createExtent(database);
  const actions = createActionRemoval(database);
  const tasks = createTaskRemoval(database);

  /** Actions since this time are kept. At the limit of actions it is the time of the oldest action, if that is later. */
  function keptFromMs(limits: RawLimits): number {
    return extent.count() >= limits.mostActions ? Math.max(limits.keptFromMs, extent.oldestMs()) : limits.keptFromMs;
  }

  /** Ids before it are beyond what is kept. */
  function firstKeptId(limits: RawLimits): string {
    const byAge = idNotAfter('act', limits.keptFromMs);
    const surplus = extent.count() - limits.mostActions;
    if (surplus <= 0) return byAge;
    const [, later = byAge] = [byAge, extent.idAfter(surplus)].sort();
    return [later, idNotAfter('act', limits.neverAfterMs)].sort()[0] ?? byAge;
  }

  /** The actions of tasks that ended before this time are already removed. */
  function tasksKeptFromMs(limits: RawLimits): number {
    return Math.min(keptFromMs(limits), extent.oldestMs());
  }

  return {
    keptFromMs,
    isSurplus: (limits: RawLimits): boolean =>
      actions.before(firstKeptId(limits), 1).length + tasks.before(tasksKeptFromMs(limits), 1).length > 0,
    /**
     * Removes some of the actions that are beyond the limits and have ended, or, where there are none, some of the tasks; answers how
     * many. Only inside a transaction.
     */
    prune(limits: RawLimits): number {
      return actions.remove(firstKeptId(limits)) || tasks.remove(tasksKeptFromMs(limits));
    },
  };
}

/** How many actions there are: rows are numbered without gaps, as they are added at one end and removed at the other. */
function createExtent(database: Database) {
  const bounds = database.prepare<unknown[], { first: number | null; last: number | null }>(
    'SELECT (SELECT min(rowid) FROM actions) AS first, (SELECT max(rowid) FROM actions) AS last',
  );
  const idAt = database.prepare('SELECT id FROM actions WHERE rowid >= ? ORDER BY rowid LIMIT 1').pluck();
  const oldest = database.prepare('SELECT created_at_ms FROM actions ORDER BY id LIMIT 1').pluck();
  const numbers = () => onlyRow(bounds.get());
  return {
    count(): number {
      const { first, last } = numbers();
      return first === null || last === null ? 0 : last - first + 1;
    },
    /** The id of the first after so many. */
    idAfter: (many: number): string => String(idAt.get((numbers().first ?? 0) + many)),
    oldestMs: (): number => Number(oldest.get() ?? Number.POSITIVE_INFINITY),
  };
}

type EndedAction = {
  id: string;
  taskId: string | null;
  stepId: string | null;
  planId: string | null;
  createdAtMs: number;
};

function createActionRemoval(database: Database) {
  const ended = database.prepare<unknown[], EndedAction>(
    `SELECT id, task_id AS taskId, step_id AS stepId, plan_id AS planId, created_at_ms AS createdAtMs FROM actions
     WHERE id < ? AND NOT ${IS_LIVE} ORDER BY id LIMIT ?`,
  );
  const before = (beforeId: string, limit: number) => ended.all(beforeId, limit);
  const forgetKeys = database.prepare('DELETE FROM idempotency_keys WHERE created_at_ms <= ?');
  const forgetStep = database.prepare(
    'UPDATE task_steps SET action_id = NULL WHERE task_id = ? AND id = ? AND action_id = ?',
  );
  const forgetPlanStep = database.prepare(
    'UPDATE confirmation_steps SET action_id = NULL WHERE confirmation_id = ? AND action_id = ?',
  );
  const removals = [
    'DELETE FROM confirmations WHERE action_id = ?',
    'DELETE FROM artifacts WHERE action_id = ?',
    'DELETE FROM actions WHERE id = ?',
  ].map((sql) => database.prepare(sql));
  return {
    before,
    remove(beforeId: string): number {
      const rows = before(beforeId, BATCH);
      for (const { id, taskId, stepId, planId, createdAtMs } of rows) {
        forgetKeys.run(createdAtMs);
        if (taskId !== null) forgetStep.run(taskId, stepId, id);
        if (planId !== null) forgetPlanStep.run(planId, id);
        for (const removal of removals) removal.run(id);
      }
      return rows.length;
    },
  };
}

function createTaskRemoval(database: Database) {
  const ended = database.prepare<unknown[], { id: string; createdAtMs: number }>(
    `SELECT id, created_at_ms AS createdAtMs FROM tasks WHERE id < ? AND finished_at_ms < ? ORDER BY id LIMIT ?`,
  );
  const before = (endedBeforeMs: number, limit: number) =>
    ended.all(idNotAfter('tsk', endedBeforeMs), endedBeforeMs, limit);
  const forgetKeys = database.prepare('DELETE FROM task_idempotency_keys WHERE created_at_ms <= ?');
  const removals = [
    'DELETE FROM confirmation_steps WHERE confirmation_id = (SELECT id FROM confirmations WHERE task_id = ?)',
    'DELETE FROM confirmations WHERE task_id = ?',
    'DELETE FROM task_steps WHERE task_id = ?',
    'DELETE FROM grants WHERE task_id = ?',
    'DELETE FROM tasks WHERE id = ?',
  ].map((sql) => database.prepare(sql));
  return {
    before,
    remove(endedBeforeMs: number): number {
      const rows = before(endedBeforeMs, BATCH);
      for (const { id, createdAtMs } of rows) {
        forgetKeys.run(createdAtMs);
        for (const removal of removals) removal.run(id);
      }
      return rows.length;
    },
  };
}
