import { daysBefore } from '../../guardian/metrics/local-time.ts';
import { NO_PAST, type Past, pastAfter, type RequesterDay } from '../../guardian/requesters/usual-days.ts';
import type { Context } from '../context.ts';
import type { Span } from './windows.ts';

/** As many days are gone through to know what is usual. An attack that lasts for less than that never becomes usual by itself. */
const DAYS = 70;
/** Today and yesterday are told of. */
const MOST_REMEMBERED = 2;

/** The days of one requester before a day; `types`: the action types that it used. */
export type Known = { past: Past; types: ReadonlySet<string> };

export const NOTHING_KNOWN: Known = { past: NO_PAST, types: new Set() };

/**
 * The past of every requester. Past days do not change, so each is read once, and they are gone through once for each day that is told of. `isExpected`: whether the
 * person expects what a requester did at a time.
 */
export function createRequesterPast(
  { store }: Pick<Context, 'store'>,
  isExpected: (userId: string, atMs: number) => boolean,
) {
  const read = new Map<number, RequesterDay[]>();
  const known = new Map<number, ReadonlyMap<string, Known>>();

  function daysIn(span: Span): RequesterDay[] {
    const rows = Map.groupBy(store.recording.requesters(span), ({ userId }) => userId);
    const hours = Map.groupBy(store.recording.inputsByHour(span), ({ userId }) => userId);
    return [...rows].map(([userId, types]) => ({ userId, types, hours: hours.get(userId) ?? [] }));
  }

  function pastDay(span: Span): RequesterDay[] {
    const days = read.get(span.fromMs) ?? daysIn(span);
    read.set(span.fromMs, days);
    return days;
  }

  function goThrough(dayMs: number): ReadonlyMap<string, Known> {
    const requesters = new Map<string, Known>();
    for (const span of daysBefore(dayMs, DAYS)) {
      for (const day of pastDay(span)) {
        const { past, types } = requesters.get(day.userId) ?? NOTHING_KNOWN;
        requesters.set(day.userId, {
          past: pastAfter(past, day, isExpected(day.userId, span.fromMs)),
          types: new Set([...types, ...day.types.map(({ type }) => type)]),
        });
      }
    }
    return requesters;
  }

  return {
    daysIn,
    pastDay,
    /** The past of each requester before a day. */
    before(dayMs: number): ReadonlyMap<string, Known> {
      const found = known.get(dayMs) ?? goThrough(dayMs);
      if (known.size >= MOST_REMEMBERED && !known.has(dayMs)) known.clear();
      known.set(dayMs, found);
      return found;
    },
    /** Goes through the days again when it is asked next. */
    forget: (): void => known.clear(),
  };
}
