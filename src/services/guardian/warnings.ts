import type { Warning, Window } from '../../contract/guardian.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';

const MOST_LENGTHS = 100;

/** A matter that a person must see to now. `subject` is the same as long as it is about the same; `sinceMs` where it is known. */
export type ToDo = { subject: string; message: string; sinceMs?: number | undefined };

/** A warning before it is known since when. */
export type Concern = Omit<Warning, 'since'> & { subject: string; sinceMs?: number | undefined };

type Notices = {
  /** The concerns of now, each with when it was first noticed; others are forgotten. */
  note(concerns: readonly Concern[]): Warning[];
  sinceMs(subject: string): number | undefined;
};

/**
 * Urgent matters, then concerns about metrics. `since`: when a concern was first noticed, for each length of window by itself. In a
 * past window it is no later than the end of the window.
 */
export function createWarnings({ clock }: Pick<Context, 'clock'>) {
  const urgent = createNotices(clock.nowMs);
  const ofMetrics = new Map<number, Notices>();

  function ofWindow({ to, length }: Window, concerns: readonly Concern[]): Warning[] {
    const notices = ofMetrics.get(length) ?? createNotices(clock.nowMs);
    const endMs = Date.parse(to);
    if (endMs <= clock.nowMs()) {
      // Concerns of the past say nothing of now, so they are not noted.
      return concerns.map((each) => warningOf(each, Math.min(endMs, notices.sinceMs(each.subject) ?? endMs)));
    }
    if (ofMetrics.size < MOST_LENGTHS) ofMetrics.set(length, notices);
    return notices.note(concerns);
  }

  return {
    /** All of one window. To be called every minute for the usual one, so that it is known since when. */
    list(window: Window, of: { concerns: readonly Concern[]; now: readonly ToDo[] }): Warning[] {
      return [...urgent.note(of.now.map(urgentConcern)), ...ofWindow(window, of.concerns)];
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
