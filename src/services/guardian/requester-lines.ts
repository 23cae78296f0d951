import type { RequesterToday } from '../../contract/telemetry.ts';
import { isCapture } from '../../domain/catalogue.ts';
import { requesterSubject } from '../../guardian/insights/requesters.ts';
import { daysBefore, startOfDay } from '../../guardian/metrics/local-time.ts';
import {
  type NewProgram,
  type RequesterLine,
  requesterLine,
  wordsBefore,
} from '../../guardian/requesters/requester-line.ts';
import { NO_PAST, type Past, pastAfter, type RequesterDay } from '../../guardian/requesters/usual-days.ts';
import type { Context } from '../context.ts';
import { nameOf } from './facts.ts';
import { withName } from './insights.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Span } from './time-windows.ts';
import type { Viewer } from './viewer.ts';

const MOST_LISTED = 50;

export type RequesterLines = ReturnType<typeof createRequesterLines>;

const STORED = 'expectedSubjects';
const MOST = 500;

/** The insights that the person expected, with the moment of saying so. Earlier events of the same subject count as usual. */
function createExpected({ store, clock }: Context) {
  let untilMs = new Map(entriesIn(store.settings.get(STORED)));
  return {
    /** Whether something at a time was expected. */
    is: (subject: string, atMs: number): boolean => atMs <= (untilMs.get(subject) ?? Number.NEGATIVE_INFINITY),
    /** The moment up to which it was; `undefined` where the person never said so. */
    untilMs: (subject: string): number | undefined => untilMs.get(subject),
    note(subject: string): void {
      const others = [...untilMs].filter(([each]) => each !== subject);
      const entries: [string, number][] = [...others, [subject, clock.nowMs()]];
      untilMs = new Map(entries.slice(-MOST));
      store.write('durable', () => store.settings.set(STORED, [...untilMs]));
    },
  };
}

function entriesIn(stored: unknown): [string, number][] {
  const isEntry = (each: unknown): each is [string, number] => Array.isArray(each) && typeof each[1] === 'number';
  return Array.isArray(stored) ? stored.filter(isEntry) : [];
}

/** A program is new for so long, unless the person says that it was expected. */
const NEW_FOR_MS = 14 * DAY_MS;
const MOST_PROGRAMS = 50;

type Called = ReturnType<Context['store']['evidence']['called']>;

/** The new programs of each requester that called in a span, the one that asked the person most often first. */
function newProgramsIn(
  { store, clock }: Context,
  { fromMs, toMs }: Span,
  isExpected: (userId: string, atMs: number) => boolean,
): ReadonlyMap<string, NewProgram[]> {
  const changes = store.callingPrograms.changes({ afterMs: clock.nowMs() - NEW_FOR_MS, limit: MOST_PROGRAMS });
  const programs = new Map<string, NewProgram[]>();
  for (const { userId, nameKey, now, atMs } of changes) {
    if (isExpected(userId, atMs)) continue;
    const called = store.evidence.called({ userId, nameKey, fromMs, toMs });
    const others = programs.get(userId) ?? [];
    if (called.length > 0)
      programs.set(
        userId,
        [...others, { ...programOf(nameOf(now), called), isFresh: atMs >= fromMs - DAY_MS }].toSorted(
          (one, other) => other.asked - one.asked,
        ),
      );
  }
  return programs;
}

function programOf(name: string, called: Called): Omit<NewProgram, 'isFresh'> {
  const asked = called.filter(({ wasAsked }) => wasAsked);
  return {
    name,
    asked: asked.length,
    high: asked.filter(({ risk }) => risk === 'high' || risk === 'critical').length,
    captured: asked.filter(({ actionType }) => isCapture(actionType)).length,
  };
}

/** As many days are gone through to know what is usual. An attack that lasts for less than that never becomes usual by itself. */
const DAYS = 70;
/** Today and yesterday are told of. */
const MOST_REMEMBERED = 2;

/** The days of one requester before a day; `types`: the action types that it used. */
type Known = { past: Past; types: ReadonlySet<string> };

const NOTHING_KNOWN: Known = { past: NO_PAST, types: new Set() };

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
