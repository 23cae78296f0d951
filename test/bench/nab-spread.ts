import { quantile } from '../../src/guardian/statistics/statistics.ts';
import { type Candidate, choose, gainsBy, type LabelledSeries } from './nab-cross-validation.ts';
import { type Gain, nabResult, type Profile } from './nab-score.ts';
import { createRandom } from './random.ts';

const RESAMPLES = 2_000;
const HALF_SPLITS = 20;

/** The middle 90 % of the pooled result when files are drawn with replacement (bootstrap, Efron 1979). */
export function bootstrap(gains: readonly Gain[]): { from: number; to: number } {
  const random = createRandom(1);
  const results = Array.from({ length: RESAMPLES }, () =>
    nabResult(gains.flatMap(() => gains[Math.floor(random() * gains.length)] ?? [])),
  ).filter(Number.isFinite);
  return { from: quantile(results, 0.05), to: quantile(results, 0.95) };
}

/** Results on one half of the files with the setting chosen on the other half, for 20 random halves. */
export function halfSplits(
  series: readonly LabelledSeries[],
  { candidates, profile }: { candidates: readonly Candidate[]; profile: Profile },
): number[] {
  const random = createRandom(2);
  const gainsOf = gainsBy(series, profile);
  return Array.from({ length: HALF_SPLITS }, () => {
    const order = [...series.keys()].map((file) => ({ file, at: random() })).sort((one, other) => one.at - other.at);
    const files = order.map(({ file }) => file);
    const half = Math.floor(files.length / 2);
    const gains = gainsOf(choose(candidates, { files: files.slice(0, half), gainsOf }).candidate);
    return nabResult(files.slice(half).flatMap((file) => gains[file] ?? []));
  }).filter(Number.isFinite);
}
