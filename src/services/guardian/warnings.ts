import type { MetricSnapshot, Warning, Window } from '../../contract/guardian.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';
import { metricSentence } from './metric-sentence.ts';

const MOST_LENGTHS = 100;

/** What a person must do now. `subject` is the same as long as it is about the same; `sinceMs` where it is known. */
export type ToDo = { subject: string; message: string; sinceMs?: number | undefined };

type Concern = Omit<Warning, 'since'> & { subject: string; sinceMs?: number | undefined };

type Notices = {
  /** What is so now, each with when it was first noticed; what is so no more is forgotten. */
  note(concerns: readonly Concern[]): Warning[];
  sinceMs(subject: string): number | undefined;
};

/**
 * What is not as it should be: what a person must do now, and metrics beyond green. `since`: when it was first noticed, by metric
 * for each length of window by itself; in a window that is over, no later than at its end.
 */
export function createWarnings({ clock }: Context) {
  const urgent = createNotices(clock.nowMs);
  const ofMetrics = new Map<number, Notices>();

  function ofWindow({ to, length }: Window, concerns: readonly Concern[]): Warning[] {
    const notices = ofMetrics.get(length) ?? createNotices(clock.nowMs);
    const endMs = Date.parse(to);
    if (endMs <= clock.nowMs()) {
      // What was so then says nothing of now, so nothing is noted.
      return concerns.map((each) => warningOf(each, Math.min(endMs, notices.sinceMs(each.subject) ?? endMs)));
    }
    if (ofMetrics.size < MOST_LENGTHS) ofMetrics.set(length, notices);
    return notices.note(concerns);
  }

  return {
    /** All of one window. To be called every minute for the usual one, so that it is known since when. */
    list(metrics: readonly MetricSnapshot[], now: readonly ToDo[]): Warning[] {
      const [first] = metrics;
      const inMetrics = first === undefined ? [] : ofWindow(first.window, metrics.flatMap(metricConcern));
      return [...urgent.note(now.map(urgentConcern)), ...inMetrics];
    },
  };
}

function createNotices(nowMs: () => number): Notices {
  let noticed = new Map<string, number>();
  return {
    note(concerns) {
      const known = concerns.map((each) => {
        return { ...each, sinceMs: each.sinceMs ?? noticed.get(each.subject) ?? nowMs() };
      });
      noticed = new Map(known.map(({ subject, sinceMs }) => [subject, sinceMs]));
      return known.map((each) => warningOf(each, each.sinceMs));
    },
    sinceMs: (subject) => noticed.get(subject),
  };
}

function warningOf({ metricType, status, message }: Concern, sinceMs: number): Warning {
  return { metricType, status, message, since: timestamp(sinceMs) };
}

function urgentConcern({ message, ...which }: ToDo): Concern {
  return { metricType: null, status: 'bad', message, ...which };
}

function metricConcern({ type, value, unit, status, target }: MetricSnapshot): Concern[] {
  if ((status !== 'watch' && status !== 'bad') || value === null) return [];
  return [{ metricType: type, status, message: metricSentence({ type, value, unit, target }), subject: type }];
}
