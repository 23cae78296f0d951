import type { MetricType } from '../../contract/guardian.ts';
import { measuredOf } from '../recording/metric-windows.ts';
import { hoursUp, type Recorded } from '../recording/metrics.ts';
import { regularizedBeta } from '../statistics/beta-function.ts';
import { metricDefinition } from './metric-types.ts';

/** Our own choice. */
const SURE = 0.99;
/** A rate per hour says little while the machine was up for less than this part of the window. */
const LEAST_PART = 1 / 6;
const HOUR_MS = 3_600_000;

/**
 * Whether the ratio behind a window is beyond red with a probability of 99 %: the posterior of a binomial share with Jeffreys' prior (Brown,
 * Cai & DasGupta 2001). A rate is sure once the machine was up for a sixth of the window. Any other metric is taken at its value, which its caller knows to be beyond red.
 */
export function isSurelyBeyondRed(type: MetricType, recorded: Recorded): boolean {
  const measured = measuredOf(type, recorded);
  if (isPerHour(type)) return hoursUp(recorded.upTime) >= leastHours(recorded);
  if (measured?.kind !== 'ratio') return true;
  const { hits, total } = measured;
  return metricDefinition(type).limits.some(({ green, red }) => {
    const below = regularizedBeta(red, { a: hits + 0.5, b: total - hits + 0.5 });
    return (red > green ? 1 - below : below) >= SURE;
  });
}

/** Whether a metric is a rate per hour, or has a limit per hour. */
export function isPerHour(type: MetricType): boolean {
  const { unit, limits } = metricDefinition(type);
  return unit === '/h' || limits.some(({ of }) => of === 'valuePerHour');
}

/** The hours over which a rate is taken at least, however short the machine was up: it had no time to be calm. */
export function leastHours({ lengthMs }: Pick<Recorded, 'lengthMs'>): number {
  return (LEAST_PART * lengthMs) / HOUR_MS;
}
