import type { InsightStep } from '../../contract/guardian.ts';
import type { RiskCause } from '../../contract/risk.ts';
import { BY_ACTIONS } from '../../guardian/risk/own-approvals.ts';
import { HELD_STEPS, type HeldControl } from '../../guardian/risk/refusing-controls.ts';

const ACTIVITY = '/api/console/activity';
const TASKS = '/api/console/tasks';
const STATUS = '/api/console/status';

type Of = {
  requester: string | undefined;
  held: HeldControl | undefined;
  isJournal: boolean;
  isApproved: boolean;
};

const look = (label: string, target: string | null): InsightStep => ({ kind: 'inspect', label, target });

const ALLOWED = look('Look at the actions that you allowed', ACTIVITY);

/** A step that needs no requester. */
const STEPS: Partial<Record<RiskCause, InsightStep>> = {
  action_latency_p95: look('Look at the latest actions', ACTIVITY),
  task_success_rate: look('Look at the latest tasks', TASKS),
  task_duration_p95: look('Look at the latest tasks', TASKS),
  human_intervention_rate: look('Look at the latest tasks', TASKS),
  action_success_rate: look('Look at the actions that failed', ACTIVITY),
  confirmation_approval_rate: ALLOWED,
  confirmation_response_p50: ALLOWED,
  hasty_approval_share: ALLOWED,
  confirmation_expiry_rate: look('Look at the prompts that wait', '/api/console/confirmations'),
  device_readiness: look('Look at the state of the agent', STATUS),
};

/**
 * The next step for a cause. `requester`: the name of the one that most of it came from; only then is pausing it a step.
 * `held`: the weightiest control that held. `isJournal`: the check of the journal failed. `isApproved`: the person approved what ran.
 */
export function nextStep(cause: RiskCause, { requester, held, isJournal, isApproved }: Of): InsightStep {
  if (cause === 'controls_held' && held !== undefined) return HELD_STEPS[held];
  if (cause === 'control_violations') {
    return isJournal
      ? look('Check the journal', '/api/console/audit/verify')
      : look('Look at the latest actions', ACTIVITY);
  }
  if (cause === 'standing_grant_share') {
    return { kind: 'review_grants', label: 'Look at your grants', target: requester ?? null };
  }
  const step = STEPS[cause];
  if (step !== undefined) return step;
  if (isApproved && BY_ACTIONS.has(cause)) return ALLOWED;
  if (requester === undefined) return look('Look at the latest actions', ACTIVITY);
  return { kind: 'pause_requester', label: `Pause ${requester}`, target: requester };
}
