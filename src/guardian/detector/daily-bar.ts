import { quantile } from '../statistics/statistics.ts';

const DAY_MS = 86_400_000;
const DAYS_KEPT = 28;
const LEAST_DAYS = 2;
/** The ratio of a deviation to a bar of 0, and the largest ratio: finite, so that ratios can be averaged. */
const MOST = 1_000;

/**
 * Scales the deviations of one stream by its own daily maxima: the bar is a quantile of the largest deviations of the last 28 days, so
 * that events of most days are not unusual (block maxima, Coles 2001, chapter 3).
 */
export type DailyBar = {
  /** The deviation, 0 or more, in units of the bar, at most 1000. 0 in the first two days. The bar then learns the deviation. */
  ratio(observation: { atMs: number; deviation: number }): number;
};

/** `ordinaryShare`: the quantile of the daily maxima, from 0 to 1. */
export function createDailyBar({ ordinaryShare }: { ordinaryShare: number }): DailyBar {
  const maxima: number[] = [];
  let day = { fromMs: Number.NaN, maximum: 0 };
  let bar = Number.POSITIVE_INFINITY;

  function closeDay(): void {
    maxima.push(day.maximum);
    if (maxima.length > DAYS_KEPT) maxima.shift();
    if (maxima.length >= LEAST_DAYS) bar = quantile(maxima, ordinaryShare);
  }

  return {
    ratio({ atMs, deviation }) {
      const elapsed = atMs - day.fromMs >= DAY_MS;
      if (elapsed) closeDay();
      if (elapsed || Number.isNaN(day.fromMs)) day = { fromMs: atMs, maximum: 0 };
      day.maximum = Math.max(day.maximum, deviation);
      return deviation === 0 ? 0 : Math.min(MOST, deviation / bar);
    },
  };
}
