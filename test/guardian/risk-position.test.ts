import { expect, test } from 'vitest';
import { type Reading, riskPosition } from '../../src/guardian/risk-position.ts';

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

test('approving hardly anything counts on the other side', () => {
  expect(riskPosition(reading({ type: 'confirmation_approval_rate', value: 0.3 }))).toBeCloseTo(0.5, 12);
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
  expect([at(0), at(1.5), at(Math.log2(18))]).toEqual([1, 0, 1]);
});
