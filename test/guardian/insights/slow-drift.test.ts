import { expect, test } from 'vitest';
import { slowDrift } from '../../../src/guardian/insights/slow-drift.ts';
import { addValue } from '../../../src/guardian/recording/log-histogram.ts';
import type { Recorded } from '../../../src/guardian/recording/metrics.ts';
import { emptyRollup } from '../../../src/guardian/recording/rollup.ts';
import { DAY_MS, factsOf } from './history.ts';

/** A day with so many actions, of which some failed, and all took so long. */
function day(failed: number, { of = 50, tookMs = 500 }: { of?: number; tookMs?: number } = {}): Recorded {
  const rollup = emptyRollup();
  Object.assign(rollup.counters, { executed: of, failed, succeeded: of - failed });
  for (let index = 0; index < of; index += 1) addValue(rollup.executionMs, tookMs);
  return { rollup, upTime: { upMs: DAY_MS, unlockedMs: DAY_MS, readyMs: DAY_MS }, lengthMs: DAY_MS };
}

const OFF = day(0, { of: 0 });
const normal = Array.from({ length: 21 }, (_, index) => day([1, 2, 1, 3, 0][index % 5] ?? 1));

function titles(lately: readonly Recorded[], fixed = normal): string[] {
  return slowDrift(factsOf({ drift: { failures: fixed, latency: fixed, lately } })).map(({ title }) => title);
}

test('failures that grow by a point and a half a day are told before they have grown by fifteen points', () => {
  const growing = (days: number) =>
    Array.from({ length: days }, (_, index) => day(Math.round(1.5 + 0.75 * (index + 1))));
  const before = normal.slice(0, 10);
  const firstDay = Array.from({ length: 14 }, (_, index) => index + 1).find(
    (days) => titles([...before, ...growing(days)]).length > 0,
  );
  expect(firstDay).toBeLessThan(10);
});

test('a level a little above normal, and one bad day, are not told', () => {
  expect(titles(Array.from({ length: 14 }, () => day(3)))).toEqual([]);
  expect(titles([...normal.slice(0, 13), day(9)])).toEqual([]);
});

test('days without actions do not make one bad day look like all of the last ones', () => {
  expect(titles([...normal.slice(0, 11), OFF, OFF, day(9)])).toEqual([]);
  expect(titles([...normal.slice(0, 11), day(9), OFF, day(9), OFF, day(9)])).toEqual([
    '18 % of actions failed over 3 days, 3 % in normal weeks',
  ]);
});

test('nothing is told before three weeks are known', () => {
  const failing = Array.from({ length: 14 }, () => day(20));
  expect([titles(failing, normal.slice(1)).length, titles(failing).length]).toEqual([0, 1]);
});

test('actions that take twice as long as in the weeks taken as normal are told', () => {
  const lately = (tookMs: number) => Array.from({ length: 14 }, () => day(1, { tookMs }));
  expect([titles(lately(900)), titles(lately(1_100))]).toEqual([
    [],
    ['The slowest 5 % of actions took longer than 1.1 s over 14 days, 503 ms in normal weeks'],
  ]);
});
