import type { DriftFacts } from '../../guardian/insights/facts.ts';
import { DRIFT_DAYS, FAILURES } from '../../guardian/insights/operation.ts';
import { DAY_MS, daysBefore, HOUR_MS, startOfDay } from '../../guardian/metrics/local-time.ts';
import type { Recorded } from '../../guardian/recording/metrics.ts';
import type { Context } from '../context.ts';
import { createRemembered } from './remembered.ts';
import type { Span, Windows } from './windows.ts';

/** Days are gone through for so long until enough of them have actions. */
const MOST_DAYS = 60;

type Parts = {
  windows: Pick<Windows, 'recorded'>;
  expectedUntilMs(subject: string): number | undefined;
};

/**
 * The first weeks of this desktop, or the last ones before the person said that a drift was expected, beside the days of now. Unlike the
 * days of a requester it does not move, so that a slow drift is seen.
 */
export function createFixedPast({ store, clock }: Context, { windows, expectedUntilMs }: Parts): () => DriftFacts {
  const remembered = createRemembered<number, readonly Recorded[]>(1);

  function lately(nowMs: number): Recorded[] {
    const todayMs = startOfDay(nowMs);
    const read = () => daysBefore(todayMs, DRIFT_DAYS.lately - 1).map(windows.recorded);
    const today = { fromMs: todayMs, toMs: startOfDay(todayMs + 1.5 * DAY_MS) };
    return [...remembered(todayMs, read, todayMs + HOUR_MS <= nowMs), windows.recorded(today)];
  }

  function used(days: readonly Span[]): Recorded[] {
    const found: Recorded[] = [];
    for (const day of days) {
      const recorded = windows.recorded(day);
      if (recorded.rollup.counters.executed > 0) found.push(recorded);
      if (found.length === DRIFT_DAYS.fixed) break;
    }
    return found;
  }

  function normalDays(todayMs: number): Recorded[] {
    const normalMs = expectedUntilMs(FAILURES);
    if (normalMs !== undefined) return used(daysBefore(startOfDay(normalMs + DAY_MS), MOST_DAYS).toReversed());
    const firstMs = startOfDay(store.users.firstSeenAtMs() ?? todayMs);
    const endMs = Math.min(todayMs, startOfDay(firstMs + MOST_DAYS * DAY_MS));
    return used(daysBefore(endMs, Math.round((endMs - firstMs) / DAY_MS)));
  }

  return () => {
    const nowMs = clock.nowMs();
    return { normal: normalDays(startOfDay(nowMs)), lately: lately(nowMs) };
  };
}
