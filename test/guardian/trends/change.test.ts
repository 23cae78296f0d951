import { expect, test } from 'vitest';
import type { Measured } from '../../../src/guardian/metrics/metric-window.ts';
import { changeFrom } from '../../../src/guardian/trends/change.ts';

const counts = (...values: number[]): Measured[] =>
  values.map((value) => ({ kind: 'count', value, count: value, exposure: 1 }));
const ratio = (hits: number, total: number): Measured => ({ kind: 'ratio', value: hits / total, hits, total });

function change(baseline: Measured[], current: Measured[]) {
  return current.map((one) => changeFrom(baseline, one));
}

test('a change is a share of the median', () => {
  expect(change(counts(3, 4, 5), counts(6, 1))).toEqual([
    { changeKind: 'percent', changePercent: 50 },
    { changeKind: 'percent', changePercent: -75 },
  ]);
});

test('a rise from a few events to more than ten times as many has no percentage', () => {
  const kinds = (base: number, now: number) => change(counts(base), counts(now))[0]?.changeKind;
  expect([kinds(0.5, 305), kinds(4, 41), kinds(4, 40), kinds(5, 500)]).toEqual([
    'from_zero',
    'from_zero',
    'percent',
    'percent',
  ]);
});

test('a rise from zero has no percentage, and is never infinite', () => {
  expect(change(counts(0, 0, 9), counts(4))).toEqual([{ changeKind: 'from_zero', changePercent: null }]);
});

test('zero after zero is no change', () => {
  expect(change(counts(0, 0, 0), counts(0))).toEqual([{ changeKind: 'percent', changePercent: 0 }]);
});

test('ratios tell their points too', () => {
  expect(change([ratio(4, 5)], [ratio(3, 5)])).toEqual([
    { changeKind: 'percent', changePercent: expect.closeTo(-25, 9), changePoints: expect.closeTo(-20, 9) },
  ]);
});
