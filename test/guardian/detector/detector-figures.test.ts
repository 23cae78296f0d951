import { expect, test } from 'vitest';
import { createDailyBar } from '../../../src/guardian/detector/daily-bar.ts';
import { createDetector } from '../../../src/guardian/detector/detector.ts';
import { CHANNELS, createDeviations } from '../../../src/guardian/detector/detector-channels.ts';
import { createMetricOnsets, type MetricOnset, type OnsetMetric } from '../../../src/guardian/detector/metric-onset.ts';

const DAY_MS = 86_400_000;
const QUARTER_MS = 15 * 60_000;
const DAY = 96;

/** A daily wave with noise, one value every five minutes: a heap each 1,000 values, and a slow rise from value 3,000 on. */
function wave(count: number) {
  let seed = 1;
  return Array.from({ length: count }, (_, index) => {
    seed = (seed * 48_271) % 2_147_483_647;
    const noise = (2 * seed) / 2_147_483_647;
    const heap = index % 1_000 === 999 ? 30 : 0;
    const rise = index > 3_000 ? index / 1_000 : 0;
    return { atMs: index * 300_000, value: 10 + 3 * Math.sin(index / 45.8) + noise + heap + rise };
  });
}

test('the deviations of 5,000 values, to six digits of their sums', () => {
  const deviationsOf = createDeviations();
  const all = wave(5_000).map(deviationsOf);
  const sums = CHANNELS.map((channel) => all.reduce((sum, each) => sum + each[channel], 0));
  expect(sums.map((sum) => Number(sum.toPrecision(6)))).toEqual([4_028.26, 4_051.76, 4_411.69, 2_193.51, 1_514.35]);
});

test('differences of a millionth of the largest value are taken for rounding', () => {
  const deviationsOf = createDeviations();
  const values = [...new Array<number>(60).fill(100), 100.000_5];
  const { level } = values.map((value, index) => deviationsOf({ atMs: index, value })).at(-1) ?? {};
  expect(level).toBeCloseTo(5, 3);
});

test('a deviation where there never was any is a thousand times the bar', () => {
  const bar = createDailyBar({ ordinaryShare: 0.7 });
  const ratios = [0, 1, 2, 3].map((day) => bar.ratio({ atMs: day * DAY_MS, deviation: day === 3 ? 1 : 0 }));
  expect(ratios).toEqual([0, 0, 0, 1_000]);
});

test('the scores of the detector to six digits of their sum, its alarms, and its calm of a day after one', () => {
  const detect = createDetector();
  const findings = wave(3_000).map(detect);
  const alarms = findings.flatMap(({ alarm }, index) => (alarm ? [index] : []));
  const sum = findings.reduce((total, { score }) => total + score, 0);
  expect([Number(sum.toPrecision(6)), alarms]).toEqual([282.002, [999, 1_999, 2_999]]);
  expect(findings.findIndex(({ score }, index) => index > 999 && score > 0)).toBe(999 + 288);
  expect(findings.every(({ score, alarm }) => alarm === score >= 0.5)).toBe(true);
});

/** The latest onset after measurements every quarter of an hour. */
function latest(values: readonly number[], metricType: OnsetMetric = 'action_latency_p95'): MetricOnset | undefined {
  const find = createMetricOnsets(metricType);
  return values.map((value, index) => find({ atMs: index * QUARTER_MS, localMs: index * QUARTER_MS, value })).at(-1);
}

/** Values that hardly move, the median two above the first. */
const steady = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + (index % 5));

test.each<[OnsetMetric, number, number, boolean]>([
  ['action_latency_p95', 1_000, 1_252, false],
  ['action_latency_p95', 1_000, 1_253, true],
  ['action_latency_p95', 100, 201, false],
  ['action_latency_p95', 100, 202, true],
  ['device_readiness', 1, 0.951, false],
  ['device_readiness', 1, 0.949, true],
])('%s that goes from %d to %d begins to be worse: %s', (metricType, before, after, begins) => {
  const usual = metricType === 'device_readiness' ? new Array<number>(3 * DAY).fill(before) : steady(before, 3 * DAY);
  expect(latest([...usual, after], metricType) !== undefined).toBe(begins);
});

test.each([
  [1_500, 1_100, 800],
  [1_500, 800, 404],
])('after %d short and %d longer durations the usual one is that of the last 2,000', (short, longer, usual) => {
  expect(latest([...steady(400, short), ...steady(800, longer), 90_000])).toMatchObject({ value: 90_000, usual });
});

test.each([
  [77, true],
  [116, false],
])('with %d of 1,920 measurements as bad before, an onset is confirmed: %s', (bad, isConfirmed) => {
  const past = steady(400, 20 * DAY);
  for (let index = 0; index < bad; index += 1) past[(5 + Math.floor(index / 40)) * DAY + (index % 40)] = 2_600;
  expect(latest([...past, ...new Array<number>(6).fill(2_600)])?.confirmedAtMs !== null).toBe(isConfirmed);
});

test.each([
  [94, 10 * DAY],
  [95, 10 * DAY + 96],
])('after %d calm quarters the latest onset is the one of quarter %d', (calm, quarter) => {
  const onset = latest([...steady(400, 10 * DAY), 2_500, ...steady(400, calm), 90_000]);
  expect((onset?.atMs ?? 0) / QUARTER_MS).toBe(quarter);
});
