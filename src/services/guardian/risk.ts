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

type Parts = { windows: ReturnType<typeof createWindows>; trendWatch: Pick<TrendWatch, 'worseningZ'> };

/** The risk over a window, with the level as it was held over time and the scores of earlier windows of the same length. */
export function createRisk({ clock }: Context, { windows, trendWatch }: Parts) {
  const levels = new Map<number, LevelState>();
  return (span: Span, recorded: Recorded): RiskSummary => {
    const { score, confidence, contributors } = scoreOf(recorded, trendWatch.worseningZ);
    const lengthMs = span.toMs - span.fromMs;
    const before = levels.get(lengthMs) ?? { level: 'low', belowSinceMs: {} };
    const state = nextLevel(before, { score, nowMs: clock.nowMs() });
    if (levels.size < 100 || levels.has(lengthMs)) levels.set(lengthMs, state);
    const history = earlier(span).map((each) => {
      const past = windows.recorded(each);
      return { at: timestamp(each.toMs), score: past.upTime.upMs === 0 ? null : scoreOf(past, () => 0).score };
    });
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

/** Windows of the same length, each a twelfth of it before the next, oldest first; the last is the window itself. */
function earlier({ fromMs, toMs }: Span): Span[] {
  const stepMs = Math.max(60_000, Math.floor((toMs - fromMs) / HISTORY_POINTS / 60_000) * 60_000);
  return Array.from({ length: HISTORY_POINTS }, (_, index) => {
    const backMs = (HISTORY_POINTS - 1 - index) * stepMs;
    return { fromMs: fromMs - backMs, toMs: toMs - backMs };
  });
}
