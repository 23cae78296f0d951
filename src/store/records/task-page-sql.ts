/** The newest tasks that match filters. `whose` ends with AND, or is empty for the tasks of everybody. */
export function pageOfTasksSql(whose: string): string {
  return `SELECT ${TASK_COLUMNS} FROM tasks WHERE ${whose} id < :beforeId AND id >= :sinceId
    AND (:statuses IS NULL OR status IN (SELECT value FROM json_each(:statuses)))
    AND (:ends IS NULL OR ${END} IN (SELECT value FROM json_each(:ends))) AND created_at_ms >= :sinceMs
    ORDER BY id DESC LIMIT :limit`;
}

export const TASK_COLUMNS = `id, user_id, name, reason, profile, on_failure, status, created_at_ms, started_at_ms, finished_at_ms, cancel_requested_at_ms,
  cancelled_by, asking_since_ms, asked_ms, procedure`;

/** Which of a failed task's steps say how it stands for the person, the first before the others. */
const TELLING = ['failed', 'denied', 'expired', 'blocked'] as const;

/** How a task stands for the person, in a word of `TASK_ENDS`. */
const END = `CASE WHEN status <> 'failed' THEN status ELSE coalesce((
    SELECT CASE min(${rankSql()}) ${TELLING.map((end, rank) => `WHEN ${rank} THEN '${end}'`).join(' ')} END
    FROM task_steps WHERE task_id = tasks.id), 'failed') END`;

function rankSql(): string {
  const ranks = TELLING.map((end, rank) => `WHEN '${end}' THEN ${rank}`).join(' ');
  return `CASE task_steps.status WHEN 'unknown' THEN 0 ${ranks} END`;
}
