import type { Database } from 'better-sqlite3';
import type { ConfirmationStatus } from '../contract/console.ts';

export type ConfirmationRow = {
  id: string;
  actionId: string;
  userId: string;
  actionDigest: string;
  nonce: string;
  policyVersion: string;
  status: ConfirmationStatus;
  presence?: 'hold' | 'touchId' | undefined;
  createdAtMs: number;
  shownAtMs?: number | undefined;
  answerableAtMs?: number | undefined;
  expiresAtMs: number;
  decidedAtMs?: number | undefined;
  consumedAtMs?: number | undefined;
};

type Stored = {
  id: string;
  action_id: string;
  user_id: string;
  action_digest: string;
  nonce: string;
  policy_version: string;
  status: ConfirmationStatus;
  presence: 'hold' | 'touchId' | null;
  created_at_ms: number;
  shown_at_ms: number | null;
  answerable_at_ms: number | null;
  expires_at_ms: number;
  decided_at_ms: number | null;
  consumed_at_ms: number | null;
};

export function createConfirmationTable(database: Database) {
  const insert = database.prepare(
    `INSERT INTO confirmations (id, action_id, user_id, action_digest, nonce, policy_version, status, created_at_ms, expires_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?)`,
  );
  const byId = database.prepare('SELECT * FROM confirmations WHERE id = ?');
  const byAction = database.prepare('SELECT * FROM confirmations WHERE action_id = ?');
  const pending = database.prepare(`SELECT * FROM confirmations WHERE status = 'pending' ORDER BY id`);
  const show = database.prepare(
    `UPDATE confirmations SET shown_at_ms = coalesce(shown_at_ms, ?), answerable_at_ms = ? WHERE id = ? AND status = 'pending'`,
  );
  const decide = database.prepare(
    `UPDATE confirmations SET status = ?, decided_at_ms = ?, presence = ? WHERE id = ? AND status = 'pending'`,
  );
  const consume = database.prepare(
    `UPDATE confirmations SET consumed_at_ms = ? WHERE id = ? AND status = 'allowed' AND consumed_at_ms IS NULL`,
  );
  const countAllowed = database.prepare(
    `SELECT count(*) AS times, max(c.decided_at_ms) AS last FROM confirmations c JOIN actions a ON a.id = c.action_id
     WHERE c.user_id = ? AND a.action_type = ? AND c.status = 'allowed'`,
  );
  const lastDenial = database.prepare(
    `SELECT max(decided_at_ms) AS atMs FROM confirmations WHERE user_id = ? AND action_digest = ? AND status = 'denied'`,
  );
  const latest = database.prepare(
    `SELECT status FROM confirmations WHERE user_id = ? AND status <> 'pending' AND decided_at_ms >= ? ORDER BY decided_at_ms DESC, id DESC LIMIT ?`,
  );
  return {
    /** When the person last said no to exactly this. */
    lastDenialAtMs(userId: string, actionDigest: string): number | undefined {
      return (lastDenial.get(userId, actionDigest) as { atMs: number | null }).atMs ?? undefined;
    },
    /** How this user's prompts ended since a time, newest first. */
    latestAnswers(userId: string, sinceMs: number, limit: number): ('allowed' | 'denied' | 'expired')[] {
      return (latest.all(userId, sinceMs, limit) as { status: 'allowed' | 'denied' | 'expired' }[]).map(
        ({ status }) => status,
      );
    },
    insert(row: Omit<ConfirmationRow, 'status'>): void {
      const { id, actionId, userId, actionDigest, nonce, policyVersion, createdAtMs, expiresAtMs } = row;
      insert.run(id, actionId, userId, actionDigest, nonce, policyVersion, createdAtMs, expiresAtMs);
    },
    find: (id: string): ConfirmationRow | undefined => fromStored(byId.get(id)),
    findByAction: (actionId: string): ConfirmationRow | undefined => fromStored(byAction.get(actionId)),
    /** Oldest first. */
    pending: (): ConfirmationRow[] => (pending.all() as Stored[]).map(toRow),
    markShown(id: string, times: { shownAtMs: number; answerableAtMs: number }): void {
      show.run(times.shownAtMs, times.answerableAtMs, id);
    },
    /** False when it was no longer pending. */
    decide(
      id: string,
      to: { status: ConfirmationStatus; atMs: number; presence?: 'hold' | 'touchId' | undefined },
    ): boolean {
      return decide.run(to.status, to.atMs, to.presence ?? null, id).changes === 1;
    },
    /** Spends an approval; false when there was none left to spend. */
    consume: (id: string, atMs: number): boolean => consume.run(atMs, id).changes === 1,
    /** How often, and when last, this user's actions of this type were allowed. */
    allowedBefore(userId: string, actionType: string): { times: number; lastAtMs: number | null } {
      const row = countAllowed.get(userId, actionType) as { times: number; last: number | null };
      return { times: row.times, lastAtMs: row.last };
    },
  };
}

function fromStored(stored: unknown): ConfirmationRow | undefined {
  return stored === undefined ? undefined : toRow(stored as Stored);
}

function toRow(stored: Stored): ConfirmationRow {
  return {
    id: stored.id,
    actionId: stored.action_id,
    userId: stored.user_id,
    actionDigest: stored.action_digest,
    nonce: stored.nonce,
    policyVersion: stored.policy_version,
    status: stored.status,
    presence: stored.presence ?? undefined,
    createdAtMs: stored.created_at_ms,
    shownAtMs: stored.shown_at_ms ?? undefined,
    answerableAtMs: stored.answerable_at_ms ?? undefined,
    expiresAtMs: stored.expires_at_ms,
    decidedAtMs: stored.decided_at_ms ?? undefined,
    consumedAtMs: stored.consumed_at_ms ?? undefined,
  };
}
