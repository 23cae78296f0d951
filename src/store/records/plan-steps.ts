import type { Database } from 'better-sqlite3';
import type { RiskLevel } from '../../contract/action.ts';
import type { PlanConsent } from '../../contract/console.ts';
import { foundRow, rowsOf } from '../database/stored-values.ts';

/** A step of a task as the confirmation of its plan has it. */
export type PlanStepRow = {
  stepId: string;
  /** Whether this confirmation asks for it. */
  consent: PlanConsent;
  actionType: string;
  /** The digest of the exact step; present if the step was part of the prompt. */
  digest?: string | undefined;
  /** The digest of its type and target, for which a denial counts. */
  targetDigest?: string | undefined;
  riskLevel: RiskLevel;
  maxAttempts: number;
  /** The latest action that was sent on the answer. */
  actionId?: string | undefined;
  consumedAtMs?: number | undefined;
};

const COLUMNS = `step_id, consent, action_type, action_digest AS digest, target_digest, risk_level, max_attempts, action_id,
  consumed_at_ms`;

export function createPlanStepTable(database: Database) {
  const insert = database.prepare(
    `INSERT INTO confirmation_steps (confirmation_id, position, step_id, consent, action_type, action_digest, target_digest, risk_level, max_attempts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const ofPlan = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM confirmation_steps WHERE confirmation_id = ? ORDER BY position`,
  );
  const oneOfPlan = database.prepare<unknown[], object>(
    `SELECT ${COLUMNS} FROM confirmation_steps WHERE confirmation_id = ? AND step_id = ?`,
  );
  const consume = database.prepare(
    `UPDATE confirmation_steps SET consumed_at_ms = coalesce(consumed_at_ms, :atMs), action_id = :actionId
     WHERE confirmation_id = :planId AND step_id = :stepId AND consent = 'asked' AND action_digest = :digest
       AND (consumed_at_ms IS NULL OR :mayRepeat)
       AND EXISTS (SELECT 1 FROM confirmations WHERE id = :planId AND status = 'allowed' AND voided_at_ms IS NULL)`,
  );
  const bind = database.prepare(
    `UPDATE confirmation_steps SET action_digest = ? WHERE confirmation_id = ? AND step_id = ? AND consent = 'asked' AND consumed_at_ms IS NULL`,
  );
  return {
    insert(planId: string, steps: readonly PlanStepRow[]): void {
      for (const [position, step] of steps.entries()) {
        const { stepId, consent, actionType, digest = null, targetDigest = null, riskLevel, maxAttempts } = step;
        insert.run(planId, position, stepId, consent, actionType, digest, targetDigest, riskLevel, maxAttempts);
      }
    },
    /** In the order of the task. */
    of: (planId: string): PlanStepRow[] => rowsOf(ofPlan.all(planId)),
    find: (planId: string, stepId: string): PlanStepRow | undefined => foundRow(oneOfPlan.get(planId, stepId)),
    /** Binds the approval of a step that was asked for by its names to what they lead to now. */
    bind: (planId: string, stepId: string, digest: string): void => void bind.run(digest, planId, stepId),
    /** Spends the approval of one step; false when there is none, or, unless it may be repeated, when it was spent before. */
    consume({ mayRepeat, ...spent }: Consumption): boolean {
      return consume.run({ ...spent, mayRepeat: mayRepeat ? 1 : 0 }).changes === 1;
    },
  };
}

export type Consumption = {
  planId: string;
  stepId: string;
  actionId: string;
  digest: string;
  atMs: number;
  mayRepeat: boolean;
};
