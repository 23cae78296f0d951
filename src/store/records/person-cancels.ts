import type { Database } from 'better-sqlite3';

/** Which actions the person cancelled, each by itself. */
export function createPersonCancels(database: Database) {
  const mark = database.prepare('UPDATE actions SET cancelled_by_person = 1 WHERE id = ?');
  const find = database
    .prepare('SELECT 1 FROM actions WHERE id IN (SELECT value FROM json_each(?)) AND cancelled_by_person = 1 LIMIT 1')
    .pluck();
  return {
    /** The person cancelled this action by itself; only inside a write transaction. */
    markCancelledByPerson: (id: string): void => void mark.run(id),
    /** Whether the person cancelled one of these actions by itself. */
    hasCancelOfPerson: (ids: readonly string[]): boolean => find.get(JSON.stringify(ids)) !== undefined,
  };
}
