import { expect, it } from 'vitest';
import type { MetricType } from '../../src/contract/guardian.ts';
import type { TrendWindow } from '../../src/guardian/metrics/metric-window.ts';
import type { Trend } from '../../src/guardian/trends/trend.ts';
import type { Store } from '../../src/store/store.ts';
import { fromOtherBuild } from './other-build.ts';
import { open } from './rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A Monday. */
const START_MS = Date.parse('2026-01-05T00:00:00Z');
const WEEKS = 7;

it('a laptop that is up on workdays has a 24 h trend after two weeks and a 7 d trend after six', {
  timeout: 60_000,
}, async () => {
  const store = open();
  const known = new Map<TrendWindow, number[]>();
  for (let day = 0; day < 7 * WEEKS; day += 1) {
    if (isFree(day)) continue;
    work(store, day, { fromMs: startOf(day), toMs: noonOf(day) });
    for (const { window, baseline } of await trendsAt(store, noonOf(day))) {
      if (baseline.windows > 0) known.set(window, [...(known.get(window) ?? []), day]);
    }
    work(store, day, { fromMs: noonOf(day), toMs: endOf(day) });
  }
  const workdaysFrom = (day: number) =>
    Array.from({ length: 7 * WEEKS - day }, (_, index) => day + index).filter((each) => !isFree(each));
  // Eight days to compare with, and the one before left out, make eleven days with a weekend.
  expect(known.get('24h')).toEqual(workdaysFrom(11));
  // Four weeks, and the one before left out: the first one may have begun on its Monday, half a week late.
  expect(known.get('7d')).toEqual(workdaysFrom(38));
});

it('a day of ten times the actions departs on a laptop, and a shorter day with as much an hour does not', {
  timeout: 60_000,
}, async () => {
  const store = open();
  for (let day = 0; day < 21; day += 1) {
    if (!isFree(day)) work(store, day, { fromMs: startOf(day), toMs: endOf(day) });
  }
  const [monday, tuesday] = [21, 22];
  work(store, monday, { fromMs: startOf(monday), toMs: startOf(monday) + 5 * HOUR_MS });
  const short = await dayTrendAt(store, START_MS + tuesday * DAY_MS);
  expect(short).toMatchObject({ classification: 'stable', baseline: { kind: 'seasonal' } });
  expect(Math.abs(short?.zScore ?? 9)).toBeLessThan(1.75);
  work(store, tuesday, { fromMs: startOf(tuesday), toMs: endOf(tuesday), everyMs: MINUTE_MS });
  const busy = await dayTrendAt(store, START_MS + (tuesday + 1) * DAY_MS);
  expect(busy).toMatchObject({ classification: 'spike' });
});

function isFree(day: number): boolean {
  return day % 7 >= 5;
}

function startOf(day: number): number {
  return START_MS + day * DAY_MS + 9 * HOUR_MS + (day % 3) * 10 * MINUTE_MS;
}

function noonOf(day: number): number {
  return START_MS + day * DAY_MS + 14 * HOUR_MS;
}

function endOf(day: number): number {
  return START_MS + day * DAY_MS + 18 * HOUR_MS + (day % 4) * 15 * MINUTE_MS;
}

/** The daemon is up, and an action is requested now and then. */
function work(
  store: Store,
  day: number,
  { fromMs, toMs, everyMs = 10 * MINUTE_MS }: { fromMs: number; toMs: number; everyMs?: number },
): void {
  store.write('relaxed', () => {
    store.journal.append(fromMs, fromOtherBuild({ kind: 'daemon.started' }));
    for (let atMs = fromMs + (day % 5) * MINUTE_MS; atMs < toMs; atMs += everyMs) {
      const metadata = { type: 'Wait', risk: 'low', verdict: 'allow', by: 'profile', digest: String(atMs) };
      const requested = { kind: 'action.requested', userId: 'ann', actionId: `act_${atMs}`, metadata };
      store.journal.append(atMs, fromOtherBuild(requested));
    }
    store.journal.append(toMs, { kind: 'daemon.stopped' });
  });
}

async function trendsAt(store: Store, nowMs: number, metricType: MetricType = 'action_rate'): Promise<Trend[]> {
  const windows = (['24h', '7d'] as const).map((window) => ({ window, toMs: nowMs }));
  const trends = await store.assessTrends({ windows, up: store.recording.upNow(), nowMs });
  return trends.map(({ trend }) => trend).filter((trend) => trend.metricType === metricType);
}

async function dayTrendAt(store: Store, nowMs: number): Promise<Trend | undefined> {
  return (await trendsAt(store, nowMs)).find(({ window }) => window === '24h');
}
