import type { Database } from 'better-sqlite3';
import type { RiskLevel } from '../../contract/action.ts';
import type { Episode } from '../../guardian/insights/episode.ts';
import type { Answer, Prompt, RefusedRequests, Request } from '../../guardian/insights/facts.ts';
import type { Finding, Sign } from '../../guardian/insights/finding.ts';
import { storedJson } from '../database/stored-values.ts';
import { ANSWERED } from '../records/confirmations.ts';
import { COUNTS_KEPT_MS } from './units.ts';

type Stored = {
  id: string;
  finding: string;
  status: Episode['status'];
  first_seen_ms: number;
  last_seen_ms: number;
  count: number;
  told_severity: Episode['toldSeverity'];
};

/** The table of insights has one row for each subject. The table of signs has one row for each change of the open insights that count in the risk. */
export function createInsightTable(database: Database) {
  const all = database.prepare<unknown[], Stored>('SELECT * FROM guardian_insights');
  const put = database.prepare(
    `INSERT INTO guardian_insights (id, subject, finding, status, first_seen_ms, last_seen_ms, count, told_severity)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET finding = excluded.finding, status = excluded.status,
       last_seen_ms = excluded.last_seen_ms, count = excluded.count, told_severity = excluded.told_severity`,
  );
  const remove = database.prepare('DELETE FROM guardian_insights WHERE id = ?');
  const putSigns = database.prepare('INSERT OR REPLACE INTO guardian_signs (at_ms, signs) VALUES (?, ?)');
  const pruneSigns = database.prepare('DELETE FROM guardian_signs WHERE at_ms < ?');
  const signsAt = database.prepare<unknown[], { signs: string }>(
    'SELECT signs FROM guardian_signs WHERE at_ms <= ? ORDER BY at_ms DESC LIMIT 1',
  );
  return {
    all: (): Episode[] => all.all().map(toEpisode),
    put({ id, finding, status, firstSeenMs, lastSeenMs, count, toldSeverity }: Episode): void {
      put.run(id, finding.subject, JSON.stringify(finding), status, firstSeenMs, lastSeenMs, count, toldSeverity);
    },
    /** Stores the signs that are open from a time on. Only inside a write transaction. */
    putSigns(atMs: number, signs: readonly Sign[]): void {
      putSigns.run(atMs, JSON.stringify(signs));
      pruneSigns.run(atMs - COUNTS_KEPT_MS.hour);
    },
    /** The signs that were open at a time. */
    signsAt(atMs: number): Sign[] {
      const stored = signsAt.get(atMs);
      return stored === undefined ? [] : storedJson<Sign[]>(stored.signs);
    },
    remove: (id: string): void => void remove.run(id),
  };
}

function toEpisode(stored: Stored): Episode {
  return {
    id: stored.id,
    finding: storedJson<Finding>(stored.finding),
    status: stored.status,
    firstSeenMs: stored.first_seen_ms,
    lastSeenMs: stored.last_seen_ms,
    count: stored.count,
    toldSeverity: stored.told_severity,
  };
}

/** An action with its program: the first of a connection, or one that the person was asked about. */
type Called = { actionType: string; risk: RiskLevel; wasAsked: boolean };

/** After an id, which begins with its time; the newest first. */
type Latest = { afterId: string; limit: number };

/** The action that a prompt is about and the highest risk it asks for, be it for one action or for a plan. */
const SUBJECT = `coalesce(c.action_id, (SELECT s.action_id FROM confirmation_steps s WHERE s.confirmation_id = c.id
        AND s.action_id IS NOT NULL LIMIT 1)) AS actionId, c.user_id AS userId, coalesce(a.risk_level,
      (SELECT CASE max(CASE s.risk_level WHEN 'critical' THEN 3 WHEN 'high' THEN 2 WHEN 'medium' THEN 1 ELSE 0 END)
         WHEN 3 THEN 'critical' WHEN 2 THEN 'high' WHEN 1 THEN 'medium' ELSE 'low' END
       FROM confirmation_steps s WHERE s.confirmation_id = c.id AND s.consent = 'asked')) AS risk`;

/** Each is bounded, and reads from the end of an index. */
export const EVIDENCE_QUERIES = {
  requests: `SELECT id AS actionId, user_id AS userId, action_type AS actionType, digest, risk_level AS risk, status,
      error ->> '$.code' AS errorCode, created_at_ms AS createdAtMs, started_at_ms AS startedAtMs, duration_ms AS durationMs,
      task_id AS taskId, grant_id AS grantId, plan_id AS planId,
      targets ->> '$[0].app.appName' AS app
    FROM actions WHERE id > :afterId ORDER BY id DESC LIMIT :limit`,
  prompts: `SELECT ${SUBJECT},
      CASE WHEN c.status = 'expired' AND (a.status = 'cancelled' OR c.voided_at_ms IS NOT NULL) THEN 'withdrawn' ELSE c.status END AS status,
      c.created_at_ms AS createdAtMs, c.answerable_at_ms AS answerableAtMs, c.decided_at_ms AS decidedAtMs
    FROM confirmations c LEFT JOIN actions a ON a.id = c.action_id WHERE c.id > :afterId ORDER BY c.id DESC LIMIT :limit`,
  answers: `SELECT ${SUBJECT}, c.status = 'allowed' AS isAllowed, c.decided_at_ms AS decidedAtMs,
      max(0, coalesce(c.on_screen_ms, 0) + c.decided_at_ms - c.answerable_at_ms) AS tookMs, c.characters,
      EXISTS (SELECT 1 FROM confirmations e WHERE e.user_id = c.user_id AND e.action_digest = c.action_digest
        AND e.status = 'allowed' AND e.decided_at_ms < c.decided_at_ms) AS isRepeat, c.opened_to_end AS wasOpenedToEnd
    FROM confirmations c LEFT JOIN actions a ON a.id = c.action_id
    WHERE c.status IN (${ANSWERED}) AND c.decided_at_ms > :afterMs ORDER BY c.decided_at_ms DESC LIMIT :limit`,
  called: `SELECT a.action_type AS actionType, a.risk_level AS risk,
      EXISTS (SELECT 1 FROM confirmations c WHERE c.action_id = a.id) AS wasAsked
    FROM calling_programs p JOIN actions a ON a.id = p.subject_id
    WHERE p.user_id = :userId AND p.name_key = :nameKey AND p.at_ms >= :fromMs AND p.at_ms < :toMs LIMIT 1000`,
  newUsers: `SELECT id AS userId, first_seen_at_ms AS firstSeenAtMs FROM users WHERE first_seen_at_ms > :afterMs
    ORDER BY first_seen_at_ms DESC LIMIT :limit`,
  refusedRequests: `SELECT user_id AS userId, capability, times FROM guardian_refused_requests WHERE hour_ms > :afterMs
    ORDER BY hour_ms DESC LIMIT :limit`,
} as const;

/** Reads the evidence shown with an insight: the latest events, at most as many as asked for. */
export function createInsightEvidence(database: Database) {
  const requests = database.prepare<unknown[], Request>(EVIDENCE_QUERIES.requests);
  const prompts = database.prepare<unknown[], Prompt>(EVIDENCE_QUERIES.prompts);
  const answers = database.prepare<unknown[], StoredAnswer>(EVIDENCE_QUERIES.answers);
  const called = database.prepare<unknown[], Omit<Called, 'wasAsked'> & { wasAsked: number }>(EVIDENCE_QUERIES.called);
  const newUsers = database.prepare<unknown[], { userId: string; firstSeenAtMs: number }>(EVIDENCE_QUERIES.newUsers);
  const refusedRequests = database.prepare<unknown[], RefusedRequests>(EVIDENCE_QUERIES.refusedRequests);
  return {
    requests: (latest: Latest): Request[] => requests.all(latest),
    prompts: (latest: Latest): Prompt[] => prompts.all(latest),
    /** Prompts answered after a time, the latest answer first. */
    answers: (latest: { afterMs: number; limit: number }): Answer[] => answers.all(latest).map(toAnswer),
    /** The actions by which a program is known between two moments, under the name of one requester; at most a thousand. */
    called: (by: { userId: string; nameKey: string; fromMs: number; toMs: number }): Called[] =>
      called.all(by).map(({ wasAsked, ...rest }) => ({ ...rest, wasAsked: wasAsked === 1 })),
    newUsers: (latest: { afterMs: number; limit: number }): { userId: string; firstSeenAtMs: number }[] =>
      newUsers.all(latest),
    /** One row for each requester, capability and hour that began after a time. */
    refusedRequests: (latest: { afterMs: number; limit: number }): RefusedRequests[] => refusedRequests.all(latest),
  };
}

type StoredAnswer = Omit<Answer, 'isAllowed' | 'isRepeat' | 'wasOpenedToEnd'> & {
  isAllowed: number;
  isRepeat: number;
  wasOpenedToEnd: number | null;
};

function toAnswer(stored: StoredAnswer): Answer {
  const { isAllowed, isRepeat, wasOpenedToEnd } = stored;
  const opened = wasOpenedToEnd === null ? null : wasOpenedToEnd === 1;
  return { ...stored, isAllowed: isAllowed === 1, isRepeat: isRepeat === 1, wasOpenedToEnd: opened };
}
