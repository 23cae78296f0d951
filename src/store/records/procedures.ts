import type { Database } from 'better-sqlite3';
import type { ProcedureSubmission } from '../../contract/procedure.ts';
import { storedJson } from '../database/stored-values.ts';

/** A procedure of a requester. */
export type ProcedureRow = {
  userId: string;
  version: number;
  digest: string;
  changedAtMs: number;
  procedure: ProcedureSubmission;
};

type Stored = Omit<ProcedureRow, 'procedure'> & { definition: string };

const COLUMNS = 'user_id AS userId, version, digest, changed_at_ms AS changedAtMs, definition';

/** The procedures that were kept, by requester and name. */
export function createProcedureTable(database: Database) {
  const owners = database
    .prepare<unknown[], string>('SELECT DISTINCT user_id FROM procedures ORDER BY user_id')
    .pluck();
  const count = database.prepare('SELECT count(*) FROM procedures').pluck();
  const ofUser = database.prepare<unknown[], Stored>(
    `SELECT ${COLUMNS} FROM procedures WHERE user_id = ? ORDER BY name`,
  );
  const one = database.prepare<unknown[], Stored>(`SELECT ${COLUMNS} FROM procedures WHERE user_id = ? AND name = ?`);
  const put = database.prepare(
    `INSERT INTO procedures (user_id, name, version, digest, changed_at_ms, definition)
     VALUES (:userId, :name, 1, :digest, :changedAtMs, :definition)
     ON CONFLICT DO UPDATE SET version = version + 1, digest = excluded.digest, changed_at_ms = excluded.changed_at_ms,
       definition = excluded.definition`,
  );
  const remove = database.prepare('DELETE FROM procedures WHERE user_id = ? AND name = ?');
  return {
    /** The requesters that have some. */
    owners: (): string[] => owners.all(),
    count: (): number => Number(count.get()),
    of: (userId: string): ProcedureRow[] => ofUser.all(userId).map(toRow),
    find(userId: string, name: string): ProcedureRow | undefined {
      const stored = one.get(userId, name);
      return stored && toRow(stored);
    },
    /** Stores it, or its next version. */
    put({ procedure, ...row }: Omit<ProcedureRow, 'version'>): void {
      put.run({ ...row, name: procedure.name, definition: JSON.stringify(procedure) });
    },
    remove: (userId: string, name: string): boolean => remove.run(userId, name).changes === 1,
  };
}

function toRow({ definition, ...row }: Stored): ProcedureRow {
  return { ...row, procedure: storedJson<ProcedureSubmission>(definition) };
}
