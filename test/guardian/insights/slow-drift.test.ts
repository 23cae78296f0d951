import { expect, test } from 'vitest';
import { slowDrift } from '../../../src/guardian/insights/operation.ts';
import type { Recorded } from '../../../src/guardian/recording/metrics.ts';
import { emptyRollup } from '../../../src/guardian/recording/rollup.ts';
import { DAY_MS, factsOf, requests } from './history.ts';

/** A day with so many actions, of which some failed. */
function day(failed: number, { of = 50 }: { of?: number } = {}): Recorded {
  const rollup = emptyRollup();
  Object.assign(rollup.counters, { executed: of, failed, succeeded: of - failed });
  return { rollup, upTime: { upMs: DAY_MS, unlockedMs: DAY_MS, readyMs: DAY_MS }, lengthMs: DAY_MS };
}

const OFF = day(0, { of: 0 });
const normal = Array.from({ length: 21 }, (_, index) => day([1, 2, 1, 3, 0][index % 5] ?? 1));

function titles(lately: readonly Recorded[], fixed = normal): string[] {
  return slowDrift(factsOf({ drift: { normal: fixed, lately } })).map(({ title }) => title);
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
  const failing = Array.from({ length: 14 }, () => day(10));
  expect([titles(failing, normal.slice(1)).length, titles(failing).length]).toEqual([0, 1]);
});

test('most actions of one day fail: that is told on the day, from three known days on', () => {
  const title = '40 % of actions failed today, 3 % in normal weeks';
  expect(titles([...normal.slice(0, 13), day(20)])).toEqual([title]);
  expect([2, 3].map((days) => titles([day(20)], normal.slice(0, days)).length)).toEqual([0, 1]);
  expect(titles([...normal.slice(0, 13), day(4, { of: 6 })])).toEqual([
    '67 % of actions failed today, 3 % in normal weeks',
  ]);
});

test('the failures are shown, and not the actions that the person interrupted', () => {
  const all = [
    ...requests(['failed'], { status: 'failed', errorCode: 'app_not_found' }),
    ...requests(['interrupted'], { status: 'failed', errorCode: 'interrupted_by_person' }),
  ];
  const [found] = slowDrift(factsOf({ drift: { normal, lately: [day(20)] }, requests: all }));
  expect(found?.evidence).toEqual(['failed']);
});
