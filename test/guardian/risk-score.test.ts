import { expect, test } from 'vitest';
import { METRIC_TYPES, type MetricType } from '../../src/contract/guardian.ts';
import { metricDefinition } from '../../src/guardian/metric-types.ts';
import { type RiskInput, riskScore } from '../../src/guardian/risk-score.ts';

const kept = { promiseBroken: false };
const green: RiskInput[] = METRIC_TYPES.map((metricType) => ({ metricType, position: 0, worseningZ: 0 }));

function greenExcept(changed: Partial<Record<MetricType, Partial<RiskInput>>>): RiskInput[] {
  return green.map((input) => ({ ...input, ...changed[input.metricType] }));
}

test('all green is 0', () => {
  expect(riskScore(green, kept)).toEqual({ score: 0, confidence: 1, contributors: [] });
});

test('every limit passed by three tenths of its way is about 26', () => {
  const limited = (metricType: MetricType) => metricDefinition(metricType).limits.length > 0;
  const inputs = green.map((input) => ({ ...input, position: limited(input.metricType) ? 0.3 : 0 }));
  expect(riskScore(inputs, kept).score).toBe(26);
});

test('red approvals, answers, haste and prompts together are 55', () => {
  const red = { position: 1 };
  const inputs = greenExcept({
    confirmation_approval_rate: red,
    confirmation_response_p50: red,
    hasty_approval_share: red,
    confirmation_prompt_rate: red,
  });
  expect(riskScore(inputs, kept)).toEqual({
    score: 55,
    confidence: 1,
    contributors: [
      { metricType: 'hasty_approval_share', points: 30 },
      { metricType: 'confirmation_prompt_rate', points: 12 },
      { metricType: 'confirmation_approval_rate', points: 8 },
    ],
  });
});

test('one control violation is 90', () => {
  expect(riskScore(greenExcept({ control_violations: { position: 1 } }), kept)).toEqual({
    score: 90,
    confidence: 1,
    contributors: [{ metricType: 'control_violations', points: 90 }],
  });
});

test('a broken promise is 90 though all metrics are green', () => {
  expect(riskScore(green, { promiseBroken: true })).toEqual({ score: 90, confidence: 1, contributors: [] });
});

test('a trend for the worse counts from 3.5 deviations on, and at 8 for half of the weight', () => {
  const scored = (worseningZ: number) => riskScore(greenExcept({ action_success_rate: { worseningZ } }), kept).score;
  expect([3.5, 5.75, -8, 8].map(scored)).toEqual([0, 9, 18, 18]);
});

test('what adds less than half a point to the score is not among what it comes from', () => {
  const inputs = greenExcept({ task_duration_p95: { position: 0.1 }, hasty_approval_share: { position: 1 } });
  expect(riskScore(inputs, kept).contributors).toEqual([{ metricType: 'hasty_approval_share', points: 35 }]);
});

test('metrics without data add nothing and take their weight from the confidence', () => {
  const unknown = { position: null, worseningZ: 8 };
  const { score, confidence } = riskScore(greenExcept({ control_violations: unknown, action_rate: unknown }), kept);
  const weight = METRIC_TYPES.reduce((sum, type) => sum + metricDefinition(type).weight, 0);
  expect(score).toBe(0);
  expect(confidence).toBeCloseTo(1 - 1 / weight, 12);
});
