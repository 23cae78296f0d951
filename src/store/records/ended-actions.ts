import type { Database } from 'better-sqlite3';
import { IS_LIVE } from '../database/schema/actions.ts';
import { createSettingsTable } from './settings.ts';

/** The setting that names the last action before which none is live. */
const ENDED_UP_TO = 'actionsEndedUpTo';

/** How many actions one call looks at, so that nothing waits long for it. */
const BATCH = 5_000;

/** The number of a row of actions, and its id: VACUUM may number the rows anew, and the number of a removed row may be used again. */
type Place = { row: number; id: string };

/**
 * Up to which row all actions have ended. An action that has ended never goes on, and a new one has a higher number, so live actions are
 * behind that row. It only saves looking at the others: where it is not known, they are looked for among all.
 */
export function createEndedActions(database: Database) {
  const settings = createSettingsTable(database);
  const isThere = database.prepare('SELECT count(*) FROM actions WHERE rowid = ? AND id = ?').pluck();
  const ended = database.prepare<unknown[], Place>(
    `WITH next AS (SELECT rowid AS row, id, status FROM actions WHERE rowid > :row ORDER BY rowid LIMIT ${BATCH})
     SELECT row, id FROM next
     WHERE row < coalesce((SELECT min(row) FROM next WHERE ${IS_LIVE}), ${Number.MAX_SAFE_INTEGER}) ORDER BY row DESC LIMIT 1`,
  );

  /** All actions up to this row have ended; 0 where that is not known of any. */
  function upTo(): number {
    const place = settings.get(ENDED_UP_TO) as Place | undefined;
    return place !== undefined && isThere.get(place.row, place.id) === 1 ? place.row : 0;
  }

  return {
    upTo,
    /** Looks at some thousand actions and answers whether there may be more of them that have ended. Only inside a write transaction. */
    note(): boolean {
      const before = upTo();
      const place = ended.get({ row: before });
      if (place === undefined) return false;
      settings.set(ENDED_UP_TO, place);
      return place.row - before >= BATCH;
    },
  };
}
