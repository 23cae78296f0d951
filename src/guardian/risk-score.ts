import type { MetricType } from '../contract/guardian.ts';
import { metricDefinition } from './metric-types.ts';
import { clamp } from './statistics.ts';

/**
 * What one metric brings to the score: its position from green, 0, to red, 1 (`null`: too little data to say), and the z-score of
 * an open trend for the worse, 0 where there is none.
 */
export type RiskInput = { metricType: MetricType; position: number | null; worseningZ: number };

export type Contributor = { metricType: MetricType; points: number };

/** Score and points from 0 to 100; confidence is the share of all weight that had data, from 0 to 1. */
export type RiskScore = { score: number; confidence: number; contributors: Contributor[] };

/** The least score while the journal is broken or an elevated action ran without a valid decision. */
const BROKEN_PROMISE_FLOOR = 90;

/**
 * R = 100·(1 − Π(1 − cᵢ)^(1/i)), contributions cᵢ in descending order: the worst counts in full and each further one less, so that
 * many small worries cannot cry as loud as a large one. A noisy-or (Pearl 1988, p. 184) but for the roots, which are our own. With the up to three metrics that contribute most, and their parts of it,
 * as far as those are half a point or more.
 */
export function riskScore(inputs: readonly RiskInput[], { promiseBroken }: { promiseBroken: boolean }): RiskScore {
  const safety = inputs
    .map((input) => ({ metricType: input.metricType, share: contribution(input) }))
    .sort((one, other) => other.share - one.share)
    .map(({ metricType, share }, index) => ({ metricType, log: Math.log1p(-share) / (index + 1) }));
  const logSafety = safety.reduce((sum, { log }) => sum + log, 0);
  const risk = 100 * (1 - Math.exp(logSafety));
  return {
    score: Math.round(promiseBroken ? Math.max(BROKEN_PROMISE_FLOOR, risk) : risk),
    confidence: confidence(inputs),
    contributors: safety
      .filter(({ log }) => log < 0)
      .slice(0, 3)
      .map(({ metricType, log }) => ({ metricType, points: Math.round((risk * log) / logSafety) }))
      .filter(({ points }) => points > 0),
  };
}

/** Our own: small worries less than in proportion; a trend for the worse, from 3.5 to 8 deviations, up to half of the weight. */
function contribution({ metricType, position, worseningZ }: RiskInput): number {
  if (position === null) return 0;
  const trend = clamp((Math.abs(worseningZ) - 3.5) / 4.5, { from: 0, to: 1 }) / 2;
  return metricDefinition(metricType).weight * Math.max(position ** 1.5, trend);
}

/** Our own: the share of all weight that had data. */
function confidence(inputs: readonly RiskInput[]): number {
  const weightOf = (some: readonly RiskInput[]) =>
    some.reduce((sum, { metricType }) => sum + metricDefinition(metricType).weight, 0);
  return weightOf(inputs.filter(({ position }) => position !== null)) / weightOf(inputs);
}
