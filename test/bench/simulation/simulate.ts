import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { MetricType } from '../../../src/contract/guardian.ts';
import type { TrendWindow } from '../../../src/guardian/metric-window.ts';
import type { Trend } from '../../../src/guardian/trend.ts';
import { createTrendWatch } from '../../../src/services/guardian/trend-watch.ts';
import { createStore, type Store } from '../../../src/store/store.ts';
import { createTrendAssessor } from '../../../src/store/trend-assessor.ts';
import { createFakeClock } from '../../services/fake-clock.ts';
import type { Incident } from './incidents.ts';
import { type Day, livePerson } from './person.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** More windows than the daemon keeps at hand, so that none is read twice. */
const WINDOWS_KEPT = 200_000;
/** When a minute's events are in the database, as the daemon waits for them to be. */
const SETTLED_MS = 2_000;
/** A Monday. */
const START_MS = Date.parse('2026-01-05T00:00:00Z');

/** A trend that was above `info`, from the first moment it was. */
export type Warning = {
  metricType: MetricType;
  window: TrendWindow;
  atMs: number;
  classification: string;
  zScore: number;
  /** When it was last seen above `info`. */
  untilMs: number;
};

/** `onsets`: when what an incident begins with happened. */
export type Simulated = {
  warnings: Warning[];
  onsets: Map<string, number>;
  startMs: number;
  events: number;
  minutes: number;
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
  const simulated = { onsets: new Map<string, number>(), startMs: START_MS, events: 0, minutes: 0 };
  const watch = createTrendWatch({
    clock,
    log: { info: ignore, warn: ignore, error: ignore },
    newId: (prefix) => prefix,
    store: {
      ...store,
      async assessTrends(request) {
        const answers = assess(request);
        for (const { trend } of answers) noteWarning(warnings, trend, clock.nowMs());
        return answers;
      },
    },
  });

  for (const day of livePerson({ ...options, startMs: START_MS })) {
    if (day.up !== null) await liveThrough(day, day.up);
    for (const incident of options.incidents) noteOnset(simulated.onsets, day, incident);
  }
  reading.close();
  return { ...simulated, warnings: [...warnings.values()] };

  async function liveThrough(day: Day, up: { fromMs: number; toMs: number }): Promise<void> {
    const sleeps = up.toMs - up.fromMs < DAY_MS;
    if (sleeps || day.number === 0) append([{ atMs: up.fromMs, kind: 'daemon.started' }]);
    const byMinute = Map.groupBy(day.happenings, (each) => Math.floor(each.atMs / MINUTE_MS) * MINUTE_MS);
    for (let atMs = up.fromMs; atMs < up.toMs; atMs += MINUTE_MS) {
      append(byMinute.get(atMs) ?? []);
      clock.setWallClock(atMs + MINUTE_MS + SETTLED_MS);
      if ((atMs / MINUTE_MS + 1) % options.everyMinutes === 0) await watch.assess();
      simulated.minutes += 1;
    }
    if (sleeps) append([{ atMs: up.toMs, kind: 'daemon.stopped' }]);
  }

  function append(happenings: Day['happenings']): void {
    if (happenings.length === 0) return;
    simulated.events += happenings.length;
    store.write('relaxed', () => {
      for (const { atMs, ...event } of happenings) store.journal.append(atMs, event);
    });
  }
}

function noteWarning(warnings: Map<string, Warning>, trend: Trend, atMs: number): void {
  const { metricType, window, openedAtMs, severity, classification, zScore } = trend;
  if (severity === 'info' || openedAtMs === null) return;
  const key = `${metricType} ${window} ${openedAtMs}`;
  const known = warnings.get(key) ?? { metricType, window, atMs, classification, zScore: zScore ?? 0 };
  warnings.set(key, { ...known, untilMs: atMs });
}

function noteOnset(onsets: Map<string, number>, day: Day, { name, day: number, fromMs, beginsWith }: Incident): void {
  const earliestMs = START_MS + number * DAY_MS + fromMs;
  const first = day.happenings.find(({ atMs, kind }) => atMs >= earliestMs && kind === beginsWith);
  if (day.number === number && first !== undefined) onsets.set(name, first.atMs);
}

function ignore(): void {
  return;
}
