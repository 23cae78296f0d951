import { BREAKDOWNS, type BreakdownPart, type MetricBreakdown } from '../../contract/console-series.ts';
import type { MetricType } from '../../contract/guardian.ts';
import { behindMachine } from '../../contract/machine-rules.ts';
import { METRICS } from '../../contract/metrics.ts';
import type { Context } from '../context.ts';
import type { Span } from './windows.ts';

type By = (typeof BREAKDOWNS)[number];

const MOST_PARTS = 20;
const MOST_DEVICES = 500;
const NONE: ReadonlyMap<string, string> = new Map();
const TASKS: readonly MetricType[] = ['task_success_rate', 'task_duration_p95', 'human_intervention_rate'];

/**
 * The counts that a metric is made of, by requester, type and device; `null` where it is made of none. They come from the same counters as
 * the metric, over the same span.
 */
export function createBreakdown({ store }: Context) {
  const deviceNames = () =>
    new Map(store.devices.all(MOST_DEVICES).map(({ id, machine, name }) => [id, behindMachine(machine, name)]));

  return (metric: MetricType, span: Span): MetricBreakdown | null => {
    if (metric === 'device_readiness') return null;
    const { hits, of = hits } = METRICS[metric];
    const names = deviceNames();
    // A task may use several types of actions and several devices.
    const wanted: readonly By[] = TASKS.includes(metric) ? ['requester'] : BREAKDOWNS;
    return {
      counted: METRICS[metric].counted ?? METRICS[metric].name,
      isShare: of !== hits,
      groups: wanted.map((by) => {
        const sums = store.recording.parts(span, by, { count: hits, total: of });
        const named = sums.map((part) => ({ ...part, name: nameOf(part.key, metric, by === 'device' ? names : NONE) }));
        const parts = by === 'device' ? merged(named) : named;
        const items = parts.slice(0, MOST_PARTS);
        return { by, items, others: Math.max(0, parts.length - MOST_PARTS) };
      }),
    };
  };
}

/** Registrations of one name are one device. It has the key of the registration with the largest count. */
function merged(parts: readonly BreakdownPart[]): BreakdownPart[] {
  const sums = [...Map.groupBy(parts, ({ name }) => name).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [others.reduce(sumOf, first)],
  );
  return sums.toSorted((one, other) => other.count - one.count || other.total - one.total);
}

function sumOf(sum: BreakdownPart, { count, total }: BreakdownPart): BreakdownPart {
  return { ...sum, count: sum.count + count, total: sum.total + total };
}

/** A prompt for a plan has no action type and no device, and so has a request that was refused before an action existed. */
function nameOf(key: string, metric: MetricType, devices: ReadonlyMap<string, string>): string {
  if (key !== '') return devices.get(key) ?? key;
  return metric.startsWith('confirmation') || metric === 'hasty_approval_share'
    ? 'plans of several steps'
    : 'no action';
}
