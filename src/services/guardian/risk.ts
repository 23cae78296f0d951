import type { RiskSummary } from '../../contract/guardian.ts';
import { measureAll, type Recorded } from '../../guardian/recording/metrics.ts';
import { type LevelState, nextLevel } from '../../guardian/risk-level.ts';
import { type RiskScore, riskScore } from '../../guardian/risk-score.ts';
import { positionOf } from '../../guardian/snapshot.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';
import type { TrendWatch } from './trend-watch.ts';
import type { createWindows, Span } from './windows.ts';

const HISTORY_POINTS = 12;
const MOST_REMEMBERED = 1_000;

type Parts = { windows: ReturnType<typeof createWindows>; trendWatch: Pick<TrendWatch, 'worseningZ'> };

/** The risk over a window, with the level as it was held over time and the scores of earlier windows of the same length. */
export function createRisk({ clock }: Context, { windows, trendWatch }: Parts) {
  const levels = new Map<number, LevelState>();
  const scores = new Map<string, number | null>();

  /** What is past stays as it was, so it is worked out once. */
  function pastScore(span: Span): RiskSummary['history'][number] {
    const key = `${span.fromMs} ${span.toMs}`;
    const known = scores.get(key);
    const score = known === undefined ? scoreOfPast(windows.recorded(span)) : known;
    if (scores.size >= MOST_REMEMBERED) scores.clear();
    scores.set(key, score);
    return { at: timestamp(span.toMs), score };
  }

  return (span: Span, recorded: Recorded): RiskSummary => {
    const { score, confidence, contributors } = scoreOf(recorded, trendWatch.worseningZ);
    const lengthMs = span.toMs - span.fromMs;
    const before = levels.get(lengthMs) ?? { level: 'low', belowSinceMs: {} };
    const state = nextLevel(before, { score, nowMs: clock.nowMs() });
    if (levels.size < 100 || levels.has(lengthMs)) levels.set(lengthMs, state);
    const history = [...earlier(span).map(pastScore), { at: timestamp(span.toMs), score }];
    return { score, level: state.level, confidence, contributors, history };
  };
}

function scoreOf(recorded: Recorded, worseningZ: TrendWatch['worseningZ']): RiskScore {
  const { journalBroken, executedUndecided } = recorded.rollup.counters;
  const inputs = measureAll(recorded).map((metric) => ({
    metricType: metric.type,
    position: positionOf(metric, recorded),
    worseningZ: worseningZ(metric.type),
  }));
  return riskScore(inputs, { promiseBroken: journalBroken + executedUndecided > 0 });
}

function scoreOfPast(past: Recorded): number | null {
  return past.upTime.upMs === 0 ? null : scoreOf(past, () => 0).score;
}

/** Windows of the same length before it, each a twelfth of it before the next, oldest first. */
function earlier({ fromMs, toMs }: Span): Span[] {
  const lengthMs = toMs - fromMs;
  const stepMs = Math.max(60_000, Math.floor(lengthMs / HISTORY_POINTS / 60_000) * 60_000);
  const lastMs = Math.floor((toMs - 1) / stepMs) * stepMs;
  return Array.from({ length: HISTORY_POINTS - 1 }, (_, index) => {
    const endMs = lastMs - (HISTORY_POINTS - 2 - index) * stepMs;
    return { fromMs: endMs - lengthMs, toMs: endMs };
  });
}
