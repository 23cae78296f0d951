import type { Database } from 'better-sqlite3';
import type { FileIdentity, UndoFacts } from '../../contract/files.ts';
import { foundRow } from '../database/stored-values.ts';

/**
 * How one action can be undone, until when, and whether it was. `formerRemovedAtMs`: from then on it cannot be undone, because the
 * copy of the former version had to make room for newer ones.
 */
export type UndoRow = {
  actionId: string;
  facts: UndoFacts;
  untilMs: number;
  undoneAtMs?: number | undefined;
  formerRemovedAtMs?: number | undefined;
};

const COLUMNS = 'action_id, facts, until_ms, undone_at_ms, former_removed_at_ms';

const ON_MACHINE = `EXISTS (SELECT 1 FROM actions JOIN devices ON devices.id = actions.device_id
  WHERE actions.id = undos.action_id AND devices.machine = :machine)`;

/** The facts that undo an action on files. The rows name paths, so they are deleted on the same terms as the contents of actions. */
export function createUndoTable(database: Database) {
  const insert = database.prepare('INSERT INTO undos (action_id, facts, until_ms) VALUES (?, ?, ?)');
  const find = database.prepare<unknown[], object>(`SELECT ${COLUMNS} FROM undos WHERE action_id = ?`);
  const markUndone = database.prepare('UPDATE undos SET undone_at_ms = ? WHERE action_id = ?');
  const markFormerRemoved = database.prepare(
    'UPDATE undos SET former_removed_at_ms = ? WHERE action_id = ? AND undone_at_ms IS NULL',
  );
  const rebind = database.prepare(
    `UPDATE undos SET facts = json_set(facts, '$.left.identity', json(:now))
     WHERE undone_at_ms IS NULL AND facts ->> '$.path' = :path AND facts ->> '$.kind' = 'overwritten'
       AND facts ->> '$.left.identity.device' = :device AND facts ->> '$.left.identity.inode' = :inode
       AND ${ON_MACHINE}`,
  );
  const forgetOn = database.prepare(`DELETE FROM undos WHERE ${ON_MACHINE}`);
  const removeBefore = database.prepare('DELETE FROM undos WHERE until_ms < ?');
  return {
    insert({ actionId, facts, untilMs }: Pick<UndoRow, 'actionId' | 'facts' | 'untilMs'>): void {
      insert.run(actionId, JSON.stringify(facts), untilMs);
    },
    find: (actionId: string): UndoRow | undefined => foundRow(find.get(actionId), ['facts']),
    markUndone: (actionId: string, atMs: number): void => void markUndone.run(atMs, actionId),
    /** Nothing changes for an action that left no undo, or whose file was put back already. */
    markFormerRemoved: (actionId: string, atMs: number): void => void markFormerRemoved.run(atMs, actionId),
    /** A former version that was put back is a new file: an earlier action that had written that version left this file from now on. */
    rebind(at: { machine: string; path: string }, { device, inode }: FileIdentity, now: FileIdentity): void {
      rebind.run({ ...at, device, inode, now: JSON.stringify(now) });
    },
    /** Nothing that was done on a machine can be undone there any more: its name is another's now. */
    forgetOn: (machine: string): void => void forgetOn.run({ machine }),
    /** Forgets those whose time was over before a moment, in epoch ms; answers how many. */
    removeBefore: (atMs: number): number => removeBefore.run(atMs).changes,
  };
}
