import { expect, test } from 'vitest';
import { createLastHour } from '../../src/guardian/last-hour.ts';

const MINUTE_MS = 60_000;

test('the mean is that of the last hour, the value of an hour ago no longer counting', () => {
  const lastHour = createLastHour();
  const means = [0, 30, 59, 60, 200].map((minute, index) => lastHour({ atMs: minute * MINUTE_MS, value: index * 6 }));
  expect(means).toEqual([0, 3, 6, 12, 24]);
});

test('of a value every second the latest sixty count', () => {
  const lastHour = createLastHour();
  const means = Array.from({ length: 100 }, (_, second) => lastHour({ atMs: second * 1000, value: second }));
  expect(means.at(-1)).toBe((40 + 99) / 2);
});
