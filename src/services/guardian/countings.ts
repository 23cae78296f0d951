import type { MetricType } from '../../contract/guardian.ts';

/** The things that a metric counts, in words for a person. `device_readiness` is about the one agent of the computer and has no parts. */
export const COUNTED: Record<Exclude<MetricType, 'device_readiness'>, string> = {
  action_rate: 'Actions requested',
  action_burst_peak: 'Actions requested',
  action_diversity: 'Actions requested',
  action_success_rate: 'Actions that succeeded',
  action_latency_p95: 'Actions that ended',
  action_retry_rate: 'Retries, and requests that repeat the same request within ten minutes',
  task_success_rate: 'Tasks that succeeded',
  task_duration_p95: 'Tasks that ended',
  elevated_action_share: 'Requested actions of medium risk or above',
  high_risk_executions: 'Actions of high or critical risk that ran',
  irreversible_executions: 'Actions that ran and cannot be undone',
  novel_action_share: 'Requests for a combination of requester, action type and target that was new',
  screen_capture_rate: 'Pictures and descriptions of the screen',
  confirmation_prompt_rate: 'Prompts',
  confirmation_approval_rate: 'Answered prompts that you allowed',
  confirmation_expiry_rate: 'Prompts that expired',
  confirmation_response_p50: 'Prompts that were answered',
  hasty_approval_share: 'Approvals of medium risk or above that took less than 2 s',
  standing_grant_share: 'Actions of medium risk or above that ran under a grant',
  human_intervention_rate: 'Tasks that you stopped, or of which you stopped a step',
  denied_action_share: 'Actions blocked, denied or refused',
  control_violations: 'Actions that ran, were approved or ended without the decision that must come before',
};
