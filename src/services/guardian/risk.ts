import type { RiskSummary } from '../../contract/guardian.ts';
import { measureAll, type Recorded } from '../../guardian/recording/metrics.ts';
import { levelOf } from '../../guardian/risk-level.ts';
import { type RiskScore, riskScore } from '../../guardian/risk-score.ts';
import { type MedianOf, positionOf } from '../../guardian/snapshot.ts';
import type { Context } from '../context.ts';
import { shownShare } from '../rounding.ts';
import { timestamp } from '../timestamps.ts';
import { createHeldLevels } from './held-levels.ts';
import type { TrendWatch } from './trend-watch.ts';
import type { createWindows, Span } from './windows.ts';

const DAY_MS = 86_400_000;
const HISTORY_POINTS = 12;
const MOST_REMEMBERED = 1_000;

type Parts = {
  windows: ReturnType<typeof createWindows>;
  trendWatch: Pick<TrendWatch, 'worseningZ' | 'baselineMedian'>;
};

/**
 * The risk over a window, with the level as it was held over time and the scores of earlier windows of the same length, or a little
 * longer where minutes are no longer kept. Trends are of now, so they count in a window that ends now and in no other.
 */
export function createRisk(context: Context, { windows, trendWatch }: Parts) {
  const levels = createHeldLevels(context);
  const scores = new Map<string, number | null>();

  function medianIn({ fromMs, toMs }: Span): MedianOf {
    return (type) => trendWatch.baselineMedian(type, toMs - fromMs);
  }

  /** What is past stays as it was, so it is worked out once. */
  function pastScore(span: Span): RiskSummary['history'][number] {
    const key = `${span.fromMs} ${span.toMs}`;
    const known = scores.get(key);
    const score = known === undefined ? scoreOfPast(span) : known;
    if (scores.size >= MOST_REMEMBERED) scores.clear();
    scores.set(key, score);
    return { at: timestamp(span.toMs), score };
  }

  function scoreOfPast(span: Span): number | null {
    const recorded = windows.recorded(span);
    return recorded.upTime.upMs === 0 ? null : scoreIn(span, recorded).score;
  }

  function scoreIn(span: Span, recorded: Recorded): RiskScore {
    const worseningZ = isOver(span) ? () => 0 : trendWatch.worseningZ;
    return scoreOf(recorded, { worseningZ, medianOf: medianIn(span) });
  }

  /** Of a window that is over the level is that of its score; the level of now is held. */
  function levelIn(span: Span, score: number): RiskSummary['level'] {
    return isOver(span) ? levelOf(score) : levels.level(span.toMs - span.fromMs, score);
  }

  function isOver({ toMs }: Span): boolean {
    return toMs <= context.clock.nowMs();
  }

  /** Each a twelfth of the window before the next, oldest first; at edges that are still known exactly. */
  function earlier({ fromMs, toMs }: Span): Span[] {
    const lengthMs = toMs - fromMs;
    const unitMs = windows.unitKeptMs(fromMs - lengthMs);
    const stepMs = Math.max(unitMs, Math.floor(lengthMs / HISTORY_POINTS / unitMs) * unitMs);
    const lastMs = Math.floor((toMs - 1) / stepMs) * stepMs;
    return Array.from({ length: HISTORY_POINTS - 1 }, (_, index) => {
      const endMs = lastMs - (HISTORY_POINTS - 2 - index) * stepMs;
      return windows.spanOf({ fromMs: endMs - lengthMs, toMs: endMs });
    });
  }

  return {
    summary(span: Span, recorded: Recorded): RiskSummary {
      const { score, confidence, contributors } = scoreIn(span, recorded);
      const last = isOver(span) ? pastScore(span) : { at: timestamp(span.toMs), score };
      const history = [...earlier(span).map(pastScore), last];
      return { score, level: levelIn(span, score), confidence: shownShare(confidence), contributors, history };
    },
    /** Goes by the level of the last day, whether anybody looks or not, and stores all levels; to be called every minute. */
    watch(): void {
      const span = windows.spanOf({ lengthMs: DAY_MS });
      levelIn(span, scoreIn(span, windows.recorded(span)).score);
      levels.keep();
    },
  };
}

type Usual = { worseningZ: TrendWatch['worseningZ']; medianOf: MedianOf };

function scoreOf(recorded: Recorded, { worseningZ, medianOf }: Usual): RiskScore {
  const { journalBroken, executedUndecided } = recorded.rollup.counters;
  const inputs = measureAll(recorded).map((metric) => ({
    metricType: metric.type,
    position: positionOf(metric, { recorded, medianOf }),
    worseningZ: worseningZ(metric.type),
  }));
  return riskScore(inputs, { promiseBroken: journalBroken + executedUndecided > 0 });
}
