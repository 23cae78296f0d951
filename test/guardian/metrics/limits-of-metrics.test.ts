import { expect, test } from 'vitest';
import type { MetricType } from '../../../src/contract/guardian.ts';
import { type Limit, METRICS } from '../../../src/contract/metrics.ts';

const OF = { value: '', valuePerHour: ' an hour', baselineMedian: ' times usual' };

function inWords({ green, red, of, minimumSample }: Limit): string {
  return `${green} to ${red}${OF[of]}${minimumSample === undefined ? '' : ` from ${minimumSample} on`}`;
}

test.each<[MetricType, number, string, number]>([
  ['action_rate', 0, '', 0.1],
  ['action_burst_peak', 0, '30 to 120', 0.2],
  ['action_diversity', 10, '0.3 to 0, 3.5 to 4.857980995127572', 0.15],
  ['action_success_rate', 10, '0.95 to 0.7', 0.35],
  ['action_latency_p95', 20, '1.5 to 5 times usual', 0.1],
  ['action_retry_rate', 10, '0.05 to 0.4', 0.2],
  ['task_success_rate', 5, '0.95 to 0.6', 0.35],
  ['task_duration_p95', 20, '1.5 to 5 times usual', 0.08],
  ['elevated_action_share', 20, '0.1 to 0.6', 0.25],
  ['high_risk_executions', 0, '0 to 10 an hour', 0.35],
  ['irreversible_executions', 0, '0 to 5 an hour', 0.4],
  ['novel_action_share', 20, '0.05 to 0.5', 0.25],
  ['screen_capture_rate', 0, '60 to 600', 0.2],
  ['confirmation_prompt_rate', 0, '6 to 30', 0.3],
  ['confirmation_approval_rate', 10, '0.95 to 1 from 20 on', 0.3],
  ['confirmation_expiry_rate', 5, '0.1 to 0.6', 0.2],
  ['confirmation_response_p50', 5, '3000 to 1000', 0.25],
  ['hasty_approval_share', 5, '0 to 0.5', 0.35],
  ['standing_grant_share', 20, '0.5 to 0.95', 0.25],
  ['human_intervention_rate', 5, '0.1 to 0.4', 0.3],
  ['denied_action_share', 10, '0.05 to 0.4', 0.35],
  ['control_violations', 0, '0 to 1', 0.9],
  ['device_readiness', 300, '0.99 to 0.8', 0.15],
])('%s needs %d samples, its limits are %s, and its weight is %d', (type, samples, words, share) => {
  const { minimumSample, limits, weight } = METRICS[type];
  expect([minimumSample, limits.map(inWords).join(', '), weight]).toEqual([samples, words, share]);
});
