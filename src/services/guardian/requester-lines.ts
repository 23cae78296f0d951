import type { RequesterToday } from '../../contract/telemetry.ts';
import { requesterSubject } from '../../guardian/insights/requesters.ts';
import { daysBefore, startOfDay } from '../../guardian/metrics/local-time.ts';
import { type RequesterLine, requesterLine, wordsBefore } from '../../guardian/requesters/requester-line.ts';
import type { Context } from '../context.ts';
import { createExpected } from './expected.ts';
import { withName } from './insight-view.ts';
import { newProgramsIn } from './new-programs.ts';
import { createRequesterPast, NOTHING_KNOWN } from './requester-past.ts';
import type { Viewer } from './viewer.ts';
import { HOUR_MS, MINUTE_MS, type Span } from './windows.ts';

const MOST_LISTED = 50;

export type RequesterLines = ReturnType<typeof createRequesterLines>;

/** One line for each requester, judged by its own days. */
export function createRequesterLines(context: Context) {
  const { clock } = context;
  const expected = createExpected(context);
  const isExpected = (userId: string, atMs: number) => expected.is(requesterSubject(userId), atMs);
  const past = createRequesterPast(context, isExpected);
  let latest: readonly RequesterLine[] = [];

  function linesIn(span: Span, when: 'today' | 'yesterday'): RequesterLine[] {
    const before = past.before(span.fromMs);
    const programs = newProgramsIn(context, span, isExpected);
    const days = when === 'today' ? past.daysIn(span) : past.pastDay(span);
    return days.map((day) => {
      const known = before.get(day.userId) ?? NOTHING_KNOWN;
      const of = { past: known.past, programs: programs.get(day.userId) ?? [], knownTypes: known.types, when };
      const line = requesterLine(day, of);
      return isExpected(day.userId, span.fromMs) ? { ...line, signs: [] } : line;
    });
  }

  function spanOfToday(): Span {
    const nowMs = clock.nowMs();
    return { fromMs: startOfDay(nowMs), toMs: Math.floor(nowMs / MINUTE_MS + 1) * MINUTE_MS };
  }

  const today = (): RequesterLine[] => linesIn(spanOfToday(), 'today');

  /** The requests of each requester in each hour of today so far. */
  function hoursOfToday(): Map<string, number>[] {
    const { fromMs, toMs } = spanOfToday();
    return Array.from({ length: Math.ceil((toMs - fromMs) / HOUR_MS) }, (_, index) => {
      const hourMs = fromMs + index * HOUR_MS;
      const hour = { fromMs: hourMs, toMs: Math.min(toMs, hourMs + HOUR_MS) };
      const sums = context.store.recording.parts(hour, 'requester', { count: ['requested'], total: [] });
      return new Map(sums.map(({ key, count }) => [key, count]));
    });
  }

  return {
    /** The lines of today, and those of yesterday that were unusual and are not told of today. */
    told(): readonly RequesterLine[] {
      const lines = today();
      const isTold = (userId: string) => lines.some((line) => line.userId === userId && line.signs.length > 0);
      const yesterday = daysBefore(startOfDay(clock.nowMs()), 1).flatMap((span) => linesIn(span, 'yesterday'));
      latest = [...lines, ...yesterday.filter(({ userId, signs }) => signs.length > 0 && !isTold(userId))];
      return latest;
    },
    list(viewer: Viewer, named: (viewer: Viewer, userId: string) => string): RequesterToday[] {
      const lines = today().toSorted((one, other) => other.signs.length - one.signs.length);
      const hours = hoursOfToday();
      return lines.slice(0, MOST_LISTED).map((line) => ({
        ...shownLine(line, named(viewer, line.userId)),
        hours: hours.map((hour) => hour.get(line.userId) ?? 0),
      }));
    },
    /** For the prompt: the days before of a requester, and its line of today if that is unusual. */
    forPrompt(userId: string): { before: string; unusual?: string } {
      const known = past.before(startOfDay(clock.nowMs())).get(userId) ?? NOTHING_KNOWN;
      const line = latest.find((each) => each.userId === userId && each.signs.length > 0);
      return { before: wordsBefore(known.past), unusual: line && shownLine(line, userId).words };
    },
    /** Until when the person expects what an insight tells. */
    expectedUntilMs: expected.untilMs,
    /** The person expects what an insight told so far. */
    expect(subject: string): void {
      expected.note(subject);
      past.forget();
    },
  };
}

function shownLine({ words, did, past, signs }: RequesterLine, requester: string): Omit<RequesterToday, 'hours'> {
  return {
    requester,
    words: withName(words, requester),
    did,
    before: wordsBefore(past),
    isUnusual: signs.length > 0,
  };
}
