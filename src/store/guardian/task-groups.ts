import type { Database } from 'better-sqlite3';
import type { TaskStatus } from '../../contract/task.ts';
import { idNotAfter } from '../database/ids-by-time.ts';
import type { Span } from './rollups.ts';

/**
 * How many tasks have requester and end in common. `endedByDenial`: it failed because the person denied some of it, and nothing that
 * ran has failed. `intervened`: the person stopped it, or cancelled a step of it.
 */
export type TaskGroup = {
  user: string;
  status: TaskStatus;
  endedByDenial: boolean;
  intervened: boolean;
  count: number;
};

type Row = Omit<TaskGroup, 'endedByDenial' | 'intervened'> & { endedByDenial: number; intervened: number };

const MOST_GROUPS = 5_000;

const hasStep = (status: string) =>
  `EXISTS (SELECT 1 FROM task_steps s WHERE s.task_id = t.id AND s.status = '${status}')`;

/** Counts of tasks that have begun, from their rows: there are far fewer of them than of actions. */
export function createTaskGroups(database: Database) {
  const grouped = database.prepare(
    `SELECT t.user_id AS user, t.status AS status,
       t.status = 'failed' AND ${hasStep('denied')} AND NOT ${hasStep('failed')} AS endedByDenial,
       t.finished_at_ms IS NOT NULL AND (coalesce(t.cancelled_by = 'person', 0) OR EXISTS (
         SELECT 1 FROM task_steps s JOIN actions a ON a.id = s.action_id
         WHERE s.task_id = t.id AND s.status = 'cancelled' AND a.cancelled_by_person = 1
       )) AS intervened,
       count(*) AS count
     FROM tasks t
     WHERE t.id >= :fromId AND t.created_at_ms >= :fromMs AND t.created_at_ms < :toMs AND t.started_at_ms IS NOT NULL
     GROUP BY 1, 2, 3, 4 ORDER BY count DESC, 1, 2, 3, 4 LIMIT ${MOST_GROUPS}`,
  );
  return {
    /** Groups of the tasks that were submitted between two moments, the largest first; at most 5,000. */
    in({ fromMs, toMs }: Span): TaskGroup[] {
      const rows = grouped.all({ fromId: idNotAfter('tsk', fromMs), fromMs, toMs }) as Row[];
      return rows.map((row) => ({ ...row, endedByDenial: row.endedByDenial === 1, intervened: row.intervened === 1 }));
    },
  };
}
