import { quantile } from './statistics.ts';

const DAY_MS = 86_400_000;
const DAYS_KEPT = 28;
const LEAST_DAYS = 2;
const ORDINARY_SHARE = 0.9;
const MARGIN = 1.3;
const LEAST_BAR = 5;

/**
 * What the deviations of one stream must reach to be unusual for it: 1.3 times the largest deviation of nine days in ten, over its
 * last 28 days, and at least 5. What happens every day, or every week, is thereby no anomaly (block maxima, Coles 2001, chapter 3).
 */
export type DailyBar = {
  /** The deviation in units of the bar: from 1 on it is unusual. 0 in the first two days. The bar then learns it. */
  ratio(observation: { atMs: number; deviation: number }): number;
};

export function createDailyBar(): DailyBar {
  const maxima: number[] = [];
  let day = { fromMs: Number.NaN, maximum: 0 };
  let bar = Number.POSITIVE_INFINITY;

  function closeDay(): void {
    maxima.push(day.maximum);
    if (maxima.length > DAYS_KEPT) maxima.shift();
    if (maxima.length >= LEAST_DAYS) bar = Math.max(LEAST_BAR, MARGIN * quantile(maxima, ORDINARY_SHARE));
  }

  return {
    ratio({ atMs, deviation }) {
      const elapsed = atMs - day.fromMs >= DAY_MS;
      if (elapsed) closeDay();
      if (elapsed || Number.isNaN(day.fromMs)) day = { fromMs: atMs, maximum: 0 };
      day.maximum = Math.max(day.maximum, deviation);
      return deviation / bar;
    },
  };
}
