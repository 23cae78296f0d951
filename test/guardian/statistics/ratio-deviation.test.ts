import { expect, test } from 'vitest';
import { type Share, zOfRatio } from '../../../src/guardian/statistics/ratio-deviation.ts';
import { normalQuantile } from './normal-quantile.ts';

const ratioZ = (current: Share, history: readonly Share[]) => zOfRatio(history)(current);

const repeated = (share: Share, windows: number) => new Array<Share>(windows).fill(share);

/** Binomial probabilities averaged over Beta(hits + ½, misses + ½) by the midpoint rule. */
function predictiveByIntegration(total: number, seen: Share): number[] {
  const steps = 200_000;
  const probabilities = new Array<number>(total + 1).fill(0);
  let mass = 0;
  for (let step = 0; step < steps; step += 1) {
    const p = (step + 0.5) / steps;
    const weight = Math.exp((seen.hits - 0.5) * Math.log(p) + (seen.total - seen.hits - 0.5) * Math.log1p(-p));
    mass += weight;
    let term = weight * (1 - p) ** total;
    for (let k = 0; k <= total; k += 1) {
      probabilities[k] = (probabilities[k] ?? 0) + term;
      term *= ((total - k) / (k + 1)) * (p / (1 - p));
    }
  }
  return probabilities.map((sum) => sum / mass);
}

test.each([0, 4, 8, 10])('%d of 10 after a window of 32 in 40 scores by the exact predictive probability', (hits) => {
  const probabilities = predictiveByIntegration(10, { hits: 32, total: 40 });
  const below = probabilities.slice(0, hits).reduce((sum, p) => sum + p, 0) + (probabilities[hits] ?? 0) / 2;
  expect(ratioZ({ hits, total: 10 }, [{ hits: 32, total: 40 }])).toBeCloseTo(normalQuantile(below), 4);
});

test('hits and misses may change places', () => {
  const history = [3, 5, 4, 6, 2, 5, 4, 7].map((hits) => ({ hits, total: 20 }));
  const mirrored = history.map(({ hits, total }) => ({ hits: total - hits, total }));
  expect(ratioZ({ hits: 9, total: 20 }, history)).toBeCloseTo(-ratioZ({ hits: 11, total: 20 }, mirrored), 10);
});

test('the same fall says less when earlier windows differed by more than chance', () => {
  const steady = repeated({ hits: 45, total: 50 }, 14);
  const restless = steady.map((_, index) => ({ hits: index % 2 === 0 ? 50 : 40, total: 50 }));
  const fall = { hits: 35, total: 50 };
  expect(ratioZ(fall, steady)).toBeLessThan(-3.5);
  expect(ratioZ(fall, restless)).toBeGreaterThan(-2.5);
});

test('an over-dispersed history gives about the standard deviation of its shares', () => {
  const history = Array.from({ length: 28 }, (_, index) => ({ hits: index % 2 === 0 ? 6000 : 4000, total: 10_000 }));
  expect(ratioZ({ hits: 7000, total: 10_000 }, history)).toBeCloseTo(2, 0);
});

test('a history in which nothing ever failed makes many failures a great surprise', () => {
  expect(ratioZ({ hits: 19, total: 20 }, repeated({ hits: 0, total: 20 }, 10))).toBe(8);
});

test('without any history a ratio of one in one is no surprise', () => {
  expect(Math.abs(ratioZ({ hits: 1, total: 1 }, []))).toBeLessThan(1);
});

test('windows in which nothing was counted say nothing', () => {
  const history = repeated({ hits: 4, total: 5 }, 8);
  expect(ratioZ({ hits: 1, total: 10 }, [...history, { hits: 0, total: 0 }])).toBe(
    ratioZ({ hits: 1, total: 10 }, history),
  );
  expect(ratioZ({ hits: 0, total: 0 }, history)).toBe(0);
});

test('a ratio of very many goes to the side where it lies, though its own probability is too small for a number', () => {
  const history = repeated({ hits: 50_000, total: 100_000 }, 28);
  expect([100_000, 0].map((hits) => ratioZ({ hits, total: 100_000 }, history))).toEqual([8, -8]);
});
