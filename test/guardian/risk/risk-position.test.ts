import { expect, test } from 'vitest';
import { ACTION_TYPES } from '../../../src/contract/metrics.ts';
import { nearestLimit, type Reading, riskPosition } from '../../../src/guardian/metrics/snapshot.ts';

const reading = (part: Partial<Reading> & Pick<Reading, 'type' | 'value'>): Reading => ({
  sampleSize: 100,
  hoursUp: 1,
  baselineMedian: null,
  ...part,
});

test('a position goes from 0 at green to 1 at red and stays there', () => {
  const positions = [0.99, 0.95, 0.825, 0.7, 0.1].map((value) =>
    riskPosition(reading({ type: 'action_success_rate', value })),
  );
  expect(positions.map((position) => position?.toFixed(3))).toEqual(['0.000', '0.000', '0.500', '1.000', '1.000']);
});

test('too few samples have no position', () => {
  expect(riskPosition(reading({ type: 'action_success_rate', value: 0.1, sampleSize: 9 }))).toBeNull();
});

test('a metric without a value has no position', () => {
  expect(riskPosition(reading({ type: 'control_violations', value: null }))).toBeNull();
});

test('a metric that has trends only stands at 0', () => {
  expect(riskPosition(reading({ type: 'action_rate', value: 9000 }))).toBe(0);
});

test('approving everything counts against the person from twenty answers on', () => {
  const approving = (sampleSize: number) =>
    riskPosition(reading({ type: 'confirmation_approval_rate', value: 1, sampleSize }));
  expect([approving(19), approving(20)]).toEqual([0, 1]);
});

test.each([0.94, 0.24, 0])('a person who allows %d of the prompts and denies the others adds no risk', (value) => {
  expect(riskPosition(reading({ type: 'confirmation_approval_rate', value }))).toBe(0);
});

test('executions count per hour, and a few minutes as a quarter of one', () => {
  const at = (hoursUp: number) => riskPosition(reading({ type: 'high_risk_executions', value: 2, hoursUp }));
  expect([at(2), at(0.25), at(0.01)]).toEqual([0.1, 0.8, 0.8]);
});

test('a latency is judged by its baseline, and without one not at all', () => {
  const at = (value: number, baselineMedian: number | null) =>
    riskPosition(reading({ type: 'action_latency_p95', value, baselineMedian }));
  expect([at(149, 99), at(499, 99), at(499, null)]).toEqual([0, 1, null]);
});

test('sameness and randomness of actions are both a worry', () => {
  const at = (value: number) => riskPosition(reading({ type: 'action_diversity', value }));
  expect([at(0), at(1.5), at(Math.log2(ACTION_TYPES))]).toEqual([1, 0, 1]);
});

test('of two limits the one that a value is beyond is told, else the nearer one', () => {
  const of = (type: Reading['type'], values: number[]) =>
    values.map((value) => nearestLimit(reading({ type, value }))?.green);
  expect(of('confirmation_approval_rate', [0, 0.97])).toEqual([0.95, 0.95]);
  expect(of('action_diversity', [0.1, 1.2, 3, 4.8])).toEqual([0.3, 0.3, 3.5, 3.5]);
});

test('a limit that asks for more samples than there are is not told', () => {
  const limit = (sampleSize: number) =>
    nearestLimit(reading({ type: 'confirmation_approval_rate', value: 1, sampleSize }));
  expect([limit(19), limit(20)]).toEqual([null, { green: 0.95, red: 1 }]);
});

test('a limit for an hour is told for as long as the daemon was up, and a multiple of a baseline as what it comes to', () => {
  const red = (hoursUp: number) => nearestLimit(reading({ type: 'high_risk_executions', value: 2, hoursUp }))?.red;
  expect([red(0.1), red(1), red(24)]).toEqual([2.5, 10, 240]);
  const latency = (baselineMedian: number | null) =>
    nearestLimit(reading({ type: 'action_latency_p95', value: 70, baselineMedian }));
  expect([latency(999), latency(null)]).toEqual([{ green: 1_499, red: 4_999 }, null]);
});

test('without a value the first limit is told, and none where there is none', () => {
  const limit = (type: Reading['type']) => nearestLimit(reading({ type, value: null, sampleSize: 0 }));
  expect([limit('action_diversity'), limit('action_rate')]).toEqual([{ green: 0.3, red: 0 }, null]);
});
