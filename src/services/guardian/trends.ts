import { TREND_WINDOWS, type Trend } from '../../contract/guardian.ts';
import { METRIC_TYPES } from '../../contract/metrics.ts';
import { MINUTE_MS } from '../../guardian/metrics/local-time.ts';
import { trendOf } from '../../guardian/trends/trend.ts';
import type { Context } from '../context.ts';
import { createRemembered } from './remembered.ts';
import { shownTrend } from './shown.ts';
import { DAY_MS, HOUR_MS, type Windows } from './time-windows.ts';
import { type UsualIn, unitOf } from './usual-windows.ts';

/** The events just before the end of a window may not be counted yet. */
const SETTLING_MS = 2_000;

const LENGTHS: Record<Trend['window'], number> = {
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
};

type Parts = { windows: Pick<Windows, 'recorded'>; usualIn: UsualIn };

/** Each metric against its own past, in the latest whole window of each length. It is worked out when it is asked for, once a window. */
export function createTrends({ clock }: Pick<Context, 'clock'>, { windows, usualIn }: Parts) {
  const remembered = createRemembered<string, Trend[]>(2 * TREND_WINDOWS.length);

  function trendsIn(window: Trend['window']): Trend[] {
    const lengthMs = LENGTHS[window];
    const unitMs = unitOf(lengthMs);
    const toMs = Math.floor((clock.nowMs() - SETTLING_MS) / unitMs) * unitMs;
    return remembered(`${window} ${toMs}`, () => {
      const span = { fromMs: toMs - lengthMs, toMs };
      const of = { window, current: windows.recorded(span), earlier: usualIn(span).windows };
      return METRIC_TYPES.map((type) => shownTrend(trendOf(type, of)));
    });
  }

  return (wanted: readonly string[] = TREND_WINDOWS): Trend[] =>
    TREND_WINDOWS.filter((window) => wanted.includes(window)).flatMap(trendsIn);
}
