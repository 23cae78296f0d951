import { expect, test } from 'vitest';
import type { MetricType } from '../../../src/contract/guardian.ts';
import { METRIC_TYPES, METRICS } from '../../../src/contract/metrics.ts';
import { metricShare, type RiskInput, riskConfidence, riskScore } from '../../../src/guardian/risk/risk-score.ts';

const green: RiskInput[] = METRIC_TYPES.map((metricType) => ({ metricType, position: 0 }));

function greenExcept(changed: Partial<Record<MetricType, Partial<RiskInput>>>): RiskInput[] {
  return green.map((input) => ({ ...input, ...changed[input.metricType] }));
}

function scored(inputs: readonly RiskInput[], floor = 0) {
  return riskScore(inputs.map(metricShare), { floor });
}

test('all green is 0', () => {
  expect(scored(green)).toEqual({ score: 0, contributors: [] });
});

test('every limit passed by three tenths of its way is about 26', () => {
  const limited = (metricType: MetricType) => METRICS[metricType].limits.length > 0;
  const inputs = green.map((input) => ({ ...input, position: limited(input.metricType) ? 0.3 : 0 }));
  expect(scored(inputs).score).toBe(26);
});

test('red approvals, answers, haste and prompts together are 55', () => {
  const red = { position: 1 };
  const inputs = greenExcept({
    confirmation_approval_rate: red,
    confirmation_response_p50: red,
    hasty_approval_share: red,
    confirmation_prompt_rate: red,
  });
  expect(scored(inputs)).toEqual({
    score: 55,
    contributors: [
      { cause: 'hasty_approval_share', points: 30 },
      { cause: 'confirmation_prompt_rate', points: 12 },
      { cause: 'confirmation_approval_rate', points: 8 },
    ],
  });
});

test('one control that failed is 90', () => {
  expect(scored(greenExcept({ control_violations: { position: 1 } }))).toEqual({
    score: 90,
    contributors: [{ cause: 'control_violations', points: 90 }],
  });
});

test('a floor is the least score, and its points go to the causes as they contribute', () => {
  const inputs = greenExcept({ action_rate: { position: 1 } });
  expect(scored(inputs, 25)).toEqual({ score: 25, contributors: [{ cause: 'action_rate', points: 25 }] });
  expect(scored(inputs, 5).score).toBe(10);
});

test('a cause that adds less than half a point is not among the contributors', () => {
  const inputs = greenExcept({ task_duration_p95: { position: 0.1 }, hasty_approval_share: { position: 1 } });
  expect(scored(inputs).contributors).toEqual([{ cause: 'hasty_approval_share', points: 35 }]);
});

test('metrics without data add nothing and take their weight from the confidence', () => {
  const unknown = { position: null };
  const inputs = greenExcept({ control_violations: unknown, action_rate: unknown });
  const weight = METRIC_TYPES.reduce((sum, type) => sum + METRICS[type].weight, 0);
  expect(scored(inputs).score).toBe(0);
  expect(riskConfidence(inputs)).toBeCloseTo(1 - 1 / weight, 12);
  expect(riskConfidence(green)).toBe(1);
});
