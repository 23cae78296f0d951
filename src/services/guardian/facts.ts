import { basename } from 'node:path';
import { encodeTime } from 'ulid';
import type { CallingProgram } from '../../contract/program.ts';
import { isAccessId } from '../../domain/grant.ts';
import {
  DAY_MS,
  type DriftFacts,
  type Effects,
  type Facts,
  FOUR_WEEKS_MS,
  GRANTS_COUNTED,
  type GrantsGiven,
  HOUR_MS,
  LOOKED_AT,
  type Tasks,
} from '../../guardian/insights/facts.ts';
import { daysAgo, startOfDay } from '../../guardian/metrics/local-time.ts';
import type { RequesterLine } from '../../guardian/requesters/requester-line.ts';
import type { AgentPort } from '../agent/port.ts';
import { missingPermissions } from '../agent/watch.ts';
import type { Context } from '../context.ts';
import { visibleProgram } from '../requesters/calling-programs.ts';
import { MINUTE_MS, type Span, type Windows } from './time-windows.ts';

type Parts = {
  windows: Windows;
  port: AgentPort;
  requesters(): readonly RequesterLine[];
  drift(): DriftFacts;
};

/** All facts but the warnings that are given now, which the book of insights knows. */
type Seen = Omit<Facts, 'raised'>;

/** Everything the rules look at, as it is now. */
export function createFacts({ store, clock }: Context, { windows, port, ...parts }: Parts): () => Seen {
  return () => {
    const nowMs = clock.nowMs();
    const since = (prefix: string) => `${prefix}_${encodeTime(nowMs - DAY_MS, 10)}`;
    const { evidence } = store;
    return {
      nowMs,
      hour: windows.recorded(windows.spanOf({ lengthMs: HOUR_MS })),
      day: windows.recorded(windows.spanOf({ lengthMs: DAY_MS })),
      requests: evidence.requests({ afterId: since('act'), limit: LOOKED_AT.requests }),
      prompts: evidence.prompts({ afterId: since('cnf'), limit: LOOKED_AT.prompts }),
      answers: evidence.answers({ afterMs: nowMs - FOUR_WEEKS_MS, limit: LOOKED_AT.answers }),
      newRequesters: evidence.newUsers({ afterMs: nowMs - DAY_MS, limit: LOOKED_AT.newRequesters }),
      refusedRequests: evidence.refusedRequests({ afterMs: nowMs - DAY_MS, limit: LOOKED_AT.refusedRequests }),
      grants: store.grants
        .live(nowMs)
        .filter(({ id }) => !isAccessId(id))
        .slice(0, LOOKED_AT.grants),
      grantsGiven: grantsGiven(store, nowMs),
      missingPermissions: missingPermissions(port).map((name) => ({ name, platform: port.agent()?.platform ?? '' })),
      requesters: parts.requesters(),
      effects: effectsOf(store, nowMs),
      tasks: tasksOf(store, windows.spanOf({ lengthMs: TASK_DAYS * DAY_MS })),
      drift: parts.drift(),
    };
  };
}

const TASK_DAYS = 7;
const EFFECT_DAYS = { lately: 5, before: 28 };

function effectsOf({ recording }: Context['store'], nowMs: number): Effects[] {
  const fromMs = daysAgo(startOfDay(nowMs), EFFECT_DAYS.lately - 1);
  const sharesIn = (span: Span) => {
    const sums = recording.parts(span, 'requester', { count: ['unverified'], total: ['unverified', 'confirmed'] });
    return new Map(sums.map(({ key, count, total }) => [key, { hits: count, total }]));
  };
  const before = sharesIn({ fromMs: daysAgo(fromMs, EFFECT_DAYS.before), toMs: fromMs });
  const now = sharesIn({ fromMs, toMs: Math.floor(nowMs / MINUTE_MS + 1) * MINUTE_MS });
  return [...now].map(([userId, share]) => ({
    userId,
    now: share,
    before: before.get(userId) ?? { hits: 0, total: 0 },
  }));
}

function tasksOf({ recording }: Context['store'], span: Span): Tasks[] {
  return recording
    .parts(span, 'requester', { count: ['taskIntervened'], total: ['taskStarted'] })
    .map(({ key, count, total }) => ({ userId: key, stopped: count, started: total }));
}

function grantsGiven({ grants, users }: Context['store'], nowMs: number): GrantsGiven {
  const { latelyDays, mostDaysBefore, spreadDays } = GRANTS_COUNTED;
  const latelyMs = nowMs - latelyDays * DAY_MS;
  const firstMs = Math.min(latelyMs, users.firstSeenAtMs() ?? latelyMs); // guard E2-43
  const fromMs = Math.max(firstMs, latelyMs - mostDaysBefore * DAY_MS); // guard E2-42
  return {
    // Grants of this very millisecond count.
    lately: grants.given(latelyMs, nowMs + 1), // guard E2-41
    before: grants.given(fromMs, latelyMs),
    daysBefore: (latelyMs - fromMs) / DAY_MS,
    days: new Set(grants.givenAtMs(nowMs - spreadDays * DAY_MS, nowMs + 1).map((atMs) => startOfDay(atMs))).size,
  };
}

export function nameOf(program: CallingProgram): string {
  const shown = visibleProgram(program);
  if (shown.kind === 'unknown') return 'a program that is not known';
  return shown.script === undefined ? shown.name : `${shown.name} running ${basename(shown.script)}`;
}
