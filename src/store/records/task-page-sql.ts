/** The newest tasks that match filters. `whose` ends with AND, or is empty for the tasks of everybody. */
export function pageOfTasksSql(whose: string): string {
  return `SELECT * FROM tasks WHERE ${whose} id < :beforeId AND id >= :sinceId
    AND (:statuses IS NULL OR status IN (SELECT value FROM json_each(:statuses)))
    AND (:ends IS NULL OR ${endSql()} IN (SELECT value FROM json_each(:ends))) AND created_at_ms >= :sinceMs
    ORDER BY id DESC LIMIT :limit`;
}

/** How a task stands for the person, in a word of `TASK_ENDS`. */
function endSql(): string {
  return `CASE WHEN status <> 'failed' OR ${hasStep("'failed', 'unknown'")} THEN status
    WHEN ${hasStep("'denied'")} THEN 'denied' WHEN ${hasStep("'expired'")} THEN 'expired'
    WHEN ${hasStep("'blocked'")} THEN 'blocked' ELSE status END`;
}

function hasStep(statuses: string): string {
  return `EXISTS (SELECT 1 FROM task_steps WHERE task_id = tasks.id AND task_steps.status IN (${statuses}))`;
}
