import type { RequesterToday } from '../../contract/requesters.ts';
import { requesterSubject } from '../../guardian/insights/unusual-requester.ts';
import { daysBefore, startOfDay } from '../../guardian/metrics/local-time.ts';
import type { RequesterDay } from '../../guardian/requesters/requester-day.ts';
import { type RequesterLine, requesterLine, wordsBefore } from '../../guardian/requesters/requester-line.ts';
import { NO_PAST, type Past, pastAfter } from '../../guardian/requesters/usual-days.ts';
import type { Context } from '../context.ts';
import type { Expected } from './expected.ts';
import { withNames } from './insight-view.ts';
import { newProgramsIn } from './new-programs.ts';
import type { Viewer } from './viewer.ts';
import type { Span } from './windows.ts';

/** As many days are gone through to know what is usual. An attack that lasts for less than that never becomes usual by itself. */
const DAYS = 70;
const MOST_LISTED = 50;

type Known = { past: Past; types: ReadonlySet<string> };

const NOTHING_KNOWN: Known = { past: NO_PAST, types: new Set() };

/** Judges each requester by its own days. Past days do not change, so each is read once; they are gone through once a day. */
export function createRequesters(context: Context, expected: Expected) {
  const { store, clock } = context;
  const isExpected = (userId: string, atMs: number) => expected.is(requesterSubject(userId), atMs);
  const read = new Map<number, RequesterDay[]>();
  let known = { ofDayMs: Number.NaN, requesters: new Map<string, Known>() };

  function daysIn(span: Span): RequesterDay[] {
    const rows = Map.groupBy(store.recording.requesters(span), ({ userId }) => userId);
    return [...rows].map(([userId, types]) => ({ userId, types }));
  }

  function pastDay(span: Span): RequesterDay[] {
    const days = read.get(span.fromMs) ?? daysIn(span);
    read.set(span.fromMs, days);
    return days;
  }

  /** What each requester did before a day. */
  function knownBefore(dayMs: number): ReadonlyMap<string, Known> {
    if (known.ofDayMs === dayMs) return known.requesters;
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
    known = { ofDayMs: dayMs, requesters };
    return requesters;
  }

  function linesIn(span: Span, when: 'today' | 'yesterday'): RequesterLine[] {
    const before = knownBefore(span.fromMs);
    const programs = newProgramsIn(context, span, isExpected);
    return daysIn(span).map((day) => {
      const { past, types } = before.get(day.userId) ?? NOTHING_KNOWN;
      const program = programs.get(day.userId) ?? null;
      const line = requesterLine(day, { past, program, knownTypes: types, when });
      return isExpected(day.userId, span.fromMs) ? { ...line, signs: [] } : line;
    });
  }

  function today(): RequesterLine[] {
    const nowMs = clock.nowMs();
    return linesIn({ fromMs: startOfDay(nowMs), toMs: Math.ceil((nowMs + 1) / 60_000) * 60_000 }, 'today');
  }

  return {
    /** The lines of today, and those of yesterday that were unusual and are not told of today. */
    told(): RequesterLine[] {
      const lines = today();
      const isTold = (userId: string) => lines.some((line) => line.userId === userId && line.signs.length > 0);
      const [yesterday] = daysBefore(startOfDay(clock.nowMs()), 1);
      const before = yesterday === undefined ? [] : linesIn(yesterday, 'yesterday');
      return [...lines, ...before.filter(({ userId, signs }) => signs.length > 0 && !isTold(userId))];
    },
    list(viewer: Viewer, named: (viewer: Viewer, userId: string) => string): RequesterToday[] {
      return today()
        .toSorted((one, other) => other.signs.length - one.signs.length)
        .slice(0, MOST_LISTED)
        .map(({ userId, words, past, signs }) => {
          const requester = named(viewer, userId);
          const isUnusual = signs.length > 0;
          return {
            requester,
            words: withNames(words, { user: requester, step: '' }),
            before: wordsBefore(past),
            isUnusual,
          };
        });
    },
    /** Days that the person expects now are gone through again. */
    forget(): void {
      known = { ...known, ofDayMs: Number.NaN };
    },
  };
}
