import { expect, test } from 'vitest';
import { logBeta } from '../../src/guardian/statistics/beta-function.ts';
import { type Counted, zOfCount } from '../../src/guardian/statistics/count-deviation.ts';
import { normalCdf } from '../../src/guardian/statistics/normal.ts';
import { zOfRatio } from '../../src/guardian/statistics/ratio-deviation.ts';
import { zOfDuration } from '../../src/guardian/statistics/robust-deviation.ts';
import { type Chance, createChance } from '../bench/simulation/chance.ts';

/** P(|z| ≥ 3.5) of a z-score that is exactly normal. */
const NOMINAL = 2 * normalCdf(-3.5);
const FACTOR = 3;
const WINDOWS = [8, 14, 28];

/** An estimate in units of the nominal probability, and its standard error. */
type Estimate = { ratio: number; error: number };

function estimateOf(samples: readonly number[]): Estimate {
  const mean = samples.reduce((sum, each) => sum + each, 0) / samples.length;
  const square = samples.reduce((sum, each) => sum + (each - mean) ** 2, 0) / samples.length;
  return { ratio: mean / NOMINAL, error: Math.sqrt(square / samples.length) / NOMINAL };
}

function expectCalibrated({ ratio, error }: Estimate, within = { factor: FACTOR, error: 0.2 }): void {
  expect(error / ratio).toBeLessThan(within.error);
  expect(ratio).toBeGreaterThan(1 / within.factor);
  expect(ratio).toBeLessThan(within.factor);
}

type Durations = { spread: number; outliers: number };

/**
 * P(|z| ≥ 3.5) of a new log-normal duration, exactly for each of many histories, a share of whose durations is ten times as long. The
 * new one is none of those: finding them is the purpose of a z-score.
 */
function ofDurations(n: number, { spread, outliers }: Durations): Estimate {
  const chance = createChance(100 + n);
  return estimateOf(
    Array.from({ length: Math.round(64_000 / n) }, () => {
      const history = Array.from({ length: n }, () => chance.around(2_000, spread) * (chance.is(outliers) ? 10 : 1));
      const z = zOfDuration(history);
      const at = (deviations: number) => z(2_000 * Math.exp(spread * deviations));
      return normalCdf(-crossing((x) => at(x) >= 3.5)) + normalCdf(-crossing((x) => at(-x) <= -3.5));
    }),
  );
}

/** Where between ±12 standard deviations something begins to hold. */
function crossing(holds: (x: number) => boolean): number {
  let [from, to] = [-12, 12];
  for (let step = 0; step < 14; step += 1) {
    const middle = (from + to) / 2;
    if (holds(middle)) to = middle;
    else from = middle;
  }
  return to;
}

test.each(
  WINDOWS.flatMap((n) => [
    { n, kind: 'log-normal', spread: 0.3, outliers: 0 },
    { n, kind: 'contaminated', spread: 0.3, outliers: 0.05 },
    { n, kind: 'widely spread and contaminated', spread: 0.8, outliers: 0.05 },
  ]),
)('$kind durations pass z 3.5 as often as they should after $n windows', ({ n, ...durations }) => {
  expectCalibrated(ofDurations(n, durations));
});

type Counts = { mean: number; size: number };

/** P(|z| ≥ 3.5) of a new count, exactly for each of many histories of negative-binomial counts. */
function ofCounts(n: number, counts: Counts): Estimate {
  const chance = createChance(200 + n);
  const cumulative = cumulativeOf(counts);
  const draw = () => countAt(cumulative, chance);
  return estimateOf(
    Array.from({ length: Math.round(24_000 / n) }, () => {
      const history = Array.from({ length: n }, (): Counted => ({ count: draw(), exposure: 1 }));
      const z = zOfCount(1, history);
      const highest = firstWhere(cumulative.length, (count) => z(count) >= 3.5);
      const lowest = firstWhere(cumulative.length, (count) => z(count) > -3.5);
      return 1 - (cumulative[highest - 1] ?? 0) + (cumulative[lowest - 1] ?? 0);
    }),
  );
}

/** P(X ≤ k) for k from 0 on, until only 1e-12 is left. */
function cumulativeOf({ mean, size }: Counts): number[] {
  const cumulative: number[] = [];
  let probability = (size / (size + mean)) ** size;
  let sum = probability;
  for (let k = 0; sum < 1 - 1e-12; k += 1) {
    cumulative.push(sum);
    probability *= ((k + size) / (k + 1)) * (mean / (mean + size));
    sum += probability;
  }
  return cumulative;
}

function countAt(cumulative: readonly number[], chance: Chance): number {
  const share = chance.share();
  return firstWhere(cumulative.length, (count) => (cumulative[count] ?? 1) >= share);
}

/** The first whole number below `end` from which on something holds; `end` where it never does. */
function firstWhere(end: number, holds: (number: number) => boolean): number {
  let [from, to] = [0, end];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

test.each(
  WINDOWS.flatMap((n) => [
    { n, mean: 5, size: 1 },
    { n, mean: 20, size: 1 },
    { n, mean: 20, size: 5 },
    { n, mean: 100, size: 2 },
    { n, mean: 100, size: 20 },
  ]),
)('counts of mean $mean and size $size pass z 3.5 as often as they should after $n windows', ({ n, ...counts }) => {
  expectCalibrated(ofCounts(n, counts));
});

type Ratios = { share: number; correlation: number; total: number };

/** P(|z| ≥ 3.5) of a new ratio, exactly for each of many histories of beta-binomial ratios. */
function ofRatios(n: number, { total, ...ratios }: Ratios): Estimate {
  const chance = createChance(300 + n);
  const cumulative = cumulativeHits({ total, ...ratios });
  return estimateOf(
    Array.from({ length: n === 8 ? 4_000 : Math.round(24_000 / n) }, () => {
      const z = zOfRatio(Array.from({ length: n }, () => ({ hits: countAt(cumulative, chance), total })));
      const highest = firstWhere(total + 1, (hits) => z({ hits, total }) >= 3.5);
      const lowest = firstWhere(total + 1, (hits) => z({ hits, total }) > -3.5);
      return 1 - (cumulative[highest - 1] ?? 0) + (cumulative[lowest - 1] ?? 0);
    }),
  );
}

/** P(X ≤ k) for k from 0 to the total. */
function cumulativeHits({ share, correlation, total }: Ratios): number[] {
  const concentration = 1 / correlation - 1;
  const [a, b] = [share * concentration, (1 - share) * concentration];
  let probability = Math.exp(logBeta(a, total + b) - logBeta(a, b));
  let sum = 0;
  return Array.from({ length: total + 1 }, (_, k) => {
    sum += probability;
    probability *= ((total - k) * (k + a)) / ((k + 1) * (total - k - 1 + b));
    return sum;
  });
}

test.each(
  WINDOWS.flatMap((n) => [
    { n, share: 0.5, correlation: 0.1, total: 100 },
    { n, share: 0.9, correlation: 0.05, total: 200 },
    { n, share: 0.9, correlation: 0.2, total: 200 },
  ]),
)(
  'ratios of $share and correlation $correlation pass z 3.5 as often as they should after $n windows',
  ({ n, ...ratios }) => {
    // Few windows tell little of a skewed ratio.
    expectCalibrated(ofRatios(n, ratios), n === 8 ? { factor: 4, error: 0.3 } : { factor: FACTOR, error: 0.25 });
  },
);

test.each([4, 8, 14, 28])(
  'counts that vary as chance has it pass z 3.5 no more often than they should after %d windows',
  (n) => {
    const { ratio } = ofCounts(n, { mean: 10, size: 1e6 });
    expect(ratio).toBeLessThan(1);
  },
);
