import {
  type LevelState,
  levelAfterGap,
  levelOf,
  nextLevel,
  type RiskScoreLevel,
} from '../../guardian/risk/risk-score.ts';
import type { Context } from '../context.ts';

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
