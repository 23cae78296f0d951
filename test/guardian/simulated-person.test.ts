import { expect, test } from 'vitest';
import { type MeasuredWindow, measuredWindow } from '../../src/guardian/recording/metric-windows.ts';
import { mergeRollups, type Rollup } from '../../src/guardian/recording/rollup.ts';
import { upTimeIn } from '../../src/guardian/recording/uptime.ts';
import { type Assessed, assessWindow } from '../../src/guardian/trends/assess-window.ts';
import { isActive } from '../../src/guardian/trends/trend.ts';
import type { TrendState } from '../../src/guardian/trends/trend-state.ts';
import { drawIncidents } from '../bench/simulation/incidents.ts';
import { createLife, type Day, START_MS } from '../bench/simulation/person.ts';
import { type Row, recordAll } from './recording/recording.ts';
import { contradictionsOf } from './trend-truth.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEKS = 7;
const SEED = 1;

const life = createLife({ seed: SEED, weeks: WEEKS });
const collapse = drawIncidents(SEED, { habits: life.habits, weeks: WEEKS }).find(
  ({ name }) => name === 'collapse of success',
);
const collapseDay = collapse?.firstDay ?? 0;
const collapseMs = START_MS + collapseDay * DAY_MS + (collapse?.days.get(collapseDay)?.fromMs ?? 0);
const days = Array.from({ length: collapseDay + 2 }, (_, number) => life.day(number, collapse));
const assessed = assessedIn(days);
const warnings = assessed
  .filter(({ trend }) => trend.severity !== 'info')
  .map(({ trend, atMs }) => ({ metricType: trend.metricType, atMs }));

test('the hours of weeks in which nothing was wrong cause no warning', () => {
  expect(collapseDay).toBeGreaterThan(21);
  expect(warnings.filter(({ atMs }) => atMs < collapseMs)).toEqual([]);
});

test('the hours of a day on which success collapsed cause one', () => {
  const told = warnings.filter(({ atMs }) => atMs > collapseMs && atMs <= collapseMs + 10 * HOUR_MS);
  expect(told.map(({ metricType }) => metricType)).toContain('action_success_rate');
});

test('a day of a life is the same however often it is drawn, and an incident changes its own days only', () => {
  const other = createLife({ seed: SEED, weeks: WEEKS });
  expect(other.day(collapseDay - 1, collapse)).toEqual(life.day(collapseDay - 1));
  expect(other.day(collapseDay, collapse)).toEqual(life.day(collapseDay, collapse));
  expect(other.day(collapseDay, collapse)).not.toEqual(life.day(collapseDay));
});

test('every trend that is listed in one of those hours has the name, z-score, change and effect of one direction', () => {
  const active = assessed.filter(({ trend }) => isActive(trend));
  expect(active.length).toBeGreaterThan(20);
  expect(active.flatMap(contradictionsOf)).toEqual([]);
});

/** The trends of every metric in every whole hour. */
function assessedIn(days: readonly Day[]): (Assessed & { atMs: number })[] {
  const measuredFrom = hoursOf(days.flatMap(eventsOf).map((event, index) => ({ ...event, seq: index + 1 })));
  const states = new Map<string, TrendState>();
  const found: (Assessed & { atMs: number })[] = [];
  for (let toMs = START_MS + HOUR_MS; toMs <= START_MS + days.length * DAY_MS; toMs += HOUR_MS) {
    const past = { measuredFrom, stateOf: (type: string) => states.get(type) };
    for (const each of assessWindow({ window: '1h', toMs }, past)) {
      states.set(each.trend.metricType, each.state);
      found.push({ ...each, atMs: toMs });
    }
  }
  return found;
}

/** Measures hours that begin with one, each once. */
function hoursOf(events: readonly Row[]): (fromMs: number) => MeasuredWindow {
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

function eventsOf({ up, happenings }: Day): Omit<Row, 'seq'>[] {
  if (up === null) return [];
  return [{ atMs: up.fromMs, kind: 'daemon.started' }, ...happenings, { atMs: up.toMs, kind: 'daemon.stopped' }];
}
