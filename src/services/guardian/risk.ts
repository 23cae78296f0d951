import type { RiskContributor, RiskSummary } from '../../contract/risk.ts';
import type { Sign } from '../../guardian/insights/finding.ts';
import { measure, type Recorded } from '../../guardian/recording/metrics.ts';
import { assessRisk, type Risk } from '../../guardian/risk/assess-risk.ts';
import { levelOf } from '../../guardian/risk/risk-score.ts';
import type { Context } from '../context.ts';
import { shownShare } from '../rounding.ts';
import { timestamp } from '../timestamps.ts';
import type { KnownCauses } from './known-causes.ts';
import { createRemembered } from './remembered.ts';
import { createHeldLevels } from './stored-levels.ts';
import type { UsualIn } from './usual-windows.ts';
import type { Span, Windows } from './windows.ts';

const HISTORY_POINTS = 12;
const MOST_REMEMBERED = 1_000;

type Parts = {
  windows: Windows;
  usualIn: UsualIn;
  knownCauses: Pick<KnownCauses, 'list' | 'isKnown' | 'unknownFailures'>;
  /** The shares of risk of the insights that were open at a time. */
  signsAt(toMs: number): readonly Sign[];
};

/** A window with its events. */
export type Happened = { span: Span; recorded: Recorded };

/**
 * The risk of a window, its level, and the scores of eleven earlier windows of the same length. Where minutes are no longer kept, an
 * earlier window is widened to whole hours or days. The insights that were open at the end of a window count in its score.
 */
export function createRisk(context: Context, { windows, usualIn, knownCauses, signsAt }: Parts) {
  const levels = createHeldLevels(context);
  const scores = createRemembered<string, number | null>(MOST_REMEMBERED);

  /** The past does not change, so its scores are worked out once. */
  function pastScore(span: Span): RiskSummary['history'][number] {
    const score = scores(`${span.fromMs} ${span.toMs}`, () => scoreOfPast(span));
    return { at: timestamp(span.toMs), score };
  }

  function scoreOfPast(span: Span): number | null {
    const recorded = windows.recorded(span);
    return recorded.upTime.upMs === 0 ? null : riskIn(span, recorded).score;
  }

  function riskIn(span: Span, recorded: Recorded): Risk {
    return assessRisk(recorded, {
      usual: usualIn(span),
      signs: signsAt(span.toMs).map(({ risk }) => risk),
      isKnown: (cause) => knownCauses.isKnown(cause, span.toMs),
      failures: knownCauses.unknownFailures(span, measure('control_violations', recorded).sampleSize),
    });
  }

  /** A window that is over has the level of its score; the level of now is held. */
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
    assess: riskIn,
    summary(
      { score, confidence }: Risk,
      { span, contributors }: { span: Span; contributors: RiskContributor[] },
    ): RiskSummary {
      const last = isOver(span) ? pastScore(span) : { at: timestamp(span.toMs), score };
      return {
        score,
        level: levelIn(span, score),
        confidence: shownShare(confidence),
        contributors,
        known: knownCauses.list(),
        history: [...earlier(span).map(pastScore), last],
      };
    },
    /**
     * Goes by the score of the last day, and stores all levels. It must be called every minute, so that levels do not depend on
     * readers.
     */
    watch({ score }: Risk, span: Span): void {
      levelIn(span, score);
      levels.keep();
    },
  };
}
