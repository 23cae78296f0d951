import type { MetricType } from '../../contract/guardian.ts';
import type { RiskCause } from '../../contract/risk.ts';
import { METRIC_COUNTS } from '../recording/metrics.ts';
import type { Counter } from '../recording/rollup.ts';
import { heldCounters } from './refusing-controls.ts';

/** Causes whose bad events are not the events that the metric counts. */
const OTHERS: Partial<Record<RiskCause, readonly Counter[]>> = {
  action_success_rate: ['failed'],
  task_success_rate: ['taskFailed'],
  device_readiness: ['agentLost'],
  controls_held: heldCounters(),
  requesters: ['requested'],
};

/** The counters whose events are behind a cause of risk: they tell when it began, when it was last seen, and whose they are. */
export function countersBehind(cause: RiskCause): readonly Counter[] {
  return OTHERS[cause] ?? METRIC_COUNTS[cause as MetricType].hits;
}
