import { progress } from './progress.ts';

/** The p-quantile of the samples, by the nearest-rank method. `p` from 0 to 1. */
export function quantile(samples: readonly number[], p: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/**
 * How long each of so many calls takes, one after the other, in milliseconds; the first ones warm up and do not count. It tells
 * how far it is where that takes long.
 */
export async function timed(
  options: { calls: number; warmUp: number },
  call: () => Promise<unknown>,
): Promise<number[]> {
  const samples: number[] = [];
  for (let count = 0; count < options.warmUp + options.calls; count += 1) {
    const startedAtMs = performance.now();
    await call();
    if (count >= options.warmUp) samples.push(performance.now() - startedAtMs);
    progress.at(`${count + 1} of ${options.warmUp + options.calls} calls`);
  }
  return samples;
}
