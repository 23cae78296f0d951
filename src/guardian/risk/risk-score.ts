import type { MetricType } from '../../contract/guardian.ts';
import { METRICS } from '../../contract/metrics.ts';
import type { RiskCause } from '../../contract/risk.ts';

/** One metric as the score sees it: its position from green, 0, to red, 1 (`null`: too little data). */
export type RiskInput = { metricType: MetricType; position: number | null };

/** The part of one cause in the risk, as a share of 1. `wasAsked`: the person was asked about each of the actions that it is about. */
export type RiskShare = { cause: RiskCause; share: number; wasAsked?: boolean };

export type Contributor = { cause: RiskCause; points: number };

/** Score and points from 0 to 100. */
export type RiskScore = { score: number; contributors: Contributor[] };

/** The least score while a control has failed: the journal is broken, or an elevated action ran without a valid decision. */
export const FAILED_CONTROL_FLOOR = 90;

const MOST_CONTRIBUTORS = 3;

/**
 * R = 100·(1 − Π(1 − cᵢ)^(1/i)), shares cᵢ in descending order: the largest counts in full and each further one less, so that many
 * small worries cannot cry as loud as a large one. A noisy-or (Pearl 1988, p. 184) but for the roots, which are our own. `floor`: the
 * least score, for causes that no sum of others may hide; `most`: the largest. With the up to three causes that contribute most, and their parts of it, as
 * far as those are half a point or more.
 */
export function riskScore(
  shares: readonly RiskShare[],
  { floor, most = 100 }: { floor: number; most?: number },
): RiskScore {
  const safety = shares
    .toSorted((one, other) => other.share - one.share)
    .map(({ cause, share }, index) => ({ cause, log: Math.log1p(-share) / (index + 1) }));
  let logSafety = 0;
  for (const { log } of safety) logSafety += log;
  const risk = Math.min(most, Math.max(floor, 100 * (1 - Math.exp(logSafety))));
  return {
    score: Math.round(risk),
    contributors: safety
      .filter(({ log }) => log < 0)
      .slice(0, MOST_CONTRIBUTORS)
      .map(({ cause, log }) => ({ cause, points: Math.round((risk * log) / logSafety) }))
      .filter(({ points }) => points > 0),
  };
}

/** Our own: small worries less than in proportion. */
export function metricShare({ metricType, position }: RiskInput): RiskShare {
  return { cause: metricType, share: METRICS[metricType].weight * (position ?? 0) ** 1.5 };
}

/** Our own: the share of all weight that had data, from 0 to 1. */
export function riskConfidence(inputs: readonly RiskInput[]): number {
  let [known, all] = [0, 0];
  for (const { metricType, position } of inputs) {
    const { weight } = METRICS[metricType];
    all += weight;
    if (position !== null) known += weight;
  }
  return known / all;
}
