import { expect, test } from 'vitest';
import { assessWindow } from '../../src/guardian/assess-window.ts';
import { type MeasuredWindow, measuredWindow } from '../../src/guardian/recording/metric-windows.ts';
import type { RecordedEvent } from '../../src/guardian/recording/recorded-event.ts';
import { mergeRollups, type Rollup } from '../../src/guardian/recording/rollup.ts';
import { upTimeIn } from '../../src/guardian/recording/uptime.ts';
import type { Trend } from '../../src/guardian/trend.ts';
import type { TrendState } from '../../src/guardian/trend-state.ts';
import { incidentsFrom } from '../bench/simulation/incidents.ts';
import { type Day, livePerson } from '../bench/simulation/person.ts';
import { recordAll } from './recording/recording.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse('2026-01-05T00:00:00Z');
const WEEKS = 7;

const collapse = incidentsFrom(WEEKS * 7).filter(({ name }) => name === 'collapse of success');
const collapseMs = START_MS + (WEEKS * 7 + 1) * DAY_MS + 10 * HOUR_MS;
const warnings = warningsIn([...livePerson({ seed: 3, weeks: WEEKS + 2, startMs: START_MS, incidents: collapse })]);

test('the hours of seven weeks in which nothing was wrong cause no warning', () => {
  expect(warnings.filter(({ atMs }) => atMs < collapseMs)).toEqual([]);
});

test('the hours of a day on which success collapsed cause one', () => {
  const told = warnings.filter(({ atMs }) => atMs > collapseMs && atMs <= collapseMs + 8 * HOUR_MS);
  expect(told.map(({ metricType }) => metricType)).toContain('action_success_rate');
});

/** Trends above `info`, of every metric in every whole hour. */
function warningsIn(days: readonly Day[]): (Pick<Trend, 'metricType'> & { atMs: number })[] {
  const measuredFrom = hoursOf(days.flatMap(eventsOf).map((event, index) => ({ ...event, seq: index + 1 })));
  const states = new Map<string, TrendState>();
  const found: (Pick<Trend, 'metricType'> & { atMs: number })[] = [];
  for (let toMs = START_MS + HOUR_MS; toMs <= START_MS + days.length * DAY_MS; toMs += HOUR_MS) {
    const past = { measuredFrom, stateOf: (type: string) => states.get(type) };
    for (const { trend, state } of assessWindow({ window: '1h', toMs, utcOffsetMs: 0 }, past)) {
      states.set(trend.metricType, state);
      if (trend.severity !== 'info') found.push({ metricType: trend.metricType, atMs: toMs });
    }
  }
  return found;
}

/** Measures hours that begin with one, each once. */
function hoursOf(events: readonly RecordedEvent[]): (fromMs: number) => MeasuredWindow {
  const { minutes, intervals } = recordAll(events);
  const rollups = Map.groupBy(minutes, ([startMs]) => Math.floor(startMs / HOUR_MS) * HOUR_MS);
  const known = new Map<number, MeasuredWindow>();
  return (fromMs) => {
    const before = known.get(fromMs);
    if (before !== undefined) return before;
    const upTime = upTimeIn(intervals.values(), { fromMs, toMs: fromMs + HOUR_MS });
    const rollup = mergeRollups((rollups.get(fromMs) ?? []).map(([, each]): Rollup => each));
    const measured = measuredWindow(fromMs, { rollup, upTime, lengthMs: HOUR_MS });
    known.set(fromMs, measured);
    return measured;
  };
}

function eventsOf({ up, happenings }: Day): Omit<RecordedEvent, 'seq'>[] {
  if (up === null) return [];
  return [{ atMs: up.fromMs, kind: 'daemon.started' }, ...happenings, { atMs: up.toMs, kind: 'daemon.stopped' }];
}
