/** Distributions, and how probable each of them is. */
export type Mixture<Distribution> = readonly { weight: number; distribution: Distribution }[];

/** Steps of the logarithm of over-dispersion from one assumption to the next. */
const STEP = 0.5;
/** Assumptions less probable than this do not matter. */
const LEAST_WEIGHT = 1e-9;

/**
 * Distributions for each of some assumptions of over-dispersion, the ratio of variance to that of chance: from the least to the most, in
 * about equal steps of their logarithm; the least alone where it is the larger one. Each is weighted by its likelihood and a prior. √excess
 * is left of the likelihood when the mean is integrated out (Laplace's method). The prior is flat in the logarithm, which makes
 * large samples follow Student's distribution, but for a factor for small over-dispersion. That factor is our own: with it P(|z| ≥ 3.5)
 * was nearest to its nominal value over many dispersions.
 */
export function mixtureOf<Distribution>(
  range: { least: number; most: number },
  assume: (excess: number) => { logLikelihood: number; distribution: Distribution },
): Mixture<Distribution> {
  const assumed = assumptions(range).map((excess) => {
    const { logLikelihood, distribution } = assume(excess);
    return { distribution, logWeight: logLikelihood + Math.log1p(5 / excess ** 2) + 0.5 * Math.log(excess) };
  });
  const largest = Math.max(...assumed.map(({ logWeight }) => logWeight));
  const sum = assumed.reduce((total, { logWeight }) => total + Math.exp(logWeight - largest), 0);
  return assumed
    .map(({ distribution, logWeight }) => ({ distribution, weight: Math.exp(logWeight - largest) / sum }))
    .filter(({ weight }) => weight >= LEAST_WEIGHT);
}

/** Both tails of a mixture, given those of its distributions. */
export function tailsOfMixture<Distribution>(
  mixture: Mixture<Distribution>,
  tailsOf: (distribution: Distribution) => { below: number; above: number },
): { below: number; above: number } {
  const sum = { below: 0, above: 0 };
  for (const { weight, distribution } of mixture) {
    const { below, above } = tailsOf(distribution);
    sum.below += weight * below;
    sum.above += weight * above;
  }
  return sum;
}

function assumptions({ least, most }: { least: number; most: number }): number[] {
  const range = Math.log(most / least);
  if (range <= 0) return [least];
  const steps = Math.ceil(range / STEP);
  return Array.from({ length: steps + 1 }, (_, step) => least * Math.exp((range * step) / steps));
}
