import type { MetricType } from './guardian.ts';

/** The reason why several metrics go up together. */
export type Cause =
  | 'much at once'
  | 'failures'
  | 'slowness'
  | 'answers'
  | 'no answers'
  | 'grants'
  | 'refusals'
  | 'controls'
  | 'new work'
  | 'stopped tasks'
  | 'device';

/**
 * The cause behind a metric: metrics with the same one go up and down together. A loop of actions raises the requests, the prompts, the
 * captures and the high-risk actions, and a person who is told of one of them has been told of the loop.
 */
export const CAUSES: Record<MetricType, Cause> = {
  action_rate: 'much at once',
  action_burst_peak: 'much at once',
  action_diversity: 'new work',
  action_success_rate: 'failures',
  action_latency_p95: 'slowness',
  action_retry_rate: 'failures',
  task_success_rate: 'failures',
  task_duration_p95: 'slowness',
  elevated_action_share: 'much at once',
  high_risk_executions: 'much at once',
  irreversible_executions: 'much at once',
  novel_action_share: 'new work',
  screen_capture_rate: 'much at once',
  confirmation_prompt_rate: 'much at once',
  confirmation_approval_rate: 'answers',
  confirmation_expiry_rate: 'no answers',
  confirmation_response_p50: 'answers',
  hasty_approval_share: 'answers',
  standing_grant_share: 'grants',
  human_intervention_rate: 'stopped tasks',
  denied_action_share: 'refusals',
  control_violations: 'controls',
  device_readiness: 'device',
};

/** The cause behind an insight: that of the metric it is mainly about. */
export function causeOf([first]: readonly MetricType[]): Cause | undefined {
  return first === undefined ? undefined : CAUSES[first];
}
