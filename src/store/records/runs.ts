import type { Database } from 'better-sqlite3';
import type { ActionStatus } from '../../contract/action.ts';
import type { RiskLevel } from '../../contract/risk-level.ts';
import type { Done } from '../../domain/catalogue/definition.ts';
import { optionalJson } from '../database/stored-values.ts';
import { type ActivityFilter, conditions, IS_MATCH } from './activity.ts';

/** The task or the requester whose actions may be of one run; a requester's outside of tasks. */
export type RunOwner = { taskId: string } | { userId: string };

/** One action of a run. `isMatch`: whether it matches the filter. */
export type RunMember = {
  id: string;
  actionType: string;
  /** `denied` as soon as the person has denied it, also while they can undo that. */
  status: ActionStatus;
  risk: RiskLevel;
  createdAtMs: number;
  finishedAtMs: number | null;
  artifactCount: number;
  /** What it did, if it succeeded and that is still kept. */
  done?: Done | undefined;
  /** The person allowed it by itself. */
  isAllowed: boolean;
  /** The person allowed the plan of which it is a step. */
  isOfAllowedPlan: boolean;
  isMatch: boolean;
};

/** Reads the actions beside one, some at a time. */
export function createRunTable(database: Database) {
  const ofTask = statements(database, 'task_id = :taskId');
  const ofUser = statements(database, 'user_id = :userId AND task_id IS NULL');
  return {
    /** Up to `limit` actions of an owner, those before an id newest first, or those after it oldest first. */
    beside(
      owner: RunOwner,
      { id, side, limit }: { id: string; side: 'before' | 'after'; limit: number },
      filter: ActivityFilter,
    ): RunMember[] {
      const { before, after } = 'taskId' in owner ? ofTask : ofUser;
      const rows = (side === 'before' ? before : after).all({ ...owner, id, limit, ...conditions(filter) });
      return rows.map(({ done, ...row }) => ({
        ...row,
        done: optionalJson<Done>(done),
        isAllowed: row.isAllowed === 1,
        isOfAllowedPlan: row.isOfAllowedPlan === 1,
        isMatch: row.isMatch === 1,
      }));
    },
  };
}

type Stored = Omit<RunMember, 'isMatch' | 'isAllowed' | 'isOfAllowedPlan' | 'done'> & {
  isMatch: number;
  isAllowed: number;
  isOfAllowedPlan: number;
  done: string | null;
};

/** The person has denied it, and can still undo that. */
const IS_DENIED = `EXISTS (SELECT 1 FROM confirmations WHERE action_id = actions.id
  AND confirmations.status = 'pending' AND denial_held_at_ms IS NOT NULL)`;

function statements(database: Database, whose: string) {
  const rows = `SELECT id, action_type AS actionType,
    iif(status = 'awaiting_confirmation' AND ${IS_DENIED}, 'denied', status) AS status, risk_level AS risk, created_at_ms AS createdAtMs,
    finished_at_ms AS finishedAtMs, artifact_count AS artifactCount,
    iif(status = 'success', done, NULL) AS done,
    EXISTS (SELECT 1 FROM confirmations WHERE action_id = actions.id AND confirmations.status = 'allowed') AS isAllowed,
    EXISTS (SELECT 1 FROM confirmations WHERE id = actions.plan_id AND confirmations.status = 'allowed') AS isOfAllowedPlan,
    (${IS_MATCH}) AS isMatch FROM actions WHERE ${whose}`;
  return {
    before: database.prepare<unknown[], Stored>(`${rows} AND id < :id ORDER BY id DESC LIMIT :limit`),
    after: database.prepare<unknown[], Stored>(`${rows} AND id > :id ORDER BY id LIMIT :limit`),
  };
}
