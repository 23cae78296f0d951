import type { Counter } from '../../src/contract/counters.ts';
import type { Recorded } from '../../src/guardian/recording/metrics.ts';
import { emptyRollup, type Rollup } from '../../src/guardian/recording/rollup.ts';

const DAY_MS = 86_400_000;

/** A day of which the daemon was up eight hours, with these counters and other parts of a rollup. */
export function dayWith(
  counters: Partial<Record<Counter, number>>,
  { upHours = 8, ...rest }: Partial<Omit<Rollup, 'counters'>> & { upHours?: number } = {},
): Recorded {
  const rollup = emptyRollup();
  const upMs = upHours * 3_600_000;
  return {
    rollup: { ...rollup, ...rest, counters: { ...rollup.counters, ...counters } },
    upTime: { upMs, unlockedMs: upMs, readyMs: upMs },
    lengthMs: DAY_MS,
  };
}
