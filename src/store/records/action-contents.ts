import type { Database } from 'better-sqlite3';

/** The parameters and results of actions, which are kept for a shorter time than the actions. */
export function createActionContents(database: Database) {
  const hasData = database.prepare('SELECT data IS NOT NULL FROM actions WHERE id = ?').pluck();
  const dataBytes = database
    .prepare('SELECT coalesce(octet_length(data), 0) FROM actions WHERE user_id = ? AND id = ?')
    .pluck();
  const ids = database
    .prepare<unknown[], string>('SELECT id FROM actions WHERE id > ? AND id < ? ORDER BY id LIMIT ?')
    .pluck();
  const forget = database.prepare(
    `UPDATE actions SET parameters = NULL, targets = NULL, data = NULL, sentence = NULL, done = NULL
     WHERE id IN (SELECT value FROM json_each(?)) AND finished_at_ms < ? AND (parameters IS NOT NULL OR data IS NOT NULL)`,
  );
  const notEnded = database
    .prepare<unknown[], string>(
      `SELECT id FROM actions WHERE id IN (SELECT value FROM json_each(?)) AND (finished_at_ms IS NULL OR finished_at_ms >= ?)`,
    )
    .pluck();
  return {
    /** Whether the result of an action is still kept. */
    hasData: (id: string): boolean => hasData.get(id) === 1,
    /** The bytes of the result as JSON, found without reading it; 0 where there is none. */
    dataBytes: (userId: string, id: string): number => Number(dataBytes.get(userId, id) ?? 0),
    /** Ids between the two, oldest first. */
    idsBetween: (afterId: string, beforeId: string, limit: number): string[] => ids.all(afterId, beforeId, limit),
    /** Deletes the parameters and results of the given actions that ended before a time. Answers the ids of the others. */
    forgetContents(of: readonly string[], finishedBeforeMs: number): string[] {
      forget.run(JSON.stringify(of), finishedBeforeMs);
      return notEnded.all(JSON.stringify(of), finishedBeforeMs);
    },
  };
}
