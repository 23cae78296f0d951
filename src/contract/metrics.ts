import type { Counter } from './counters.ts';

/** The good direction: up, down, neither, or between two values. */
export type Good = 'high' | 'low' | 'neutral' | { from: number; to: number };

/**
 * The values at which a metric stops being good (`green`) and is entirely bad (`red`), in the metric's unit; all of our own
 * judgement. `of`: whether the value is first divided by the hours the daemon was up, or by the median of the baseline.
 * `minimumSample`: present if the limit needs a larger sample than the metric.
 */
export type Limit = {
  green: number;
  red: number;
  of: 'value' | 'valuePerHour' | 'baselineMedian';
  minimumSample?: number;
};

/**
 * The reason why several metrics go up together. A loop of actions raises the requests, the prompts, the captures and the high-risk
 * actions, and a person who is told of one of them has been told of the loop.
 */
export type Cause =
  | 'much at once'
  | 'failures'
  | 'slowness'
  | 'answers'
  | 'no answers'
  | 'grants'
  | 'refusals'
  | 'controls'
  | 'new work'
  | 'stopped tasks'
  | 'device';

/** All that is to be said of a metric, except the formulas that are more than their counts. */
export type Metric = {
  category: 'activity' | 'reliability' | 'exposure' | 'oversight' | 'control';
  cause: Cause;
  name: string;
  definition: string;
  /** Its good values, in words. */
  goodWords: string;
  /** What its breakdown counts, where that has other words than its name. */
  counted?: string;
  /** The counters that it and its breakdown are made of. A metric of times counts the events that have the times. */
  hits: Counters;
  /** The counters of the whole, for a share. */
  of?: Counters;
  /** The counters of the bad events, where these are not `hits`. */
  bad?: readonly Counter[];
  unit: '/h' | 'count' | 'bits' | 'ratio' | 'ms';
  kind: 'count' | 'ratio' | 'duration' | 'entropy' | 'gauge';
  good: Good;
  minimumSample: number;
  limits: readonly Limit[];
  /** The most this metric alone can add to the risk score, as a share of 100. */
  weight: number;
};

const value = (green: number, red: number): Limit => ({ green, red, of: 'value' });
const valuePerHour = (green: number, red: number): Limit => ({ green, red, of: 'valuePerHour' });
const timesBaseline = (green: number, red: number): Limit => ({ green, red, of: 'baselineMedian' });

/** How many action types there are; a test compares it with their catalogue. */
export const ACTION_TYPES = 29;

type Counted = Pick<Metric, 'hits' | 'of' | 'unit' | 'kind'>;
type Counters = readonly Counter[];
const number = (...hits: Counters): Counted => ({ hits, unit: 'count', kind: 'count' });
const rate = (...hits: Counters): Counted => ({ hits, unit: '/h', kind: 'count' });
const share = (hits: Counters, of: Counters): Counted => ({ hits, of, unit: 'ratio', kind: 'ratio' });
const duration = (...hits: Counters): Counted => ({ hits, unit: 'ms', kind: 'duration' });

/** The 23 metrics, in the order in which they are always given. */
export const METRICS = metrics({
  action_rate: {
    category: 'activity',
    cause: 'much at once',
    name: 'Actions requested',
    definition: 'How many actions requesters asked for in an hour. Refused requests count, too.',
    goodWords: 'No value is good or bad by itself. A sudden change deserves a look.',
    ...rate('requested', 'requestRefused'),
    good: 'neutral',
    minimumSample: 0,
    limits: [],
    weight: 0.1,
  },
  action_burst_peak: {
    category: 'activity',
    cause: 'much at once',
    name: 'Most actions requested within one minute',
    definition: 'The most actions that were requested within any 60 seconds.',
    goodWords: 'Up to 30. A person cannot follow more, and a loop without an end looks like this.',
    counted: 'Actions requested',
    ...number('requested', 'requestRefused'),
    good: 'low',
    minimumSample: 0,
    limits: [value(30, 120)],
    weight: 0.2,
  },
  action_diversity: {
    category: 'activity',
    cause: 'new work',
    name: 'Variety of the requested actions',
    definition: 'How many kinds of actions are used, and how evenly (the entropy of the action types, in bits).',
    goodWords:
      'Between 0.3 and 3.5 bits. Less is one action over and over; more looks like a program that tries everything.',
    counted: 'Actions requested',
    hits: ['requested'],
    unit: 'bits',
    kind: 'entropy',
    good: 'neutral',
    minimumSample: 10,
    limits: [value(0.3, 0), value(3.5, Math.log2(ACTION_TYPES))],
    weight: 0.15,
  },
  action_success_rate: {
    category: 'reliability',
    cause: 'failures',
    name: 'Actions that succeeded',
    definition: 'The share of actions that succeeded, among those that succeeded or failed.',
    goodWords: '95 % or more. Below 70 % something is broken.',
    ...share(['succeeded'], ['succeeded', 'failed']),
    bad: ['failed'],
    good: 'high',
    minimumSample: 10,
    limits: [value(0.95, 0.7)],
    weight: 0.35,
  },
  action_latency_p95: {
    category: 'reliability',
    cause: 'slowness',
    name: 'Slowest 5 % of actions took longer than',
    definition: 'The slowest 5 % of actions took longer than this on the device. Waiting for you does not count.',
    goodWords: 'Up to one and a half times the usual time.',
    counted: 'Actions that ended',
    ...duration('succeeded', 'failed'),
    good: 'low',
    minimumSample: 20,
    limits: [timesBaseline(1.5, 5)],
    weight: 0.1,
  },
  action_retry_rate: {
    category: 'reliability',
    cause: 'failures',
    name: 'Actions that were retried or requested again',
    definition: 'The share of actions that were tried again, or that repeat the same request within ten minutes.',
    goodWords: 'Up to 5 %. More means that a program does not accept an answer, or does not get one.',
    counted: 'Retries, and requests that repeat the same request within ten minutes',
    ...share(['retried', 'repeated'], ['requested']),
    good: 'low',
    minimumSample: 10,
    limits: [value(0.05, 0.4)],
    weight: 0.2,
  },
  task_success_rate: {
    category: 'reliability',
    cause: 'failures',
    name: 'Tasks that succeeded',
    definition: 'The share of tasks that succeeded, among those that succeeded or failed.',
    goodWords: '95 % or more.',
    ...share(['taskSucceeded'], ['taskSucceeded', 'taskFailed']),
    bad: ['taskFailed'],
    good: 'high',
    minimumSample: 5,
    limits: [value(0.95, 0.6)],
    weight: 0.35,
  },
  task_duration_p95: {
    category: 'reliability',
    cause: 'slowness',
    name: 'Slowest 5 % of tasks took longer than',
    definition: 'The slowest 5 % of tasks took longer than this. Waiting for you does not count.',
    goodWords: 'Up to one and a half times the usual time.',
    counted: 'Tasks that ended',
    ...duration('taskSucceeded', 'taskFailed', 'taskCancelled', 'planDenied'),
    good: 'low',
    minimumSample: 20,
    limits: [timesBaseline(1.5, 5)],
    weight: 0.08,
  },
  elevated_action_share: {
    category: 'exposure',
    cause: 'much at once',
    name: 'Requested actions of medium risk or above',
    definition:
      'The share of requested actions that are of medium, high or critical risk. Actions within an access that you gave are left out.',
    goodWords: 'Up to 10 % that did not ask you. Those that asked you are no worry, however many they are.',
    ...share(['requestedMedium', 'requestedHigh', 'requestedCritical'], ['requested']),
    good: 'low',
    minimumSample: 20,
    limits: [value(0.1, 0.6)],
    weight: 0.25,
  },
  high_risk_executions: {
    category: 'exposure',
    cause: 'much at once',
    name: 'Actions of high or critical risk that ran',
    definition: 'How many actions of high or critical risk ran.',
    goodWords: 'None, or few. Ten in an hour are too many.',
    ...number('executedHigh'),
    good: 'low',
    minimumSample: 0,
    limits: [valuePerHour(0, 10)],
    weight: 0.35,
  },
  irreversible_executions: {
    category: 'exposure',
    cause: 'much at once',
    name: 'Actions that ran and cannot be undone',
    definition: 'How many actions ran that cannot be undone.',
    goodWords: 'None, or few. Five in an hour are too many.',
    ...number('executedIrreversible'),
    good: 'low',
    minimumSample: 0,
    limits: [valuePerHour(0, 5)],
    weight: 0.4,
  },
  novel_action_share: {
    category: 'exposure',
    cause: 'new work',
    name: 'Requested actions of a kind not seen for 28 days',
    definition:
      'The share of requests that combine a requester, an action type and a target for the first time in 28 days.',
    goodWords: 'Up to 5 % in everyday use. New work brings more, which is no fault.',
    counted: 'Requests for a combination of requester, action type and target that was new',
    ...share(['novel'], ['requested']),
    good: 'low',
    minimumSample: 20,
    limits: [value(0.05, 0.5)],
    weight: 0.25,
  },
  screen_capture_rate: {
    category: 'exposure',
    cause: 'much at once',
    name: 'Pictures and descriptions of the screen',
    definition: 'How many screenshots and descriptions of the screen were made in an hour.',
    goodWords: 'Up to 60 an hour. Each one shows everything that is on the screen.',
    ...rate('captured'),
    good: 'low',
    minimumSample: 0,
    limits: [value(60, 600)],
    weight: 0.2,
  },
  confirmation_prompt_rate: {
    category: 'oversight',
    cause: 'much at once',
    name: 'Prompts',
    definition: 'How many prompts you got in an hour.',
    goodWords: 'Up to 6 an hour. With more, people approve without reading.',
    ...rate('prompted'),
    good: 'low',
    minimumSample: 0,
    limits: [value(6, 30)],
    weight: 0.3,
  },
  confirmation_approval_rate: {
    category: 'oversight',
    cause: 'answers',
    name: 'Answered prompts that you allowed',
    definition: 'The share of prompts that you allowed, among those you answered.',
    goodWords: 'Up to 95 %. A person who allows everything may not be reading.',
    ...share(['promptAllowed'], ['promptAllowed', 'promptDenied']),
    // A person who denies much is careful. Only one who allows everything may not be reading.
    good: { from: 0, to: 0.95 },
    minimumSample: 10,
    limits: [{ ...value(0.95, 1), minimumSample: 20 }],
    weight: 0.3,
  },
  confirmation_expiry_rate: {
    category: 'oversight',
    cause: 'no answers',
    name: 'Prompts that expired without an answer',
    definition: 'The share of prompts that ended because nobody answered in time.',
    goodWords: 'Up to 10 %. More means that requesters ask while you are away.',
    counted: 'Prompts that expired',
    ...share(['promptExpired'], ['prompted']),
    good: 'low',
    minimumSample: 5,
    limits: [value(0.1, 0.6)],
    weight: 0.2,
  },
  confirmation_response_p50: {
    category: 'oversight',
    cause: 'answers',
    name: 'Typical answer time',
    definition:
      'How long you typically take to answer, from when a prompt can be answered. Half of your answers are faster.',
    goodWords: 'From 3 seconds to a minute. Less is too short to read a prompt.',
    counted: 'Prompts that were answered',
    ...duration('promptAllowed', 'promptDenied'),
    good: { from: 3000, to: 60000 },
    minimumSample: 5,
    limits: [value(3000, 1000)],
    weight: 0.25,
  },
  hasty_approval_share: {
    category: 'oversight',
    cause: 'answers',
    name: 'Approvals of medium risk or above that took less than 2 s',
    definition: 'The share of approvals of medium risk or above that you gave in less than 2 seconds.',
    goodWords: 'None. Half of them is far too many.',
    ...share(['promptAllowedHastily'], ['promptAllowedElevated']),
    good: 'low',
    minimumSample: 5,
    limits: [value(0, 0.5)],
    weight: 0.35,
  },
  standing_grant_share: {
    category: 'oversight',
    cause: 'grants',
    name: 'Actions of medium risk or above that ran under a grant',
    definition:
      'The share of actions of medium risk or above that ran under a grant, without asking you. An access of some minutes is no such grant.',
    goodWords: 'Up to 50 %. Above that, most risky work runs without your eyes on it.',
    ...share(['executedByGrant'], ['executedElevated']),
    good: 'low',
    minimumSample: 20,
    limits: [value(0.5, 0.95)],
    weight: 0.25,
  },
  human_intervention_rate: {
    category: 'oversight',
    cause: 'stopped tasks',
    name: 'Tasks that you cancelled or stopped',
    definition: 'The share of tasks that you cancelled or stopped.',
    goodWords: 'Up to 10 %. More means that tasks do something other than you wanted.',
    counted: 'Tasks that you stopped, or of which you stopped a step',
    ...share(['taskIntervened'], ['taskStarted']),
    good: 'low',
    minimumSample: 5,
    limits: [value(0.1, 0.4)],
    weight: 0.3,
  },
  denied_action_share: {
    category: 'control',
    cause: 'refusals',
    name: 'Requested actions that were blocked or denied',
    definition:
      'The share of requested actions that you denied, that the rules blocked or denied as repeats of your denial, or that the device cannot do.',
    goodWords:
      'Up to 5 %. More means that a program keeps asking for things it may not have. What you denied raises no risk.',
    counted: 'Actions blocked, denied or refused',
    ...share(['blocked', 'denied', 'requestRefused'], ['requested', 'requestRefused']),
    good: 'low',
    minimumSample: 10,
    limits: [value(0.05, 0.4)],
    weight: 0.35,
  },
  control_violations: {
    category: 'control',
    cause: 'controls',
    name: 'Failed security checks',
    definition:
      'How often a control of Handrail failed: a break in the journal, or an action that ran without a valid decision.',
    goodWords: 'Always 0. Attempts that a control refused are listed as held, and are not part of the value.',
    counted: 'Actions that ran, were approved or ended without the decision that must come before',
    ...number('journalBroken', 'executedUndecided', 'approvedUnasked', 'outcomeUnexpected'),
    good: { from: 0, to: 0 },
    minimumSample: 0,
    limits: [value(0, 1)],
    weight: 0.9,
  },
  device_readiness: {
    category: 'control',
    cause: 'device',
    name: 'Time in which the device was ready',
    definition:
      'The share of time in which the agent was healthy and had its permissions, while your session was unlocked.',
    goodWords: '99 % or more.',
    hits: [],
    unit: 'ratio',
    kind: 'gauge',
    bad: ['agentLost'],
    good: 'high',
    // The sample is in seconds: within the first five minutes, an agent that starts in two seconds would look bad.
    minimumSample: 300,
    limits: [value(0.99, 0.8)],
    weight: 0.15,
  },
});

type MetricType = keyof typeof METRICS;
export const METRIC_TYPES = Object.keys(METRICS) as MetricType[];

function metrics<Type extends string>(all: Record<Type, Metric>): Readonly<Record<Type, Metric>> {
  return all;
}

/** What a limit leaves out: requests that asked the person are within every limit. */
export const limitEnd = (type: MetricType): string => (type === 'elevated_action_share' ? ' without asking you' : '');

/** The cause behind an insight: that of the metric it is mainly about. */
export function causeOf([first]: readonly MetricType[]): Cause | undefined {
  return first === undefined ? undefined : METRICS[first].cause;
}
