import type { Database } from 'better-sqlite3';

/** Which requester submitted an action. */
export function createActionOwners(database: Database) {
  const find = database.prepare<unknown[], { id: string; userId: string }>(
    'SELECT id, user_id AS userId FROM actions WHERE id IN (SELECT value FROM json_each(?))',
  );
  return {
    /** The user ids of these actions, by id. An action that is no longer on record is missing. */
    ownersOf: (ids: readonly string[]): ReadonlyMap<string, string> =>
      new Map(find.all(JSON.stringify(ids)).map(({ id, userId }) => [id, userId])),
  };
}
