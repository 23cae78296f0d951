import type { Database } from 'better-sqlite3';
import type { ConfirmationStatus } from '../../contract/console.ts';
import { PERSONS_ANSWERS, type PersonsAnswer } from '../../domain/persons-answer.ts';
import { onlyRow, rowOf } from '../database/stored-values.ts';
import { createPlanStepTable, type PlanStepRow } from './plan-steps.ts';

/** A prompt for a person: one action, or the plan of one task. */
export type ConfirmationRow = ActionConfirmation | PlanConfirmation;

export type ActionConfirmation = Common & { kind: 'action'; actionId: string };

/** `steps` are all steps of the task; each that was asked for is spent by itself. */
export type PlanConfirmation = PlanHead & { steps: PlanStepRow[] };

/** The confirmation of a plan, without its steps. */
export type PlanHead = Common & { kind: 'plan'; taskId: string };

/** A prompt that waits, without the steps of a plan. */
export type PendingConfirmation = ActionConfirmation | PlanHead;

type Common = {
  id: string;
  userId: string;
  /** The digest of the action, or of the plan. */
  actionDigest: string;
  /** The digest of the action's type and target, for which a denial counts; a plan has one for each step. */
  targetDigest?: string | undefined;
  nonce: string;
  policyVersion: string;
  status: ConfirmationStatus;
  presence?: 'hold' | 'touchId' | undefined;
  createdAtMs: number;
  shownAtMs?: number | undefined;
  answerableAtMs?: number | undefined;
  expiresAtMs: number;
  /** When the person denied it, while that can still be undone and the prompt is pending. */
  denialHeldAtMs?: number | undefined;
  /** What the person says to the requester with that denial. */
  denialNote?: string | undefined;
  decidedAtMs?: number | undefined;
  consumedAtMs?: number | undefined;
  /** Since when the approval of a plan is good for nothing more. */
  voidedAtMs?: number | undefined;
};

/** A report that a prompt is fully on screen. `characters`: its length; `onScreenMs`: how long it was on screen until then. */
type Shown = {
  shownAtMs: number;
  answerableAtMs: number;
  characters?: number;
  openedToEnd?: boolean;
  onScreenMs?: number;
};

const COLUMNS = `id, action_id, task_id, user_id, action_digest, target_digest, nonce, policy_version, status, presence, created_at_ms,
  shown_at_ms, answerable_at_ms, expires_at_ms, denial_held_at_ms, denial_note, decided_at_ms, consumed_at_ms, voided_at_ms`;

const INSERT = `INSERT INTO confirmations
    (id, action_id, task_id, user_id, action_digest, target_digest, nonce, policy_version, status, created_at_ms, expires_at_ms)
  VALUES (:id, :actionId, :taskId, :userId, :actionDigest, :targetDigest, :nonce, :policyVersion, 'pending', :createdAtMs, :expiresAtMs)`;

const SHOW = `UPDATE confirmations SET shown_at_ms = coalesce(shown_at_ms, :shownAtMs), answerable_at_ms = :answerableAtMs,
    characters = coalesce(characters, :characters), opened_to_end = coalesce(:openedToEnd, opened_to_end),
    on_screen_ms = coalesce(:onScreenMs, on_screen_ms)
  WHERE id = :id AND status = 'pending'`;

/** The statuses of prompts that the person answered, for a list in SQL. */
export const ANSWERED = PERSONS_ANSWERS.map((answer) => `'${answer}'`).join(', ');

/** The latest prompts of a user that are looked at. A prompt is to be there at once, however many there were. */
const MOST_LOOKED_AT = 1_000;

type Answered = { status: PersonsAnswer; digest: string; atMs: number };

/** Equal prompts that one answer ended are noted one after the other. */
const TOGETHER_MS = 1_000;

/** How the person answered before, be it prompts for actions or steps of plans. */
function createAnswerHistory(database: Database) {
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
     WHERE status IN (${ANSWERED}) AND decided_at_ms >= :sinceMs ORDER BY decided_at_ms DESC, id DESC LIMIT :limit`, // guard E-27
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

export function createConfirmationTable(database: Database) {
  const insert = database.prepare(INSERT);
  const planSteps = createPlanStepTable(database);
  const byId = database.prepare<unknown[], object>(`SELECT ${COLUMNS} FROM confirmations WHERE id = ?`);
  const byAction = database.prepare<unknown[], object>(`SELECT ${COLUMNS} FROM confirmations WHERE action_id = ?`);
  const byTask = database.prepare<unknown[], object>(`SELECT ${COLUMNS} FROM confirmations WHERE task_id = ?`);
  const pending = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM confirmations WHERE status = 'pending' ORDER BY id`,
  );
  const allowedUsers = createAllowedUsers(database);
  const decide = database.prepare(
    `UPDATE confirmations SET status = ?, decided_at_ms = ?, presence = ? WHERE id = ? AND status = 'pending'`,
  );
  const consume = database.prepare(
    `UPDATE confirmations SET consumed_at_ms = ? WHERE id = ? AND status = 'allowed' AND consumed_at_ms IS NULL`,
  );
  const standing = database
    .prepare<unknown[], string>(
      // The tasks that have not ended are few; the order of a cross join is kept.
      `SELECT c.id FROM tasks t CROSS JOIN confirmations c ON c.task_id = t.id
     WHERE t.finished_at_ms IS NULL AND c.status IN ('pending', 'allowed') AND c.voided_at_ms IS NULL ORDER BY c.id`,
    )
    .pluck();
  const makeVoid = database.prepare(
    'UPDATE confirmations SET voided_at_ms = ? WHERE id = ? AND task_id IS NOT NULL AND voided_at_ms IS NULL',
  );
  const toRow = (stored: object): ConfirmationRow => {
    const head = toHead(stored);
    return head.kind === 'action' ? head : { ...head, steps: planSteps.of(head.id) };
  };
  const found = (stored: object | undefined): ConfirmationRow | undefined =>
    stored === undefined ? undefined : toRow(stored);
  return {
    ...createAnswerHistory(database),
    ...createShowing(database),
    ...createHolding(database),
    /** Stores a prompt that waits. */
    insert(row: Omit<ActionConfirmation, 'status'> | Omit<PlanConfirmation, 'status'>): void {
      insert.run(storedFrom(row));
      if (row.kind === 'plan') planSteps.insert(row.id, row.steps);
    },
    find: (id: string): ConfirmationRow | undefined => found(byId.get(id)),
    findByAction(actionId: string): ActionConfirmation | undefined {
      const row = found(byAction.get(actionId));
      return row?.kind === 'action' ? row : undefined;
    },
    /** The confirmation of a task's plan. */
    findByTask(taskId: string): PlanConfirmation | undefined {
      const row = found(byTask.get(taskId));
      return row?.kind === 'plan' ? row : undefined;
    },
    /** The same with one of its steps. A plan has up to a hundred, and each asks for itself when it begins. */
    findStepOfTask(taskId: string, stepId: string): { plan: PlanHead; step: PlanStepRow } | undefined {
      const stored = byTask.get(taskId);
      const plan = stored && toHead(stored);
      const step = plan && planSteps.find(plan.id, stepId);
      return plan?.kind === 'plan' && step !== undefined ? { plan, step } : undefined;
    },
    /** Oldest first, without the steps of plans: many of them have a hundred. */
    pendingHeads: (): PendingConfirmation[] => pending.all().map(toHead),
    /** Oldest first. */
    pending: (): ConfirmationRow[] => pending.all().map(toRow),
    /** Whether the person ever allowed this user anything that is still on record. */
    hasAllowed: allowedUsers.has,
    /** The plans of tasks that have not ended, pending or allowed, and not void; oldest first. */
    planIdsInForce: (): string[] => standing.all(),
    /** Ends the approval of a plan. False if it had ended before. */
    makeVoid: (id: string, atMs: number): boolean => makeVoid.run(atMs, id).changes === 1,
    consumeStep: planSteps.consume,
    bindStep: planSteps.bind,
    /** False when it was no longer pending. */
    decide(
      id: string,
      to: { status: ConfirmationStatus; atMs: number; presence?: 'hold' | 'touchId' | undefined },
    ): boolean {
      if (to.status === 'allowed') allowedUsers.changed();
      return decide.run(to.status, to.atMs, to.presence ?? null, id).changes === 1;
    },
    /** Spends an approval; false when there was none left to spend. */
    consume: (id: string, atMs: number): boolean => consume.run(atMs, id).changes === 1,
  };
}

const MOST_REMEMBERED = 10_000;

/** The users whom the person has allowed something. Every call of a requester asks, so it remembers who has nothing. */
function createAllowedUsers(database: Database) {
  const allowed = database.prepare(`SELECT 1 FROM confirmations WHERE user_id = ? AND status = 'allowed' LIMIT 1`);
  const never = new Set<string>();
  return {
    has(userId: string): boolean {
      if (never.has(userId)) return false;
      const isAllowed = allowed.get(userId) !== undefined;
      if (!isAllowed && never.size < MOST_REMEMBERED) never.add(userId);
      return isAllowed;
    },
    /** To be called before something is allowed. */
    changed: (): void => never.clear(),
  };
}

/** Whether a prompt is fully on screen, which decides from when on it can be allowed, and until when. */
function createShowing(database: Database) {
  const show = database.prepare(SHOW);
  const setExpiry = database.prepare(`UPDATE confirmations SET expires_at_ms = ? WHERE id = ? AND status = 'pending'`);
  const unsee = database.prepare(
    `UPDATE confirmations SET shown_at_ms = NULL, answerable_at_ms = NULL WHERE id = ? AND status = 'pending'`,
  );
  const renew = database.prepare(
    `UPDATE confirmations SET nonce = :nonce, policy_version = :policyVersion, shown_at_ms = NULL, answerable_at_ms = NULL,
       characters = NULL, opened_to_end = NULL, on_screen_ms = NULL WHERE id = :id AND status = 'pending'`,
  );
  const remove = database.prepare(`DELETE FROM confirmations WHERE action_id = ? AND status = 'pending'`);
  return {
    /** Voids answers to the former state. The prompt has to be shown again. */
    renew: (id: string, now: { nonce: string; policyVersion: string }): void => void renew.run({ id, ...now }),
    /** Removes the prompt of an action that no longer needs one. */
    remove: (actionId: string): void => void remove.run(actionId),
    /** The latest report counts; only the first one needs the length of the prompt. */
    markShown: (id: string, shown: Shown): void => void show.run({ id, ...storedShown(shown) }),
    /** The prompt has to be shown anew before it can be allowed. */
    markUnseen: (id: string): void => void unsee.run(id),
    setExpiry: (id: string, expiresAtMs: number): void => void setExpiry.run(expiresAtMs, id),
  };
}

/** Denials that the person can still undo. */
function createHolding(database: Database) {
  const hold = database.prepare(
    `UPDATE confirmations SET denial_held_at_ms = ?, denial_note = ? WHERE id = ? AND status = 'pending'`,
  );
  return {
    holdDenial: (id: string, atMs: number, note?: string): void => void hold.run(atMs, note ?? null, id),
    undoDenial: (id: string): void => void hold.run(null, null, id),
  };
}

/** The values of a new row, by the names that the statement has for them. */
function storedFrom(row: Omit<ActionConfirmation, 'status'> | Omit<PlanConfirmation, 'status'>) {
  const { id, userId, actionDigest, targetDigest = null, nonce } = row;
  const actionId = row.kind === 'action' ? row.actionId : null;
  const taskId = row.kind === 'plan' ? row.taskId : null;
  const { policyVersion, createdAtMs, expiresAtMs } = row;
  return { id, actionId, taskId, userId, actionDigest, targetDigest, nonce, policyVersion, createdAtMs, expiresAtMs };
}

function storedShown({ openedToEnd, onScreenMs, characters, ...times }: Shown) {
  return {
    ...times,
    onScreenMs: onScreenMs ?? null,
    characters: characters ?? null,
    openedToEnd: openedToEnd === undefined ? null : Number(openedToEnd),
  };
}

function toHead(stored: object): PendingConfirmation {
  const head = rowOf<Omit<ActionConfirmation, 'kind'> | Omit<PlanHead, 'kind'>>(stored);
  return 'taskId' in head ? { ...head, kind: 'plan' } : { ...head, kind: 'action' };
}
