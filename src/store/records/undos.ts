import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
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
  WHERE actions.id = undos.action_id AND devices.machine = :machine)`; // guard A31-4

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

/** A copy in the folder. `keptAtMs` is the time at which it was complete, in epoch ms. */
export type FormerVersion = { actionId: string; sizeBytes: number; keptAtMs: number };

/** Former versions of files that actions overwrote: one private file for each action, which the agent writes. */
export function createFormerVersions(folder: string) {
  const pathOf = (actionId: string) => join(folder, actionId);
  const listeners: (() => void)[] = [];

  /** Every copy, the oldest first; those of an action that failed too. */
  async function list(): Promise<FormerVersion[]> {
    const versions: FormerVersion[] = [];
    for (const actionId of await readdir(folder)) {
      const facts = await stat(pathOf(actionId)).catch(() => undefined);
      if (facts !== undefined) versions.push({ actionId, sizeBytes: facts.size, keptAtMs: facts.ctimeMs });
    }
    return versions.toSorted(byAge);
  }

  const remove = (actionId: string): Promise<void> => rm(pathOf(actionId), { force: true });

  return {
    pathOf,
    list,
    remove,
    /** Calls back each time an action ended that may have left a copy. */
    onGrowth: (listener: () => void): void => void listeners.push(listener),
    /** An action ended that may have left a copy. */
    mayHaveGrown(): void {
      for (const listener of listeners) listener();
    },
    /** Removes the versions that were kept before a time, and answers how many. Epoch ms. */
    async removeBefore(atMs: number): Promise<number> {
      const old = (await list()).filter(({ keptAtMs }) => keptAtMs < atMs);
      for (const { actionId } of old) await remove(actionId);
      return old.length;
    },
  };
}

/** The ids of actions grow, so they tell the age of two copies that the disk gave the same time. */
function byAge(one: FormerVersion, other: FormerVersion): number {
  return one.keptAtMs - other.keptAtMs || (one.actionId < other.actionId ? -1 : 1);
}
