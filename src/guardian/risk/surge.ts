import type { MetricType } from '../../contract/guardian.ts';
import { amountOf, type Usual } from '../metrics/usual.ts';
import { hoursUp, type Recorded } from '../recording/metrics.ts';

/** How many times the usual amount is a surge. */
const TIMES_USUAL = 5;
/** Work comes in heaps, so a surge is also twice as large as the largest of the earlier windows. */
const TIMES_LARGEST = 2;
/** And the spread of the earlier windows does not explain it, as for trends. */
const UNUSUAL_Z = 3.5;

/** An amount far beyond what is usual on this desktop. `usual`: the amounts in windows of this length; `null` without a history. */
export type Surge = { metricType: MetricType; amount: number; usual: { median: number; largest: number } | null };

/**
 * `least`: a smaller amount is no surge, however little is usual. `redAnHour`, `red`: the limit where there is no history; requests have
 * none. All of our own judgement.
 */
type Kind = { metricType: MetricType; least: number; red?: number; redAnHour?: number };

const KINDS: readonly Kind[] = [
  { metricType: 'action_rate', least: 100 },
  { metricType: 'action_burst_peak', least: 30, red: 120 },
  { metricType: 'high_risk_executions', least: 20, redAnHour: 10 },
  { metricType: 'irreversible_executions', least: 10, redAnHour: 5 },
];

/** The least score by the number of surges: the level `moderate` for one, `high` for two, and some more for each further one. */
const FLOORS = [0, 25, 50, 60, 65] as const;

/** Requests, bursts, high-risk and irreversible executions beyond five times the median, and twice the largest amount of the last weeks. */
export function surgesIn(recorded: Recorded, usual: Usual): Surge[] {
  return KINDS.flatMap((kind) => {
    const { metricType } = kind;
    const surge = { metricType, amount: amountOf(metricType, recorded), usual: usual.amountOf(metricType) };
    const z = usual.zOf(metricType, recorded) ?? UNUSUAL_Z;
    return isSurge(surge, kind, recorded) && z >= UNUSUAL_Z ? [surge] : [];
  });
}

export function surgeFloor(surges: number): number {
  return FLOORS[Math.min(surges, FLOORS.length - 1)] ?? 0;
}

function isSurge({ amount, usual }: Surge, { least, red, redAnHour }: Kind, recorded: Recorded): boolean {
  if (usual !== null) {
    return amount >= least && amount > TIMES_USUAL * usual.median && amount >= TIMES_LARGEST * usual.largest;
  }
  const limit = red ?? (redAnHour === undefined ? undefined : redAnHour * hoursUp(recorded.upTime));
  return limit !== undefined && amount >= Math.max(least, limit);
}
