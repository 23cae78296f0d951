import type { MetricType } from '../../../src/contract/guardian.ts';

/** A metric in plain words: its definition, and the values that are good. */
export type MetricText = { definition: string; good: string };

export const METRIC_TEXTS: Record<MetricType, MetricText> = {
  action_rate: {
    definition: 'How many actions requesters asked for in an hour. Refused requests count, too.',
    good: 'No value is good or bad by itself. A sudden change deserves a look.',
  },
  action_burst_peak: {
    definition: 'The most actions that were requested within any 60 seconds.',
    good: 'Up to 30. A person cannot follow more, and a loop without an end looks like this.',
  },
  action_diversity: {
    definition: 'How many kinds of actions are used, and how evenly (the entropy of the action types, in bits).',
    good: 'Between 0.3 and 3.5 bits. Less is one action over and over; more looks like a program that tries everything.',
  },
  action_success_rate: {
    definition: 'The share of actions that succeeded, among those that succeeded or failed.',
    good: '95 % or more. Below 70 % something is broken.',
  },
  action_latency_p95: {
    definition: 'The slowest 5 % of actions took longer than this on the device. Waiting for you does not count.',
    good: 'Up to one and a half times the usual time.',
  },
  action_retry_rate: {
    definition: 'The share of actions that were tried again, or that repeat the same request within ten minutes.',
    good: 'Up to 5 %. More means that a program does not accept an answer, or does not get one.',
  },
  task_success_rate: {
    definition: 'The share of tasks that succeeded, among those that succeeded or failed.',
    good: '95 % or more.',
  },
  task_duration_p95: {
    definition: 'The slowest 5 % of tasks took longer than this. Waiting for you does not count.',
    good: 'Up to one and a half times the usual time.',
  },
  elevated_action_share: {
    definition:
      'The share of requested actions that are of medium, high or critical risk. Actions within an access that you gave are left out.',
    good: 'Up to 10 % that did not ask you. Those that asked you are no worry, however many they are.',
  },
  high_risk_executions: {
    definition: 'How many actions of high or critical risk ran.',
    good: 'None, or few. Ten in an hour are too many.',
  },
  irreversible_executions: {
    definition: 'How many actions ran that cannot be undone.',
    good: 'None, or few. Five in an hour are too many.',
  },
  novel_action_share: {
    definition:
      'The share of requests that combine a requester, an action type and a target for the first time in 28 days.',
    good: 'Up to 5 % in everyday use. New work brings more, which is no fault.',
  },
  screen_capture_rate: {
    definition: 'How many screenshots and descriptions of the screen were made in an hour.',
    good: 'Up to 60 an hour. Each one shows everything that is on the screen.',
  },
  confirmation_prompt_rate: {
    definition: 'How many prompts you got in an hour.',
    good: 'Up to 6 an hour. With more, people approve without reading.',
  },
  confirmation_approval_rate: {
    definition: 'The share of prompts that you allowed, among those you answered.',
    good: 'Up to 95 %. A person who allows everything may not be reading.',
  },
  confirmation_expiry_rate: {
    definition: 'The share of prompts that ended because nobody answered in time.',
    good: 'Up to 10 %. More means that requesters ask while you are away.',
  },
  confirmation_response_p50: {
    definition:
      'How long you typically take to answer, from when a prompt can be answered. Half of your answers are faster.',
    good: 'From 3 seconds to a minute. Less is too short to read a prompt.',
  },
  hasty_approval_share: {
    definition: 'The share of approvals of medium risk or above that you gave in less than 2 seconds.',
    good: 'None. Half of them is far too many.',
  },
  standing_grant_share: {
    definition:
      'The share of actions of medium risk or above that ran under a grant, without asking you. An access of some minutes is no such grant.',
    good: 'Up to 50 %. Above that, most risky work runs without your eyes on it.',
  },
  human_intervention_rate: {
    definition: 'The share of tasks that you cancelled or stopped.',
    good: 'Up to 10 %. More means that tasks do something other than you wanted.',
  },
  denied_action_share: {
    definition:
      'The share of requested actions that you denied, that the rules blocked or denied as repeats of your denial, or that the device cannot do.',
    good: 'Up to 5 %. More means that a program keeps asking for things it may not have. What you denied raises no risk.',
  },
  control_violations: {
    definition:
      'How often a control of Handrail failed: a break in the journal, or an action that ran without a valid decision.',
    good: 'Always 0. Attempts that a control refused are listed as held, and are not part of the value.',
  },
  device_readiness: {
    definition:
      'The share of time in which the agent was healthy and had its permissions, while your session was unlocked.',
    good: '99 % or more.',
  },
};

/** Why a metric cannot be broken down, where there is more to say than that it is counted as a whole. */
export const NO_PARTS: Partial<Record<MetricType, string>> = {
  device_readiness: 'This metric is about the one agent of this computer, so it has no parts.',
};
