import type { Counter } from '../../contract/counters.ts';
import { METRICS } from '../../contract/metrics.ts';
import type { RiskCause } from '../../contract/risk.ts';
import { heldCounters } from './refusing-controls.ts';

/** The counters whose events are behind a cause of risk: they tell when it began, when it was last seen, and whose they are. */
export function countersBehind(cause: RiskCause): readonly Counter[] {
  if (cause === 'controls_held') return heldCounters();
  if (cause === 'requesters') return ['requested'];
  const { bad, hits } = METRICS[cause];
  return bad ?? hits;
}
