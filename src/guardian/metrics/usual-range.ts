import { quantile } from '../statistics/statistics.ts';

/** As for baselines of trends: with fewer values a range means little. */
const LEAST_VALUES = 8;

/**
 * The range from the 10th to the 90th percentile of earlier values, in their unit; `null` for fewer than eight. Quantiles rather than
 * a standard deviation, because counts and shares are skewed and a range must not reach below zero.
 */
export function usualRange(values: readonly number[]): { low: number; high: number } | null {
  if (values.length < LEAST_VALUES) return null;
  return { low: quantile(values, 0.1), high: quantile(values, 0.9) };
}
