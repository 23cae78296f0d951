export const RISK_SCORE_LEVELS = ['low', 'moderate', 'high', 'critical'] as const;
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
