import type { Database } from 'better-sqlite3';
import { PERSONS_ANSWERS, type PersonsAnswer } from '../../domain/persons-answer.ts';
import { onlyRow } from '../database/stored-values.ts';

/** The statuses of prompts that the person answered, for a list in SQL. */
export const ANSWERED = PERSONS_ANSWERS.map((answer) => `'${answer}'`).join(', ');

/** The latest prompts of a user that are looked at. A prompt is to be there at once, however many there were. */
const MOST_LOOKED_AT = 1_000;

type Answered = { status: PersonsAnswer; digest: string; atMs: number };

/** Equal prompts that one answer ended are noted one after the other. */
const TOGETHER_MS = 1_000;

/** How the person answered before, be it prompts for actions or steps of plans. */
export function createAnswerHistory(database: Database) {
  const countAllowed = database.prepare<unknown[], { times: number; lastAtMs: number | null; outOf: number }>(
    `WITH looked_at AS (SELECT id, action_id, status, decided_at_ms FROM confirmations WHERE user_id = :userId ORDER BY id DESC LIMIT :most)
     SELECT count(*) AS times, max(decided_at_ms) AS lastAtMs, (SELECT count(*) FROM looked_at) AS outOf FROM (
       SELECT c.decided_at_ms FROM looked_at c JOIN actions a ON a.id = c.action_id
       WHERE a.action_type = :actionType AND c.status = 'allowed'
       UNION ALL
       SELECT c.decided_at_ms FROM looked_at c JOIN confirmation_steps s ON s.confirmation_id = c.id
       WHERE s.action_type = :actionType AND s.consent = 'asked' AND c.status = 'allowed')`,
  );
  const denialAfter = database.prepare(
    `SELECT 1 FROM confirmations
     WHERE user_id = :userId AND target_digest = :targetDigest AND decided_at_ms > :atMs AND status = 'denied' LIMIT 1`,
  );
  // A plan has its targets in its steps. One target can have thousands of steps that nobody denied, so the search goes from the
  // few plans that were denied to their steps.
  const deniedPlans = database
    .prepare(
      `SELECT id FROM confirmations
       WHERE user_id = ? AND target_digest IS NULL AND decided_at_ms > ? AND status = 'denied' AND task_id IS NOT NULL`,
    )
    .pluck();
  const stepOfPlan = database.prepare(
    `SELECT 1 FROM confirmation_steps
     WHERE confirmation_id = :planId AND target_digest = :targetDigest AND consent = 'asked' LIMIT 1`,
  );
  const latest = database.prepare<unknown[], Answered>(
    `SELECT status, action_digest AS digest, decided_at_ms AS atMs FROM (SELECT id, status, action_digest, decided_at_ms FROM confirmations WHERE user_id = :userId ORDER BY id DESC LIMIT ${MOST_LOOKED_AT})
     WHERE status IN (${ANSWERED}) AND decided_at_ms >= :sinceMs ORDER BY decided_at_ms DESC, id DESC LIMIT :limit`,
  );
  return {
    /** Whether the person denied an action with this target after a time. */
    wasDeniedAfter: (userId: string, targetDigest: string, atMs: number): boolean =>
      denialAfter.get({ userId, targetDigest, atMs }) !== undefined ||
      deniedPlans.all(userId, atMs).some((planId) => stepOfPlan.get({ planId, targetDigest }) !== undefined),
    /** The person's answers to this user since a time, newest first. */
    latestAnswers: (userId: string, sinceMs: number, limit: number): PersonsAnswer[] =>
      latest.all({ userId, sinceMs, limit }).map(({ status }) => status),
    /** The same, where equal prompts that one answer ended count once. */
    latestDecisions: (userId: string, sinceMs: number, limit: number): PersonsAnswer[] =>
      latest
        .all({ userId, sinceMs, limit })
        .filter((answer, index, all) => !isOfOneAnswer(answer, all[index - 1]))
        .map(({ status }) => status),
    /**
     * How often, and when last, this user's actions of this type were allowed, of their latest prompts; `outOf` how many, where there
     * may be more before.
     */
    allowedBefore(
      userId: string,
      actionType: string,
    ): { times: number; lastAtMs: number | null; outOf: number | null } {
      const { times, lastAtMs, outOf } = onlyRow(countAllowed.get({ userId, actionType, most: MOST_LOOKED_AT }));
      return { times, lastAtMs, outOf: outOf === MOST_LOOKED_AT ? outOf : null };
    },
  };
}

/** Whether one answer of the person ended both prompts, because they asked for the same. It counts once. */
function isOfOneAnswer({ status, digest, atMs }: Answered, later: Answered | undefined): boolean {
  return later?.status === status && later.digest === digest && Math.abs(later.atMs - atMs) < TOGETHER_MS;
}
