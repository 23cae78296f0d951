import { expect, test } from 'vitest';
import { METRIC_TYPES, type MetricType } from '../../src/contract/guardian.ts';
import { metricDefinition } from '../../src/guardian/metric-types.ts';
import { nearestLimit, riskPosition } from '../../src/guardian/risk-position.ts';
import { metricSentence } from '../../src/services/guardian/metric-sentence.ts';

/** Values to watch, and bad ones, over a day, where 2 s are usual for durations; and what is said of them. */
const SAID: [type: MetricType, ...[value: number, status: 'watch' | 'bad', sentence: string][]][] = [
  [
    'action_burst_peak',
    [61, 'watch', 'Most actions asked for within one minute: 61; usual is 30 or less.'],
    [240, 'bad', 'Most actions asked for within one minute: 240; usual is 30 or less.'],
  ],
  [
    'action_diversity',
    [4.06, 'watch', 'Variety of the actions asked for: 4.1 bits; usual is 3.5 bits or less.'],
    [0, 'bad', 'Variety of the actions asked for: 0 bits; usual is 0.3 bits or more.'],
  ],
  [
    'action_success_rate',
    [0.9, 'watch', 'Actions that succeeded: 90 %; usual is 95 % or more.'],
    [0.5, 'bad', 'Actions that succeeded: 50 %; usual is 95 % or more.'],
  ],
  [
    'action_latency_p95',
    [4_321, 'watch', 'Time within which 95 % of the actions were done: 4.3 s; usual is 3 s or less.'],
    [90_000, 'bad', 'Time within which 95 % of the actions were done: 90 s; usual is 3 s or less.'],
  ],
  [
    'action_retry_rate',
    [0.123, 'watch', 'Actions that were tried or asked for again: 12.3 %; usual is 5 % or less.'],
    [0.8, 'bad', 'Actions that were tried or asked for again: 80 %; usual is 5 % or less.'],
  ],
  [
    'task_success_rate',
    [0.94999, 'watch', 'Tasks that succeeded: 94.999 %; usual is 95 % or more.'],
    [0, 'bad', 'Tasks that succeeded: 0 %; usual is 95 % or more.'],
  ],
  [
    'task_duration_p95',
    [3_100, 'watch', 'Time within which 95 % of the tasks were done: 3.1 s; usual is 3 s or less.'],
    [600_000, 'bad', 'Time within which 95 % of the tasks were done: 600 s; usual is 3 s or less.'],
  ],
  [
    'elevated_action_share',
    [0.25, 'watch', 'Actions asked for that are of medium risk or above: 25 %; usual is 10 % or less.'],
    [0.6, 'bad', 'Actions asked for that are of medium risk or above: 60 %; usual is 10 % or less.'],
  ],
  [
    'high_risk_executions',
    [1, 'watch', 'Actions of high or critical risk that were carried out: 1; usual is none.'],
    [240, 'bad', 'Actions of high or critical risk that were carried out: 240; usual is none.'],
  ],
  [
    'irreversible_executions',
    [2, 'watch', 'Actions that cannot be undone and were carried out: 2; usual is none.'],
    [120, 'bad', 'Actions that cannot be undone and were carried out: 120; usual is none.'],
  ],
  [
    'novel_action_share',
    [0.2, 'watch', 'Actions asked for that are unlike those of the last 28 days: 20 %; usual is 5 % or less.'],
    [1, 'bad', 'Actions asked for that are unlike those of the last 28 days: 100 %; usual is 5 % or less.'],
  ],
  [
    'screen_capture_rate',
    [61.25, 'watch', 'Pictures and descriptions of the screen: 61.3 an hour; usual is 60 an hour or less.'],
    [700, 'bad', 'Pictures and descriptions of the screen: 700 an hour; usual is 60 an hour or less.'],
  ],
  [
    'confirmation_prompt_rate',
    [12, 'watch', 'Questions to the person: 12 an hour; usual is 6 an hour or less.'],
    [30, 'bad', 'Questions to the person: 30 an hour; usual is 6 an hour or less.'],
  ],
  [
    'confirmation_approval_rate',
    [0.4, 'watch', 'Questions that the person answered with yes: 40 %; usual is 50 % or more.'],
    [1, 'bad', 'Questions that the person answered with yes: 100 %; usual is 95 % or less.'],
  ],
  [
    'confirmation_expiry_rate',
    [0.5, 'watch', 'Questions that the person did not answer in time: 50 %; usual is 10 % or less.'],
    [0.75, 'bad', 'Questions that the person did not answer in time: 75 %; usual is 10 % or less.'],
  ],
  [
    'confirmation_response_p50',
    [2_400, 'watch', 'Time within which half of the questions were answered: 2.4 s; usual is 3 s or more.'],
    [900, 'bad', 'Time within which half of the questions were answered: 0.9 s; usual is 3 s or more.'],
  ],
  [
    'hasty_approval_share',
    [0.1, 'watch', 'Approvals of medium risk or above that were given in under 2 s: 10 %; usual is none.'],
    [0.5, 'bad', 'Approvals of medium risk or above that were given in under 2 s: 50 %; usual is none.'],
  ],
  [
    'standing_grant_share',
    [
      0.7,
      'watch',
      'Actions of medium risk or above that a standing permission let through: 70 %; usual is 50 % or less.',
    ],
    [1, 'bad', 'Actions of medium risk or above that a standing permission let through: 100 %; usual is 50 % or less.'],
  ],
  [
    'human_intervention_rate',
    [0.2, 'watch', 'Tasks that a person cancelled or stopped: 20 %; usual is 10 % or less.'],
    [0.4, 'bad', 'Tasks that a person cancelled or stopped: 40 %; usual is 10 % or less.'],
  ],
  [
    'denied_action_share',
    [0.0501, 'watch', 'Actions asked for that were blocked or denied: 5.01 %; usual is 5 % or less.'],
    [0.4, 'bad', 'Actions asked for that were blocked or denied: 40 %; usual is 5 % or less.'],
  ],
  [
    'control_violations',
    [3, 'bad', 'Attempts to get around the controls, and controls that failed: 3; usual is none.'],
    [1, 'bad', 'Attempts to get around the controls, and controls that failed: 1; usual is none.'],
  ],
  [
    'device_readiness',
    [0.9899, 'watch', 'Time in which the device was ready to act: 98.99 %; usual is 99 % or more.'],
    [0.8, 'bad', 'Time in which the device was ready to act: 80 %; usual is 99 % or more.'],
  ],
];

test.each(SAID)('says of %s what it is and what is usual, in one unit', (type, ...values) => {
  const said = values.map(([value]) => {
    const reading = { type, value, sampleSize: 1_000, hoursUp: 24, baselineMedian: 1_999 };
    const position = riskPosition(reading) ?? 0;
    const target = nearestLimit(reading) ?? { green: null, red: null };
    const sentence = metricSentence({ type, value, unit: metricDefinition(type).unit, target });
    return [value, position === 1 ? 'bad' : position > 0 ? 'watch' : 'ok', sentence];
  });
  expect(said).toEqual(values);
});

test('something is said of every metric that has limits', () => {
  const limited = METRIC_TYPES.filter((type) => metricDefinition(type).limits.length > 0);
  expect(SAID.map(([type]) => type)).toEqual(limited);
});

test('short times are said in milliseconds, long ones in minutes', () => {
  const said = (value: number, green: number) =>
    metricSentence({ type: 'task_duration_p95', value, unit: 'ms', target: { green, red: 3 * green } });
  expect([said(350, 40), said(150_000, 90_000)]).toEqual([
    'Time within which 95 % of the tasks were done: 350 ms; usual is 40 ms or less.',
    'Time within which 95 % of the tasks were done: 2.5 min; usual is 1.5 min or less.',
  ]);
});
