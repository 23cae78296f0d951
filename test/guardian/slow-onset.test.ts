import { expect, it } from 'vitest';
import { createSlowOnsets } from '../../src/guardian/slow-onset.ts';

const QUARTER_MS = 15 * 60_000;
const DAY = 96;

it('finds where durations begin to be longer than they ever were, once', () => {
  const found = onsetsIn([...usual(3 * DAY), ...Array.from({ length: 20 }, () => 2_500)]);
  expect(found).toEqual([
    { metricType: 'action_latency_p95', atMs: 3 * DAY * QUARTER_MS, durationMs: 2_500, usualMs: 420 },
  ]);
});

it('makes nothing of what goes on as it was, of what gets faster, and of what nobody would notice', () => {
  expect(onsetsIn(usual(5 * DAY))).toEqual([]);
  expect(onsetsIn([...usual(3 * DAY), 20, 20, 20])).toEqual([]);
  expect(onsetsIn([...usual(3 * DAY).map((ms) => ms / 100), 90, 90])).toEqual([]);
});

it('finds the next one from a day later on', () => {
  const spike = [2_500];
  const found = onsetsIn([...usual(20 * DAY), ...spike, ...usual(DAY / 2), ...spike, ...usual(DAY), ...spike]);
  expect(found.map(({ atMs }) => atMs / QUARTER_MS)).toEqual([20 * DAY, 21.5 * DAY + 2]);
});

/** Between 400 and 440 ms, over and over. */
function usual(quarters: number): number[] {
  return Array.from({ length: quarters }, (_, index) => 400 + ((index * 7) % 5) * 10);
}

function onsetsIn(durationsMs: readonly number[]) {
  const find = createSlowOnsets('action_latency_p95');
  return durationsMs.flatMap((durationMs, index) => {
    const atMs = index * QUARTER_MS;
    return find({ atMs, localMs: atMs, durationMs }) ?? [];
  });
}
