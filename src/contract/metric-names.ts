import type { MetricType } from './guardian.ts';

/** The name of each metric, for people. */
export const METRIC_NAMES: Record<MetricType, string> = {
  action_rate: 'Actions requested',
  action_burst_peak: 'Most actions requested within one minute',
  action_diversity: 'Variety of the requested actions',
  action_success_rate: 'Actions that succeeded',
  action_latency_p95: 'Slowest 5 % of actions took longer than',
  action_retry_rate: 'Actions that were retried or requested again',
  task_success_rate: 'Tasks that succeeded',
  task_duration_p95: 'Slowest 5 % of tasks took longer than',
  elevated_action_share: 'Requested actions of medium risk or above',
  high_risk_executions: 'Actions of high or critical risk that ran',
  irreversible_executions: 'Actions that ran and cannot be undone',
  novel_action_share: 'Requested actions of a kind not seen for 28 days',
  screen_capture_rate: 'Pictures and descriptions of the screen',
  confirmation_prompt_rate: 'Prompts',
  confirmation_approval_rate: 'Answered prompts that you allowed',
  confirmation_expiry_rate: 'Prompts that expired without an answer',
  confirmation_response_p50: 'Typical answer time',
  hasty_approval_share: 'Approvals of medium risk or above that took less than 2 s',
  standing_grant_share: 'Actions of medium risk or above that ran under a grant',
  human_intervention_rate: 'Tasks that you cancelled or stopped',
  denied_action_share: 'Requested actions that were blocked or denied',
  control_violations: 'Failed security checks',
  device_readiness: 'Time in which the device was ready',
};

/** What a limit leaves out: requests that asked the person are within every limit. */
export const limitEnd = (type: MetricType): string => (type === 'elevated_action_share' ? ' without asking you' : '');
