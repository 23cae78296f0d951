import type { RiskCause } from '../../contract/risk.ts';
import type { Counter } from '../recording/rollup.ts';
import { heldCounters } from './refusing-controls.ts';

/** The counters whose events are behind a cause of risk: they tell when it began and when it was last seen. */
export const CAUSE_COUNTERS: Record<RiskCause, readonly Counter[]> = {
  action_rate: ['requested'],
  action_burst_peak: ['requested'],
  action_diversity: ['requested'],
  action_success_rate: ['failed'],
  action_latency_p95: ['executed'],
  action_retry_rate: ['retried', 'repeated'],
  task_success_rate: ['taskFailed'],
  task_duration_p95: ['taskSucceeded', 'taskFailed'],
  elevated_action_share: ['requestedMedium', 'requestedHigh', 'requestedCritical'],
  high_risk_executions: ['executedHigh'],
  irreversible_executions: ['executedIrreversible'],
  novel_action_share: ['novel'],
  screen_capture_rate: ['captured'],
  confirmation_prompt_rate: ['prompted'],
  confirmation_approval_rate: ['promptAllowed', 'promptDenied'],
  confirmation_expiry_rate: ['promptExpired'],
  confirmation_response_p50: ['promptAllowed', 'promptDenied'],
  hasty_approval_share: ['promptAllowedHastily'],
  standing_grant_share: ['executedByGrant'],
  human_intervention_rate: ['taskIntervened'],
  denied_action_share: ['blocked', 'denied', 'requestRefused'],
  control_violations: ['journalBroken', 'executedUndecided', 'approvedUnasked', 'outcomeUnexpected'],
  controls_held: heldCounters(),
  device_readiness: ['agentLost'],
};
