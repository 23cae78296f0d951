import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Insight, MetricType } from '../../../src/contract/guardian.ts';
import { DAY_MS, type Facts, HOUR_MS, MINUTE_MS } from '../../../src/guardian/insights/facts.ts';
import { TREND_WINDOWS } from '../../../src/guardian/metric-window.ts';
import type { Trend } from '../../../src/guardian/trend.ts';
import { type Context, createIds } from '../../../src/services/context.ts';
import { createInsights } from '../../../src/services/guardian/insights.ts';
import { createTrendWatch } from '../../../src/services/guardian/trend-watch.ts';
import { createNames } from '../../../src/services/guardian/viewer.ts';
import { createWindows } from '../../../src/services/guardian/windows.ts';
import { createStore, type Store } from '../../../src/store/store.ts';
import { createTrendAssessor } from '../../../src/store/trend-assessor.ts';
import { createFakeClock } from '../../services/fake-clock.ts';
import type { Incident } from './incidents.ts';
import { createLastDay } from './last-day.ts';
import { type Day, livePerson } from './person.ts';

/** More windows than the daemon keeps at hand, so that none is read twice. */
const WINDOWS_KEPT = 200_000;
/** When a minute's events are in the database, as the daemon waits for them to be. */
const SETTLED_MS = 2_000;
const SCREEN_RECORDING = { name: 'screenRecording', platform: 'macos' };
/** A Monday. */
const START_MS = Date.parse('2026-01-05T00:00:00Z');

/**
 * What the person was warned of, from the first moment on: a trend above `info`, or an insight that is more than information.
 * `windowMs`: the stretch of time it is about.
 */
export type Warning = {
  name: string;
  metricTypes: readonly MetricType[];
  windowMs: number;
  atMs: number;
  /** When it was last seen. */
  untilMs: number;
};

/** `onsets`: when what an incident begins with happened. */
export type Simulated = {
  warnings: Warning[];
  onsets: Map<string, number>;
  startMs: number;
  events: number;
  minutes: number;
  /** When somebody really tried a key that is not theirs. */
  refusedAtMs: number[];
  /** Notifications, by when they came. */
  toldAtMs: number[];
};

/**
 * Lets a person live, and Guardian watch: every event goes through the store's journal and recording, and every minute in which the
 * machine is up the daemon's own trend watch runs. Only its thread is left out, and the clock is a simulated one.
 */
export async function simulate(options: {
  seed: number;
  weeks: number;
  incidents: readonly Incident[];
  everyMinutes: number;
}): Promise<Simulated> {
  const path = mkdtempSync(join(tmpdir(), 'handrail-simulation-'));
  const clock = createFakeClock(START_MS);
  const store = createStore({ path, now: clock.nowMs });
  try {
    return await watchLife(options, { store, clock });
  } finally {
    store.close();
    rmSync(path, { recursive: true, force: true });
  }
}

type World = { store: Store; clock: ReturnType<typeof createFakeClock> };

async function watchLife(options: Parameters<typeof simulate>[0], { store, clock }: World): Promise<Simulated> {
  const reading = new Database(join(store.path, 'handrail.db'), { readonly: true });
  const assess = createTrendAssessor(reading, { windowsKept: WINDOWS_KEPT });
  const warnings = new Map<string, Warning>();
  const simulated: Simulated = {
    warnings: [],
    onsets: new Map(),
    startMs: START_MS,
    events: 0,
    minutes: 0,
    refusedAtMs: [],
    toldAtMs: [],
  };
  const context: Context = {
    clock,
    log: { info: ignore, warn: ignore, error: fail },
    newId: createIds(clock),
    store: {
      ...store,
      async assessTrends(request) {
        const answers = assess(request);
        for (const { trend } of answers.trends) noteTrend(warnings, trend, clock.nowMs());
        return answers;
      },
    },
  };
  const watch = createTrendWatch(context);
  const lastDay = createLastDay();
  const windows = createWindows(context);
  const insights = createInsights(context, { facts, names: createNames(context) });

  /** As the daemon has them; grants and registrations are not lived here. */
  function facts(): Facts {
    const nowMs = clock.nowMs();
    return {
      nowMs,
      hour: windows.recorded(windows.spanOf({ lengthMs: HOUR_MS })),
      day: windows.recorded(windows.spanOf({ lengthMs: DAY_MS })),
      ...lastDay.seenAt(nowMs),
      newRequesters: [],
      grants: [],
      missingPermissions: isPermissionLost(options.incidents, nowMs) ? [SCREEN_RECORDING] : [],
      trends: watch.list(),
      slowOnsets: watch.slowOnsets(),
    };
  }

  for (const day of livePerson({ ...options, startMs: START_MS })) {
    if (day.up !== null) await liveThrough(day, day.up);
    for (const incident of options.incidents) noteOnset(simulated.onsets, day, incident);
  }
  const told = reading.prepare("SELECT at_ms FROM journal WHERE kind = 'insight.told'").pluck().all() as number[];
  reading.close();
  return { ...simulated, warnings: [...warnings.values()], toldAtMs: told };

  async function liveThrough(day: Day, up: { fromMs: number; toMs: number }): Promise<void> {
    const sleeps = up.toMs - up.fromMs < DAY_MS;
    if (sleeps || day.number === 0) append([{ atMs: up.fromMs, kind: 'daemon.started' }]);
    const byMinute = Map.groupBy(day.happenings, (each) => Math.floor(each.atMs / MINUTE_MS) * MINUTE_MS);
    for (let atMs = up.fromMs; atMs < up.toMs; atMs += MINUTE_MS) {
      append(byMinute.get(atMs) ?? []);
      clock.setWallClock(atMs + MINUTE_MS + SETTLED_MS);
      if ((atMs / MINUTE_MS + 1) % options.everyMinutes === 0) await look();
      simulated.minutes += 1;
    }
    if (sleeps) append([{ atMs: up.toMs, kind: 'daemon.stopped' }]);
  }

  async function look(): Promise<void> {
    await watch.assess();
    insights.watch();
    for (const insight of insights.list({ kind: 'person' }, { limit: 500 }))
      noteInsight(warnings, insight, clock.nowMs());
  }

  function append(happenings: Day['happenings']): void {
    if (happenings.length === 0) return;
    simulated.events += happenings.length;
    store.write('relaxed', () => {
      for (const { atMs, ...event } of happenings) store.journal.append(atMs, event);
    });
    happenings.forEach(lastDay.note);
    simulated.refusedAtMs.push(...happenings.filter(({ kind }) => kind === 'request.refused').map(({ atMs }) => atMs));
  }
}

function noteTrend(warnings: Map<string, Warning>, trend: Trend, atMs: number): void {
  const { metricType, window, openedAtMs, severity, classification, zScore } = trend;
  if (severity === 'info' || openedAtMs === null) return;
  const key = `${metricType} ${window} ${openedAtMs}`;
  const known = warnings.get(key) ?? {
    name: `${metricType} in ${window}: ${classification} z ${(zScore ?? 0).toFixed(1)}`,
    metricTypes: [metricType],
    windowMs: TREND_WINDOWS[window],
    atMs,
  };
  warnings.set(key, { ...known, untilMs: atMs });
}

function noteInsight(warnings: Map<string, Warning>, insight: Insight, atMs: number): void {
  const { id, status, severity, category, title, metricTypes } = insight;
  if (status !== 'open' || severity === 'info') return;
  // What comes back after more than a day, or gets worse, is told anew.
  const before = [...warnings.keys()].findLast((key) => key.startsWith(`${id} ${severity} `));
  const isSame = before !== undefined && atMs - (warnings.get(before)?.untilMs ?? 0) < DAY_MS;
  const key = isSame ? before : `${id} ${severity} ${atMs}`;
  const windowMs = category === 'oversight' ? DAY_MS : HOUR_MS;
  const known = warnings.get(key) ?? { name: `"${title}" (${severity})`, metricTypes, windowMs, atMs };
  warnings.set(key, { ...known, untilMs: atMs });
}

function isPermissionLost(incidents: readonly Incident[], nowMs: number): boolean {
  return incidents.some(({ losesPermission, day, fromMs, toMs }) => {
    const dayMs = START_MS + day * DAY_MS;
    return losesPermission === true && nowMs >= dayMs + fromMs && nowMs < dayMs + toMs;
  });
}

function noteOnset(onsets: Map<string, number>, day: Day, { name, day: number, fromMs, beginsWith }: Incident): void {
  const earliestMs = START_MS + number * DAY_MS + fromMs;
  const first = day.happenings.find(({ atMs, kind }) => atMs >= earliestMs && kind === beginsWith);
  if (day.number === number && first !== undefined) onsets.set(name, first.atMs);
}

function ignore(): void {
  return;
}

/** What the daemon would only log must not go unnoticed here. */
function fail(facts: unknown, message: string): void {
  throw new Error(message, { cause: facts });
}
