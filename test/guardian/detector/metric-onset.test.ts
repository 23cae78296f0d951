import { expect, it } from 'vitest';
import { createMetricOnsets, type MetricOnset, type OnsetMetric } from '../../../src/guardian/detector/metric-onset.ts';
import { falseAlarms } from '../laptop-series.ts';

const QUARTER_MS = 15 * 60_000;
const DAY = 96;

it('finds where durations begin to be longer than they ever were, confirms that it lasts, and that it ends', () => {
  const onsets = onsetsAfter([...usual(3 * DAY), ...times(2_500, 6), ...usual(DAY)]);
  const began = {
    metricType: 'action_latency_p95' as const,
    atMs: 3 * DAY * QUARTER_MS,
    value: 2_500,
    usual: 420,
    confirmedAtMs: null,
    endedAtMs: null,
  };
  expect(onsets.slice(0, 3 * DAY)).toEqual(times(undefined, 3 * DAY));
  expect(onsets[3 * DAY]).toEqual(began);
  expect(onsets[3 * DAY + 2]).toEqual(began);
  const confirmed = { ...began, confirmedAtMs: (3 * DAY + 3) * QUARTER_MS };
  expect(onsets[3 * DAY + 3]).toEqual(confirmed);
  expect(onsets[3 * DAY + 8]).toEqual(confirmed);
  expect(onsets[3 * DAY + 9]).toEqual({ ...confirmed, endedAtMs: (3 * DAY + 9) * QUARTER_MS });
});

it('does not confirm an onset while two measurements in five are as usual', () => {
  const restless = Array.from({ length: DAY - 1 }, (_, index) => (index % 5 === 1 || index % 5 === 3 ? 420 : 2_500));
  expect(onsetsAfter([...usual(3 * DAY), ...restless]).at(-1)?.confirmedAtMs).toBeNull();
});

it('does not confirm an onset with fewer than 60 measurements before it', () => {
  const every = 8;
  const confirmed = (before: number) =>
    onsetsAfter([...usual(before), ...times(2_500, 6)], { everyQuarters: every }).at(-1)?.confirmedAtMs != null;
  expect([confirmed(59), confirmed(60)]).toEqual([false, true]);
});

it('finds nothing where durations go on as before, get shorter, or rise by less than a person notices', () => {
  expect(onsetsIn(usual(5 * DAY))).toEqual([]);
  expect(onsetsIn([...usual(3 * DAY), 20, 20, 20])).toEqual([]);
  expect(onsetsIn([...usual(3 * DAY).map((ms) => ms / 100), 90, 90])).toEqual([]);
});

it('confirms only what is beyond the limit of the metric: 1.5 times the usual duration', () => {
  const steady = (ms: number) => Array.from({ length: 3 * DAY }, (_, index) => ms + (index % 5));
  const confirmed = (ms: number) => onsetsAfter([...steady(1_000), ...times(ms, 8)]).at(-1);
  expect(confirmed(1_490)).toMatchObject({ value: 1_490, confirmedAtMs: null });
  expect(confirmed(1_510)?.confirmedAtMs).not.toBeNull();
});

it('finds answers that become too fast, and confirms them under three seconds', () => {
  const answers = { metricType: 'confirmation_response_p50' as const };
  const fast = (ms: number) =>
    onsetsAfter([...usual(3 * DAY).map((each) => 20 * each), ...times(ms, 8)], answers).at(-1);
  expect(fast(1_100)).toMatchObject({ value: 1_100, usual: 8_400, confirmedAtMs: expect.any(Number) });
  expect(fast(2_900)?.confirmedAtMs).toEqual(expect.any(Number));
  expect(fast(3_100)).toBeUndefined();
});

it('finds answers that take more than a minute, without a warning: a person may be away', () => {
  const slow = onsetsAfter([...usual(3 * DAY).map((each) => 20 * each), ...times(200_000, 8)], {
    metricType: 'confirmation_response_p50',
  });
  expect(slow.at(-1)).toMatchObject({ value: 200_000, confirmedAtMs: null });
});

it('finds and confirms that the device is ready for less of the time, not that it is ready for more', () => {
  const ready = (before: number, after: number) =>
    onsetsAfter([...times(before, 3 * DAY), ...times(after, 8)], { metricType: 'device_readiness' }).at(-1);
  expect(ready(1, 0.4)).toMatchObject({ value: 0.4, usual: 1, confirmedAtMs: expect.any(Number) });
  expect(ready(1, 0.96)).toBeUndefined();
  expect(ready(0.4, 1)).toBeUndefined();
});

it('finds the next onset from a day later on', () => {
  const [first, tooSoon, next] = [[2_500], [9_000], [90_000]];
  const found = onsetsIn([...usual(20 * DAY), ...first, ...usual(DAY / 2), ...tooSoon, ...usual(DAY), ...next]);
  expect(found.map(({ atMs }) => atMs / QUARTER_MS)).toEqual([20 * DAY, 21.5 * DAY + 2]);
});

it.each([
  ['action_latency_p95', 600],
  ['task_duration_p95', 20_000],
  ['confirmation_response_p50', 6_000],
  ['device_readiness', 1],
] as const)(
  'confirms %s less than once in ten months of noisy laptop days without an incident',
  (metricType, middle) => {
    const { confirmed, months } = falseAlarms({ metricType, middle, desktops: 4, days: 150 });
    expect(months).toBe(20);
    expect(confirmed).toBeLessThanOrEqual(2);
  },
);

/** Between 400 and 440 ms, over and over. */
function usual(quarters: number): number[] {
  return Array.from({ length: quarters }, (_, index) => 400 + ((index * 7) % 5) * 10);
}

function times<Value>(value: Value, count: number): Value[] {
  return Array.from({ length: count }, () => value);
}

type Options = { metricType?: OnsetMetric; everyQuarters?: number };

/** The latest onset after each measurement. */
function onsetsAfter(
  values: readonly number[],
  { metricType = 'action_latency_p95', everyQuarters = 1 }: Options = {},
) {
  const find = createMetricOnsets(metricType);
  return values.map((value, index) => {
    const atMs = index * everyQuarters * QUARTER_MS;
    return find({ atMs, localMs: atMs, value });
  });
}

/** Each onset once, as it was at first. */
function onsetsIn(values: readonly number[]): MetricOnset[] {
  const found = onsetsAfter(values).flatMap((onset) => onset ?? []);
  return found.filter(({ atMs }, index) => found.findIndex((each) => each.atMs === atMs) === index);
}
