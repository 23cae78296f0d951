import type { Counter } from '../../contract/counters.ts';
import type { MetricType } from '../../contract/guardian.ts';
import { METRICS } from '../../contract/metrics.ts';
import type { RiskCause } from '../../contract/risk.ts';
import { heldCounters } from './refusing-controls.ts';

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

const RISK_SCORE_LEVELS = ['low', 'moderate', 'high', 'critical'] as const;
export type RiskScoreLevel = (typeof RISK_SCORE_LEVELS)[number];

/** The level shown, and since when the score has been clearly below each level's bound; absent where it has not. Times in epoch ms. */
export type LevelState = { level: RiskScoreLevel; belowSinceMs: Partial<Record<RiskScoreLevel, number>> };

const LOWER_BOUND = { low: 0, moderate: 25, high: 50, critical: 75 } as const;
const CLEARLY_BELOW = 5;
const CALM_MS = 10 * 60_000;

export function levelOf(score: number): RiskScoreLevel {
  return RISK_SCORE_LEVELS.findLast((level) => score >= LOWER_BOUND[level]) ?? 'low';
}

/**
 * The state after a score: a level is entered at once, and left when the score was 5 below its bound for 10 minutes on end. A
 * hysteresis (Schmitt 1938) with bounds of our own.
 */
export function nextLevel(before: LevelState, { score, nowMs }: { score: number; nowMs: number }): LevelState {
  const belowSinceMs = Object.fromEntries(
    RISK_SCORE_LEVELS.filter((level) => score < LOWER_BOUND[level] - CLEARLY_BELOW).map((level) => [
      level,
      // A clock that was set back would otherwise hold a level until it has caught up.
      Math.min(before.belowSinceMs[level] ?? nowMs, nowMs),
    ]),
  );
  const held = RISK_SCORE_LEVELS.slice(0, RISK_SCORE_LEVELS.indexOf(before.level) + 1).findLast(
    (level) => nowMs - (belowSinceMs[level] ?? nowMs) < CALM_MS,
  );
  return { level: higher(levelOf(score), held ?? 'low'), belowSinceMs };
}

/** The state after a gap in which Guardian did not measure. The gap does not count as calm time. */
export function levelAfterGap({ level, belowSinceMs }: LevelState, gapMs: number): LevelState {
  const later = Object.entries(belowSinceMs).map(([each, sinceMs]) => [each, sinceMs + gapMs]);
  return { level, belowSinceMs: Object.fromEntries(later) };
}

function higher(one: RiskScoreLevel, other: RiskScoreLevel): RiskScoreLevel {
  return RISK_SCORE_LEVELS.indexOf(one) > RISK_SCORE_LEVELS.indexOf(other) ? one : other;
}

/** The counters whose events are behind a cause of risk: they tell when it began, when it was last seen, and whose they are. */
export function countersBehind(cause: RiskCause): readonly Counter[] {
  if (cause === 'controls_held') return heldCounters();
  if (cause === 'requesters') return ['requested'];
  const { bad, hits } = METRICS[cause];
  return bad ?? hits;
}
