import { expect, test } from 'vitest';
import { METRIC_TYPES, METRICS } from '../../src/contract/metrics.ts';
import { nearestLimit, riskPosition } from '../../src/guardian/metrics/snapshot.ts';
import { causeSentence, type MetricWithSentence, metricSentence } from '../../src/services/guardian/metric-sentence.ts';

/** Values to watch, and bad ones, over a day with a median duration of 2 s, and their sentences. */
const SAID: [type: MetricWithSentence, value: number, status: 'watch' | 'bad', sentence: string][] = [
  ['action_burst_peak', 61, 'watch', 'Most actions requested within one minute: 61; limit: at most 30.'],
  ['action_burst_peak', 240, 'bad', 'Most actions requested within one minute: 240; limit: at most 30.'],
  ['action_diversity', 4.06, 'watch', 'Variety of the requested actions: 4.1 bits; limit: at most 3.5 bits.'],
  ['action_diversity', 0, 'bad', 'Variety of the requested actions: 0 bits; limit: at least 0.3 bits.'],
  ['action_success_rate', 0.9, 'watch', 'Actions that succeeded: 90 %; limit: at least 95 %.'],
  ['action_success_rate', 0.5, 'bad', 'Actions that succeeded: 50 %; limit: at least 95 %.'],
  ['action_latency_p95', 4_321, 'watch', 'The slowest 5 % of actions took longer than 4.3 s; limit: at most 3 s.'],
  ['action_latency_p95', 90_000, 'bad', 'The slowest 5 % of actions took longer than 90 s; limit: at most 3 s.'],
  ['action_retry_rate', 0.123, 'watch', 'Actions that were retried or requested again: 12.3 %; limit: at most 5 %.'],
  ['action_retry_rate', 0.8, 'bad', 'Actions that were retried or requested again: 80 %; limit: at most 5 %.'],
  ['task_success_rate', 0.94999, 'watch', 'Tasks that succeeded: 94.999 %; limit: at least 95 %.'],
  ['task_success_rate', 0, 'bad', 'Tasks that succeeded: 0 %; limit: at least 95 %.'],
  ['task_duration_p95', 3_100, 'watch', 'The slowest 5 % of tasks took longer than 3.1 s; limit: at most 3 s.'],
  ['task_duration_p95', 600_000, 'bad', 'The slowest 5 % of tasks took longer than 600 s; limit: at most 3 s.'],
  [
    'elevated_action_share',
    0.25,
    'watch',
    'Requested actions of medium risk or above: 25 %; limit: at most 10 % without asking you.',
  ],
  [
    'elevated_action_share',
    0.6,
    'bad',
    'Requested actions of medium risk or above: 60 %; limit: at most 10 % without asking you.',
  ],
  ['high_risk_executions', 1, 'watch', 'Actions of high or critical risk that ran: 1; limit: at most 0.'],
  ['high_risk_executions', 240, 'bad', 'Actions of high or critical risk that ran: 240; limit: at most 0.'],
  ['irreversible_executions', 2, 'watch', 'Actions that ran and cannot be undone: 2; limit: at most 0.'],
  ['irreversible_executions', 120, 'bad', 'Actions that ran and cannot be undone: 120; limit: at most 0.'],
  ['novel_action_share', 0.2, 'watch', 'Requested actions of a kind not seen for 28 days: 20 %; limit: at most 5 %.'],
  ['novel_action_share', 1, 'bad', 'Requested actions of a kind not seen for 28 days: 100 %; limit: at most 5 %.'],
  [
    'screen_capture_rate',
    61.25,
    'watch',
    'Pictures and descriptions of the screen: 61.3 an hour; limit: at most 60 an hour.',
  ],
  [
    'screen_capture_rate',
    700,
    'bad',
    'Pictures and descriptions of the screen: 700 an hour; limit: at most 60 an hour.',
  ],
  ['confirmation_prompt_rate', 12, 'watch', 'Prompts: 12 an hour; limit: at most 6 an hour.'],
  ['confirmation_prompt_rate', 30, 'bad', 'Prompts: 30 an hour; limit: at most 6 an hour.'],
  ['confirmation_approval_rate', 0.96, 'watch', 'Answered prompts that you allowed: 96 %; limit: at most 95 %.'],
  ['confirmation_approval_rate', 1, 'bad', 'Answered prompts that you allowed: 100 %; limit: at most 95 %.'],
  ['confirmation_expiry_rate', 0.5, 'watch', 'Prompts that expired without an answer: 50 %; limit: at most 10 %.'],
  ['confirmation_expiry_rate', 0.75, 'bad', 'Prompts that expired without an answer: 75 %; limit: at most 10 %.'],
  ['confirmation_response_p50', 2_400, 'watch', 'Typical answer time: 2.4 s; limit: at least 3 s.'],
  ['confirmation_response_p50', 900, 'bad', 'Typical answer time: 0.9 s; limit: at least 3 s.'],
  [
    'hasty_approval_share',
    0.1,
    'watch',
    'Approvals of medium risk or above that took less than 2 s: 10 %; limit: at most 0 %.',
  ],
  [
    'hasty_approval_share',
    0.5,
    'bad',
    'Approvals of medium risk or above that took less than 2 s: 50 %; limit: at most 0 %.',
  ],
  [
    'standing_grant_share',
    0.7,
    'watch',
    'Actions of medium risk or above that ran under a grant: 70 %; limit: at most 50 %.',
  ],
  [
    'standing_grant_share',
    1,
    'bad',
    'Actions of medium risk or above that ran under a grant: 100 %; limit: at most 50 %.',
  ],
  ['human_intervention_rate', 0.2, 'watch', 'Tasks that you cancelled or stopped: 20 %; limit: at most 10 %.'],
  ['human_intervention_rate', 0.4, 'bad', 'Tasks that you cancelled or stopped: 40 %; limit: at most 10 %.'],
  [
    'denied_action_share',
    0.0501,
    'watch',
    'Requested actions that were blocked or denied: 5.01 %; limit: at most 5 %.',
  ],
  ['denied_action_share', 0.4, 'bad', 'Requested actions that were blocked or denied: 40 %; limit: at most 5 %.'],
  ['device_readiness', 0.9899, 'watch', 'Time in which the device was ready: 98.99 %; limit: at least 99 %.'],
  ['device_readiness', 0.8, 'bad', 'Time in which the device was ready: 80 %; limit: at least 99 %.'],
];

test.each(SAID)(
  'without a history, %s at %d is to %s, and its sentence names the limit',
  (type, value, status, sentence) => {
    const reading = { type, value, sampleSize: 1_000, hoursUp: 24, baselineMedian: 1_999 };
    const position = riskPosition(reading) ?? 0;
    expect(position === 1 ? 'bad' : position > 0 && 'watch').toBe(status);
    const target = nearestLimit(reading) ?? { green: null, red: null };
    expect(metricSentence({ type, value, unit: METRICS[type].unit, target, usual: null })).toBe(sentence);
  },
);

test('every metric with limits is in the table', () => {
  const limited = METRIC_TYPES.filter((type) => METRICS[type].limits.length > 0);
  expect([...new Set(SAID.map(([type]) => type))]).toEqual(limited.filter((type) => type !== 'control_violations'));
});

test('with a history, the sentence names the median of this desktop and no limit', () => {
  const target = { green: 0, red: 240 };
  const sentence = (usual: number) =>
    metricSentence({ type: 'high_risk_executions', value: 35, unit: 'count', target, usual });
  expect([sentence(0), sentence(2.5), sentence(35)]).toEqual([
    'Actions of high or critical risk that ran: 35; usual here: 0.',
    'Actions of high or critical risk that ran: 35; usual here: 2.5.',
    'Actions of high or critical risk that ran: 35; usual here: 35.',
  ]);
});

test('short times are in milliseconds, long ones in minutes', () => {
  const sentence = (value: number, green: number) =>
    metricSentence({ type: 'task_duration_p95', value, unit: 'ms', target: { green, red: 30 * green }, usual: null });
  expect([sentence(350, 40), sentence(150_000, 90_000)]).toEqual([
    'The slowest 5 % of tasks took longer than 350 ms; limit: at most 40 ms.',
    'The slowest 5 % of tasks took longer than 2.5 min; limit: at most 1.5 min.',
  ]);
});

const SHARE = { type: 'elevated_action_share' as const, unit: 'ratio' as const, target: { green: 0.1, red: 0.6 } };

test('a cause of risk is compared with the usual only where it is worse than that', () => {
  const sentence = (value: number, usual: number | null) => causeSentence({ ...SHARE, value }, usual);
  expect([sentence(0.9, 0.808), sentence(0.578, 0.808), sentence(0.578, null)]).toEqual([
    'Requested actions of medium risk or above: 90 %; usual here: 80.8 %.',
    'Requested actions of medium risk or above: 57.8 %; limit: at most 10 % without asking you.',
    'Requested actions of medium risk or above: 57.8 %; limit: at most 10 % without asking you.',
  ]);
});

test('a habit that counts though it is usual is told with its limit', () => {
  const hasty = { type: 'hasty_approval_share', value: 0.8, unit: 'ratio', target: { green: 0, red: 0.5 } } as const;
  expect(causeSentence(hasty, 0.7)).toMatch(/: 80 %; limit: at most 0 %\.$/);
});
