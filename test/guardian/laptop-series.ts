import { createMetricOnsets, type OnsetMetric } from '../../src/guardian/detector/metric-onset.ts';

const HOUR_MS = 3_600_000;

/** How often an onset is confirmed where there is none: each time counts. */
type Life = { metricType: OnsetMetric; middle: number; desktops: number; days: number };

/**
 * Feeds detectors with the days of ordinary laptops, eight to eleven hours on workdays. Durations are log-normal: they depend on the day,
 * drift within it, and one in twenty is far longer. Readiness dips every morning and now and then.
 */
export function falseAlarms({ metricType, middle, desktops, days }: Life): { confirmed: number; months: number } {
  const confirmed = Array.from({ length: desktops }, (_, desktop) => live({ metricType, middle, days }, desktop + 1));
  return { confirmed: confirmed.reduce((sum, each) => sum + each, 0), months: (desktops * days) / 30 };
}

function live({ metricType, middle, days }: Omit<Life, 'desktops'>, seed: number): number {
  const { uniform, normal } = createNoise(seed);
  const find = createMetricOnsets(metricType);
  const confirmed = new Set<number>();
  const isReadiness = metricType === 'device_readiness';
  let drift = 0;
  const duration = (ofDay: number) => {
    drift = 0.7 * drift + 0.3 * normal();
    return middle * Math.exp(drift + 0.2 * ofDay + (uniform() < 0.05 ? 1 : 0));
  };
  const readiness = (isMorning: boolean) => (uniform() < 0.03 ? 1 - uniform() / 2 : isMorning ? 0.97 : 1);

  for (let day = 0; day < days; day += 1) {
    const ofDay = normal();
    const hours = day % 7 >= 5 ? 0 : 8 + Math.floor(4 * uniform());
    for (let quarter = 0; quarter < 4 * hours; quarter += 1) {
      if (uniform() < 0.3) continue;
      const atMs = (24 * day + 8 + quarter / 4) * HOUR_MS;
      const value = isReadiness ? readiness(quarter < 4) : duration(ofDay);
      const onset = find({ atMs, localMs: atMs, value });
      if (onset !== undefined && onset.confirmedAtMs !== null) confirmed.add(onset.confirmedAtMs);
    }
  }
  return confirmed.size;
}

/** Uniform and normal numbers, the same for the same seed (Lehmer generator, Park & Miller 1988; Box & Muller 1958). */
function createNoise(seed: number) {
  let state = seed * 7919;
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}
