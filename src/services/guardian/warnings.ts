import type { MetricSnapshot, Warning } from '../../contract/guardian.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';

type Concern = Omit<Warning, 'since'>;

/** What is not as it should be: metrics beyond green, and what a person must do now. `since`: when it was first noticed. */
export function createWarnings({ clock }: Context) {
  let noticed = new Map<string, number>();
  return (metrics: readonly MetricSnapshot[], now: readonly string[]): Warning[] => {
    const concerns = [...now.map(urgent), ...metrics.flatMap(concernOf)];
    const subjectOf = ({ metricType, message }: Concern) => metricType ?? message;
    noticed = new Map(concerns.map((each) => [subjectOf(each), noticed.get(subjectOf(each)) ?? clock.nowMs()]));
    return concerns.map((each) => ({ ...each, since: timestamp(noticed.get(subjectOf(each)) ?? clock.nowMs()) }));
  };
}

function urgent(message: string): Concern {
  return { metricType: null, status: 'bad', message };
}

function concernOf({ type, value, unit, status, target }: MetricSnapshot): Concern[] {
  if ((status !== 'watch' && status !== 'bad') || value === null) return [];
  const shown = unit === 'ratio' ? `${Math.round(1000 * value) / 10} %` : `${Math.round(100 * value) / 100} ${unit}`;
  const limit = target.green === null ? '' : `; worry begins at ${target.green}`;
  return [{ metricType: type, status, message: `${type} is ${shown}${limit}.` }];
}
