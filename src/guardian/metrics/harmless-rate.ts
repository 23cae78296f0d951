import type { MetricType } from '../../contract/guardian.ts';
import { metricDefinition } from './metric-types.ts';
import type { Measured } from './metric-window.ts';

/**
 * Whether a rate is within green, even if all of it is taken to have happened in one hour. So much is fine on any desktop, however seldom it
 * comes on this one. A shorter window has no hour to be calm in: twenty captures in a quarter of one are not yet eighty an hour.
 * Rates without limits are never harmless by themselves.
 */
export function isHarmlessRate(type: MetricType, measured: Measured): boolean {
  const { unit, limits } = metricDefinition(type);
  if (measured.kind !== 'count' || unit !== '/h' || limits.length === 0) return false;
  return limits.every(({ green }) => measured.count <= green * Math.max(1, measured.exposure));
}
