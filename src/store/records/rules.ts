import type { Database } from 'better-sqlite3';
import type { AllowedFolder } from '../../contract/files.ts';
import type { Profile } from '../../contract/profile.ts';
import type { StandingScope } from '../../domain/grant.ts';
import { foundRow, rowsOf, storedJson } from '../database/stored-values.ts';

/** A grant covers exactly these values. `arguments` is canonical JSON (RFC 8785). */
export type GrantKey = { userId: string; actionType: string; deviceId: string; arguments: string };

export type GrantRow = GrantKey & {
  id: string;
  /** Good for the steps of this task only. */
  taskId?: string | undefined;
  literal: string;
  scope: StandingScope;
  useCount: number;
  createdAtMs: number;
  lastUsedAtMs?: number | undefined;
  /** How long it may lie unused. */
  unusedMs: number;
  expiresAtMs: number;
  /** Of the approval of a procedure: how many runs it still allows. */
  runsLeft?: number | undefined;
};

const COLUMNS = `id, user_id, action_type, device_id, arguments, task_id, literal, scope, use_count, created_at_ms, last_used_at_ms,
  unused_ms, expires_at_ms, runs_left`;

const IS_LIVE = `revoked_at_ms IS NULL AND expires_at_ms > :nowMs AND coalesce(last_used_at_ms, created_at_ms) + unused_ms > :nowMs
  AND (task_id IS NULL OR task_id IN (SELECT id FROM tasks WHERE finished_at_ms IS NULL))`;

/** `revoked` is called within each change that takes a grant back. */
export function createGrantTable(database: Database, revoked: () => void) {
  const insert = database.prepare(
    `INSERT INTO grants (id, user_id, action_type, device_id, arguments, task_id, literal, scope, created_at_ms, unused_ms, expires_at_ms, runs_left)
     VALUES (:id, :userId, :actionType, :deviceId, :arguments, :taskId, :literal, :scope, :createdAtMs, :unusedMs, :expiresAtMs, :runsLeft)`,
  );
  const byKey = database.prepare<unknown[], object>(
    // guard E-4
    `SELECT ${COLUMNS} FROM grants WHERE user_id = :userId AND action_type = :actionType AND device_id = :deviceId
       AND arguments = :arguments AND (task_id IS NULL OR task_id = :taskId) AND ${IS_LIVE}`, // guard A6-1
  );
  const live = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM grants WHERE ${IS_LIVE} ORDER BY created_at_ms DESC, id DESC`,
  );
  const given = database
    .prepare(`SELECT count(*) FROM grants WHERE scope = 'always' AND created_at_ms >= ? AND created_at_ms < ?`)
    .pluck();
  const givenAt = database
    .prepare<unknown[], number>(
      `SELECT created_at_ms FROM grants WHERE scope = 'always' AND created_at_ms >= ? AND created_at_ms < ?`,
    )
    .pluck();
  const use = database.prepare(
    `UPDATE grants SET use_count = use_count + 1, last_used_at_ms = :nowMs WHERE id = :id AND ${IS_LIVE}`,
  );
  const useRun = database.prepare('UPDATE grants SET runs_left = runs_left - 1 WHERE id = ? AND runs_left > 0');
  const oneLive = database.prepare<unknown[], object>(`SELECT ${COLUMNS} FROM grants WHERE id = :id AND ${IS_LIVE}`);
  const revoke = database.prepare('UPDATE grants SET revoked_at_ms = ? WHERE id = ? AND revoked_at_ms IS NULL');
  const revokedAfter = database.prepare(
    'SELECT 1 FROM grants WHERE user_id = ? AND action_type = ? AND revoked_at_ms >= ? LIMIT 1',
  );
  const lengthen = database.prepare(
    'UPDATE grants SET created_at_ms = :createdAtMs, unused_ms = :unusedMs, expires_at_ms = :expiresAtMs, literal = :literal WHERE id = :id',
  );
  const endOfRun = database.prepare(
    `UPDATE grants SET revoked_at_ms = ? WHERE scope IN ('task', 'untilQuit') AND revoked_at_ms IS NULL`,
  );
  return {
    insert(row: Omit<GrantRow, 'useCount' | 'lastUsedAtMs'>): void {
      insert.run({ ...row, taskId: row.taskId ?? null, runsLeft: row.runsLeft ?? null });
    },
    /** The same grant, given again until a later time. */
    lengthen(row: Pick<GrantRow, 'id' | 'createdAtMs' | 'unusedMs' | 'expiresAtMs' | 'literal'>): void {
      lengthen.run(row);
    },
    /** The live grant for exactly this, the one that lasts longest. */
    find({ taskId, ...key }: GrantKey & { taskId?: string | undefined }, nowMs: number): GrantRow | undefined {
      const grants = rowsOf<GrantRow>(byKey.all({ ...key, taskId: taskId ?? null, nowMs }));
      // To sort them in SQLite costs eight times as much as to find the few there are.
      return grants.toSorted((one, other) => other.expiresAtMs - one.expiresAtMs)[0];
    },
    /** Newest first. */
    live: (nowMs: number): GrantRow[] => rowsOf(live.all({ nowMs })),
    /** How many standing grants the person gave in a span, revoked ones too. Epoch ms. */
    given: (fromMs: number, toMs: number): number => Number(given.get(fromMs, toMs)),
    /** When they were given. */
    givenAtMs: (fromMs: number, toMs: number): number[] => givenAt.all(fromMs, toMs),
    /** Counts one use; false when the grant has ended. */
    use: (id: string, nowMs: number): boolean => use.run({ id, nowMs }).changes === 1,
    /** Takes one of the runs that an approval of a procedure allows; false where none is left. */
    useRun: (id: string): boolean => useRun.run(id).changes === 1,
    findLive: (id: string, nowMs: number): GrantRow | undefined => foundRow(oneLive.get({ id, nowMs })),
    revoke(id: string, atMs: number): boolean {
      const isRevoked = revoke.run(atMs, id).changes === 1;
      if (isRevoked) revoked();
      return isRevoked;
    },
    /** Whether a grant of this user for actions of this type was taken back since a time. */
    wasRevokedAfter: (userId: string, actionType: string, atMs: number): boolean =>
      revokedAfter.get(userId, actionType, atMs) !== undefined,
    /** Ends the grants that do not outlive a run of the daemon; answers how many there were. */
    endOfRun: (atMs: number): number => endOfRun.run(atMs).changes,
  };
}

/** The person's own profiles, and which profile applies to whom (`*`: everybody else). Read whole, since they are few. `changed` is told of each change. */
export function createProfileTable(database: Database, changed: () => void = () => undefined) {
  const all = database.prepare<unknown[], { definition: string }>('SELECT definition FROM profiles ORDER BY name');
  const put = database.prepare(
    'INSERT INTO profiles (name, definition) VALUES (?, ?) ON CONFLICT DO UPDATE SET definition = excluded.definition',
  );
  const remove = database.prepare('DELETE FROM profiles WHERE name = ?');
  const assignments = database.prepare<unknown[], { userId: string; profile: string }>(
    'SELECT user_id AS userId, profile FROM profile_assignments ORDER BY user_id',
  );
  const assign = database.prepare(
    'INSERT INTO profile_assignments (user_id, profile) VALUES (?, ?) ON CONFLICT DO UPDATE SET profile = excluded.profile',
  );
  return {
    list: (): Profile[] => all.all().map(({ definition }) => storedJson<Profile>(definition)),
    put(profile: Profile): void {
      put.run(profile.name, JSON.stringify(profile));
      changed();
    },
    remove(name: string): void {
      remove.run(name);
      changed();
    },
    assignments: () => assignments.all(),
    assign(userId: string, profile: string): void {
      assign.run(userId, profile);
      changed();
    },
  };
}

/** A folder that the person allowed one user id, or with `*` everybody. */
type AllowedFolderRow = AllowedFolder & { userId: string; addedAtMs: number };

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
