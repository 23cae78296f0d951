/** Small-sample factors d₂ to d₉ of Croux & Rousseeuw 1992, "Time-efficient algorithms for two highly robust estimators of scale". */
const SMALL_SAMPLE = [0.399, 0.994, 0.512, 0.844, 0.611, 0.857, 0.669, 0.872] as const;

/**
 * Standard deviation by the estimator Qn of Rousseeuw & Croux 1993, "Alternatives to the median absolute deviation": about the first
 * quartile of the distances between all pairs of values. As robust as the MAD, but it uses 82 % of the information in normal data, the
 * MAD 37 %. In the unit of the values; 0 where about half of them agree, NaN for fewer than two.
 */
export function pairwiseScale(values: readonly number[]): number {
  const half = Math.floor(values.length / 2) + 1;
  const distance = distancesBetween(values).sort()[(half * (half - 1)) / 2 - 1] ?? Number.NaN;
  return 2.2219 * smallSampleFactor(values.length) * distance;
}

function distancesBetween(values: readonly number[]): Float64Array {
  const distances = new Float64Array((values.length * (values.length - 1)) / 2);
  let next = 0;
  for (const [index, value] of values.entries()) {
    for (let other = 0; other < index; other += 1) {
      distances[next] = Math.abs(value - (values[other] ?? 0));
      next += 1;
    }
  }
  return distances;
}

function smallSampleFactor(n: number): number {
  return SMALL_SAMPLE[n - 2] ?? n / (n + (n % 2 === 0 ? 3.8 : 1.4));
}
