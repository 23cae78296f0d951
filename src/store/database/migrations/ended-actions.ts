import { IS_LIVE, isLive } from './plain-conditions.ts';

/** The setting that names the last action before which none is live. `ended-actions.ts` of the records reads it and moves it on. */
export const ENDED_UP_TO = 'actionsEndedUpTo';

/**
 * An action was written to the index of live actions when it began, and removed from it when it ended: two of the nine pages that one
 * action writes. They are found after a row number instead. The index is named once more, since SQLite would otherwise walk all actions
 * up to the first live one. A trigger before an update makes SQLite look for the row a second time; one after it does not, and takes
 * back the update as well.
 */
export const ENDED_ACTIONS = `
  INSERT OR REPLACE INTO settings (name, value)
    SELECT '${ENDED_UP_TO}', json_object('row', rowid, 'id', id) FROM actions
    WHERE rowid < coalesce((SELECT min(rowid) FROM actions INDEXED BY actions_live WHERE ${IS_LIVE}),
      (SELECT max(rowid) + 1 FROM actions))
    ORDER BY rowid DESC LIMIT 1;
  DROP INDEX actions_live;

  DROP TRIGGER actions_end_is_final;
  CREATE TRIGGER actions_end_is_final AFTER UPDATE OF status ON actions
    WHEN new.status <> old.status AND NOT ${isLive('old.')}
    BEGIN SELECT RAISE(ABORT, 'an action that has ended cannot change its status'); END;
`;
