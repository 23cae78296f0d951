import type { Database } from 'better-sqlite3';
import type { AllowedFolder } from '../../contract/files.ts';

/** A folder that the person allowed one user id, or with `*` everybody. */
export type AllowedFolderRow = AllowedFolder & { userId: string; addedAtMs: number };

/** The folders that the person allowed. Read whole, since they are few. `changed` is called within each change. */
export function createAllowedFolderTable(database: Database, changed: () => void) {
  const all = database.prepare<unknown[], AllowedFolderRow>(
    'SELECT user_id AS userId, path, access, added_at_ms AS addedAtMs FROM allowed_folders ORDER BY user_id, path',
  );
  const put = database.prepare(
    `INSERT INTO allowed_folders (user_id, path, access, added_at_ms) VALUES (:userId, :path, :access, :addedAtMs)
     ON CONFLICT DO UPDATE SET access = excluded.access, added_at_ms = excluded.added_at_ms`,
  );
  const remove = database.prepare('DELETE FROM allowed_folders WHERE user_id = ? AND path = ?');
  return {
    list: (): AllowedFolderRow[] => all.all(),
    put(row: AllowedFolderRow): void {
      put.run(row);
      changed();
    },
    remove(userId: string, path: string): void {
      remove.run(userId, path);
      changed();
    },
  };
}
