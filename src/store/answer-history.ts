import type { Database } from 'better-sqlite3';

/** More of one user's prompts than this never wait at a time, so that the latest answers are among the latest prompts. */
const MOST_PENDING = 100;

/** How the person answered before, be it prompts for actions or steps of plans. */
export function createAnswerHistory(database: Database) {
  const countAllowed = database.prepare(
    `SELECT count(*) AS times, max(decided_at_ms) AS last FROM (
       SELECT c.decided_at_ms FROM confirmations c JOIN actions a ON a.id = c.action_id
       WHERE c.user_id = :userId AND a.action_type = :actionType AND c.status = 'allowed'
       UNION ALL
       SELECT c.decided_at_ms FROM confirmations c JOIN confirmation_steps s ON s.confirmation_id = c.id
       WHERE c.user_id = :userId AND s.action_type = :actionType AND s.consent = 'asked' AND c.status = 'allowed')`,
  );
  const lastDenial = database.prepare(
    `SELECT max(decided_at_ms) AS atMs FROM (
       SELECT decided_at_ms FROM confirmations WHERE user_id = :userId AND action_digest = :digest AND status = 'denied'
       UNION ALL
       SELECT c.decided_at_ms FROM confirmation_steps s JOIN confirmations c ON c.id = s.confirmation_id
       WHERE s.action_digest = :digest AND s.consent = 'asked' AND c.user_id = :userId AND c.status = 'denied')`,
  );
  const latest = database.prepare(
    `SELECT status FROM (SELECT id, status, decided_at_ms FROM confirmations WHERE user_id = :userId ORDER BY id DESC LIMIT :limit + ${MOST_PENDING})
     WHERE status <> 'pending' AND decided_at_ms >= :sinceMs ORDER BY decided_at_ms DESC, id DESC LIMIT :limit`,
  );
  return {
    /** When the person last said no to exactly this. */
    lastDenialAtMs(userId: string, actionDigest: string): number | undefined {
      return (lastDenial.get({ userId, digest: actionDigest }) as { atMs: number | null }).atMs ?? undefined;
    },
    /** How this user's prompts ended since a time, newest first. */
    latestAnswers(userId: string, sinceMs: number, limit: number): ('allowed' | 'denied' | 'expired')[] {
      return (latest.all({ userId, sinceMs, limit }) as { status: 'allowed' | 'denied' | 'expired' }[]).map(
        ({ status }) => status,
      );
    },
    /** How often, and when last, this user's actions of this type were allowed. */
    allowedBefore(userId: string, actionType: string): { times: number; lastAtMs: number | null } {
      const row = countAllowed.get({ userId, actionType }) as { times: number; last: number | null };
      return { times: row.times, lastAtMs: row.last };
    },
  };
}
