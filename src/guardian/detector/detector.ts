import { createDailyBar } from './daily-bar.ts';
import { CHANNELS, type Channel, createDeviations, type Deviations, type Observation } from './detector-channels.ts';

/** An alarm is an onset: the hours after it tell nothing new. */
export const QUIET_MS = 86_400_000;

/** `score` from 0 to 1: an alarm from one half on. `channel`: the aspect that deviates most. */
export type Finding = { score: number; alarm: boolean; channel: Channel };

/**
 * `ordinaryShare`: the quantile of daily maxima that scales each channel. `threshold`: the combined ratio that is an alarm. `quietMs`:
 * for so long after an alarm the score is 0; 24 hours if not given.
 */
export type DetectorSettings = { ordinaryShare: number; threshold: number; quietMs?: number };

/** Chosen by the cross-validation of `test/bench/nab.ts`, for every series. */
export const DETECTOR_SETTINGS: DetectorSettings = { ordinaryShare: 0.7, threshold: 1.5 };

/** The score from which an observation is an alarm, for every series. */
export const ALARM_SCORE = 0.5;

/**
 * A detector for one series: give it one finite value at a time, in the order of time. Each channel counts in units of its own daily
 * bar.
 */
export function createDetector(settings: DetectorSettings = DETECTOR_SETTINGS): (observation: Observation) => Finding {
  const deviationsOf = createDeviations();
  const ratiosOf = createRatios(settings.ordinaryShare);
  const { quietMs = QUIET_MS } = settings;
  let quietUntilMs = Number.NEGATIVE_INFINITY;

  return (observation) => {
    const ratios = ratiosOf({ atMs: observation.atMs, deviations: deviationsOf(observation) });
    const channel = CHANNELS.reduce((most, each) => (ratios[each] > ratios[most] ? each : most));
    if (observation.atMs < quietUntilMs) return { score: 0, alarm: false, channel };
    const ratio = combined(ratios) / settings.threshold;
    const alarm = ratio >= 1;
    if (alarm) quietUntilMs = observation.atMs + quietMs;
    return { score: ratio / (1 + ratio), alarm, channel };
  };
}

/** Scales the deviations of one series by the daily bar of each channel. */
export function createRatios(
  ordinaryShare: number,
): (observation: { atMs: number; deviations: Deviations }) => Deviations {
  const bars = {
    step: createDailyBar({ ordinaryShare }),
    level: createDailyBar({ ordinaryShare }),
    spread: createDailyBar({ ordinaryShare }),
    shape: createDailyBar({ ordinaryShare }),
    sameHour: createDailyBar({ ordinaryShare }),
  };
  return ({ atMs, deviations }) => {
    const ratioOf = (channel: Channel) => bars[channel].ratio({ atMs, deviation: deviations[channel] });
    return {
      step: ratioOf('step'),
      level: ratioOf('level'),
      spread: ratioOf('spread'),
      shape: ratioOf('shape'),
      sameHour: ratioOf('sameHour'),
    };
  };
}

/**
 * Power mean of the ratios with exponent 3: between their mean, which needs all channels to agree, and their maximum, which believes any
 * single one. Chosen on synthetic series.
 */
export function combined(ratios: Deviations): number {
  const cubes = CHANNELS.reduce((sum, channel) => sum + ratios[channel] ** 3, 0);
  return Math.cbrt(cubes / CHANNELS.length);
}
