import type { MetricSnapshot, Warning } from '../../contract/guardian.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';
import { metricSentence } from './metric-sentence.ts';

const MOST_LENGTHS = 100;

/** What a person must do now. `subject` is the same as long as it is about the same; `sinceMs` where it is known. */
export type ToDo = { subject: string; message: string; sinceMs?: number | undefined };

type Concern = Omit<Warning, 'since'> & { subject: string; sinceMs?: number | undefined };

/**
 * What is not as it should be: what a person must do now, and metrics beyond green. `since`: when it was first noticed, by metric
 * for each length of window by itself.
 */
export function createWarnings({ clock }: Context) {
  const urgent = createNotices(clock.nowMs);
  const ofMetrics = new Map<number, ReturnType<typeof createNotices>>();

  return {
    /** Notes what must be done now, so that it is known since when. */
    note: (now: readonly ToDo[]): void => void urgent(now.map(urgentConcern)),
    list(metrics: readonly MetricSnapshot[], now: readonly ToDo[]): Warning[] {
      const lengthMs = metrics[0]?.window.length ?? 0;
      const notices = ofMetrics.get(lengthMs) ?? createNotices(clock.nowMs);
      if (ofMetrics.size < MOST_LENGTHS) ofMetrics.set(lengthMs, notices);
      return [...urgent(now.map(urgentConcern)), ...notices(metrics.flatMap(metricConcern))];
    },
  };
}

/** Remembers of each concern when it came, until it is one no more. */
function createNotices(nowMs: () => number): (concerns: readonly Concern[]) => Warning[] {
  let noticed = new Map<string, number>();
  return (concerns) => {
    noticed = new Map(
      concerns.map(({ subject, sinceMs }) => [subject, sinceMs ?? noticed.get(subject) ?? nowMs()] as const),
    );
    return concerns.map(({ subject, sinceMs: _known, ...concern }) => {
      return { ...concern, since: timestamp(noticed.get(subject) ?? nowMs()) };
    });
  };
}

function urgentConcern({ message, ...which }: ToDo): Concern {
  return { metricType: null, status: 'bad', message, ...which };
}

function metricConcern({ type, value, unit, status, target }: MetricSnapshot): Concern[] {
  if ((status !== 'watch' && status !== 'bad') || value === null) return [];
  return [{ metricType: type, status, message: metricSentence({ type, value, unit, target }), subject: type }];
}
