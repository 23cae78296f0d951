import type { RiskContributor, RiskSummary } from '../../contract/risk.ts';
import type { Sign } from '../../guardian/insights/finding.ts';
import { measure, type Recorded } from '../../guardian/recording/metrics.ts';
import { assessRisk, type Risk } from '../../guardian/risk/assess-risk.ts';
import {
  type LevelState,
  levelAfterGap,
  levelOf,
  nextLevel,
  type RiskScoreLevel,
} from '../../guardian/risk/risk-score.ts';
import type { Context } from '../context.ts';
import { shownShare } from '../rounding.ts';
import { timestamp } from '../steady-clock.ts';
import type { KnownCauses } from './known-causes.ts';
import { createRemembered } from './remembered.ts';
import type { Span, Windows } from './time-windows.ts';
import type { UsualIn } from './usual-windows.ts';

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

const STORED = 'riskLevels';
const MOST = 100;

type Stored = { atMs: number; levels: [lengthMs: number, state: LevelState][] };

/**
 * The risk level of each length of window. It rises at once and falls after a calm time, and it outlives restarts. A level that is
 * only moderate is not held over a gap as long as its window, because nothing that raised it is in the window after that.
 */
export function createHeldLevels({ store, clock }: Context) {
  let levels = recalled(store.settings.get(STORED), clock.nowMs());
  let stored = JSON.stringify([...levels]);
  const lookedAtMs = new Map<number, number>();

  function heldFor(lengthMs: number, nowMs: number): LevelState | undefined {
    const gapMs = nowMs - (lookedAtMs.get(lengthMs) ?? nowMs);
    const before = levels.get(lengthMs);
    return before !== undefined && isHeldOver(gapMs, { lengthMs, before }) ? before : undefined;
  }

  return {
    /** The level of a window that ends now. */
    level(lengthMs: number, score: number): RiskScoreLevel {
      const nowMs = clock.nowMs();
      const before = heldFor(lengthMs, nowMs);
      if (!levels.has(lengthMs) && levels.size >= MOST) return levelOf(score);
      lookedAtMs.set(lengthMs, nowMs);
      const state = nextLevel(before ?? { level: 'low', belowSinceMs: {} }, { score, nowMs });
      levels = new Map([...levels, [lengthMs, state]]);
      return state.level;
    },
    /** Stores them, if one is other than it was. */
    keep(): void {
      const now = JSON.stringify([...levels]);
      const calm = [...levels.values()].every(({ level }) => level === 'low');
      if (now === stored && calm) return;
      const value: Stored = { atMs: clock.nowMs(), levels: [...levels] };
      store.write('relaxed', () => store.settings.set(STORED, value));
      stored = now;
    },
  };
}

/** The time in which nobody measured is no calm, so it does not count. */
function recalled(stored: unknown, nowMs: number): Map<number, LevelState> {
  if (!isStored(stored)) return new Map();
  const gapMs = Math.max(0, nowMs - stored.atMs);
  const held = stored.levels.filter(([lengthMs, before]) => isHeldOver(gapMs, { lengthMs, before }));
  return new Map(held.map(([lengthMs, state]) => [lengthMs, levelAfterGap(state, gapMs)]));
}

function isHeldOver(gapMs: number, { lengthMs, before }: { lengthMs: number; before: LevelState }): boolean {
  return gapMs < lengthMs || before.level === 'high' || before.level === 'critical';
}

function isStored(value: unknown): value is Stored {
  return (
    typeof value === 'object' && value !== null && 'levels' in value && 'atMs' in value && Array.isArray(value.levels)
  );
}

/**
 * The risk of a window, its level, and the scores of eleven earlier windows of the same length. Where minutes are no longer kept, an
 * earlier window is widened to whole hours or days. The insights that were open at the end of a window count in its score.
 */
export function createRisk(context: Context, { windows, usualIn, knownCauses, signsAt }: Parts) {
  const levels = createHeldLevels(context);
  const scores = createRemembered<string, number | null>(MOST_REMEMBERED);

  /** The past does not change, so its scores are worked out once. */
  function pastScore(span: Span): RiskSummary['history'][number] {
    const score = scores(`${span.fromMs} ${span.toMs}`, () => scoreOfPast(span)); // guard E2-38
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
