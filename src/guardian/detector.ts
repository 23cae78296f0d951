import { createDailyBar } from './daily-bar.ts';
import { createFromOwnPast, createFromSameHour, type Deviation, type Input } from './detector-channels.ts';
import { createLastHour } from './last-hour.ts';

const DAY_MS = 86_400_000;
/** Differences this small, relative to the largest value so far, are taken for rounding. */
const ROUNDING = 1e-6;

/** One value of a series. `atMs`: epoch milliseconds moved to local time, so that hours and weekends are those of its people. */
export type Observation = { atMs: number; value: number };

/** What was compared: the change from the value before, the mean of the last hour, or that mean with the same hour of other days. */
export type Channel = 'step' | 'level' | 'sameHour';

/** `score` from 0 to 1: an alarm from one half on. `channel`: the one that deviates most. */
export type Finding = { score: number; alarm: boolean; channel: Channel };

/** The score from which an observation is an alarm, for every series. */
export const ALARM_SCORE = 0.5;

/**
 * A detector for one series: give it one finite value at a time, in order of time. Each channel's deviation from its past counts
 * in units of its own daily bar, and the largest decides. An alarm is the onset: the 24 hours after it score 0.
 */
export function createDetector(): (observation: Observation) => Finding {
  const prepare = createPreparation();
  const channels = [
    createChannel(
      'step',
      createFromOwnPast(({ step }) => step),
    ),
    createChannel(
      'level',
      createFromOwnPast(({ level }) => level),
    ),
    createChannel('sameHour', createFromSameHour()),
  ];
  let quietUntilMs = Number.NEGATIVE_INFINITY;

  return (observation) => {
    const input = prepare(observation);
    const { channel, ratio } = channels.map((judge) => judge(input)).reduce(larger);
    if (observation.atMs < quietUntilMs) return { score: 0, alarm: false, channel };
    const alarm = ratio >= 1;
    if (alarm) quietUntilMs = observation.atMs + DAY_MS;
    return { score: ratio / (1 + ratio), alarm, channel };
  };
}

type Judgement = { channel: Channel; ratio: number };

function createChannel(channel: Channel, deviationOf: Deviation): (input: Input) => Judgement {
  const bar = createDailyBar();
  return (input) => {
    const deviation = deviationOf(input);
    return { channel, ratio: deviation === null ? 0 : bar.ratio({ atMs: input.atMs, deviation }) };
  };
}

function larger(one: Judgement, other: Judgement): Judgement {
  return other.ratio > one.ratio ? other : one;
}

function createPreparation(): (observation: Observation) => Input {
  const lastHour = createLastHour();
  let before: number | undefined;
  let largest = 0;
  return ({ atMs, value }) => {
    const step = value - (before ?? value);
    before = value;
    largest = Math.max(largest, Math.abs(value));
    return { atMs, value, step, level: lastHour({ atMs, value }), leastScale: ROUNDING * largest };
  };
}
