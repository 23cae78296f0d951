import type { MetricType, Trend } from '../../../src/contract/guardian.ts';
import { counted, DAY_MS, HOUR_MS, ids, MINUTE_MS, NOW_MS, requests, slower, testCases, unusual } from './history.ts';

const ANN = 'ann';
const IN_VAIN = { digest: 'same', status: 'failed' } as const;
const newcomer = (userId: string) => ({ userId, firstSeenAtMs: NOW_MS - HOUR_MS });
/** A trend that is not open, with the z-score of the last hour. */
function calmTrend(metricType: MetricType, zScore: number, windows = 20): Trend {
  const baseline = { kind: 'seasonal', windows, median: 1 } as const;
  return slower({ metricType, zScore, baseline, openedAt: null, classification: 'stable', severity: 'info' });
}

const risky = { userId: ANN, actionType: 'QuitApp', risk: 'high', wasAllowed: false } as const;
const step = { taskId: 'tsk_1', stepId: 'open', status: 'failed', errorCode: 'app_not_found' } as const;

testCases([
  {
    about: 'somebody who never asked before',
    finds: {
      newRequesters: [newcomer(ANN)],
      requests: [...requests(['a1', 'a2']), ...requests(['b1'], { userId: 'bob' })],
    },
    not: { newRequesters: [newcomer('zoe')], requests: requests(['a1', 'a2']) },
    says: ['info', 'New requester: {requester}, 2 requests so far'],
    shows: ['a1', 'a2'],
    step: ['inspect', 'a1'],
    of: ANN,
  },
  {
    about: 'user ids that are made up one after the other',
    finds: {
      newRequesters: ids('user', 6).map(newcomer),
      requests: ids('user', 6).flatMap((userId) => requests([`of ${userId}`], { userId })),
    },
    not: { newRequesters: [], requests: ids('user', 6).flatMap((userId) => requests([`of ${userId}`], { userId })) },
    says: ['warning', '6 new requesters in a day'],
    shows: ids('of user', 6),
    step: ['inspect', 'of user1'],
  },
  {
    about: 'user ids that are made up on the first day of a busy one',
    finds: {
      newRequesters: [newcomer(ANN), ...ids('user', 20).map(newcomer)],
      requests: [...requests(ids('a', 40), { userId: ANN }), ...requests(['u1'], { userId: 'user1' })],
    },
    not: { requests: requests(ids('a', 40), { userId: ANN }) },
    says: ['warning', '21 new requesters in a day'],
    shows: ids('a', 20),
    step: ['inspect', 'a1'],
  },
  {
    about: 'a first high-risk action that was done unasked',
    finds: {
      firstHighRisk: [
        { ...risky, actionId: 'second', startedAtMs: null },
        { ...risky, actionId: 'first', startedAtMs: NOW_MS },
      ],
    },
    not: { firstHighRisk: [] },
    says: ['warning', '{requester} asked to quit app for the first time, at high risk: 2 requests, 1 ran'],
    shows: ['second', 'first'],
    step: ['inspect', 'second'],
    of: ANN,
  },
  {
    about: 'a first high-risk action that the person allowed',
    finds: { firstHighRisk: [{ ...risky, actionId: 'first', startedAtMs: NOW_MS, wasAllowed: true }] },
    not: { firstHighRisk: [] },
    says: ['info', '{requester} asked to quit app for the first time, at high risk: 1 request, 1 ran'],
    shows: ['first'],
    step: ['inspect', 'first'],
    of: ANN,
  },
  {
    about: 'the same action again and again in vain',
    finds: {
      requests: [
        ...requests(ids('a', 5), IN_VAIN),
        ...requests(['other']),
        ...requests(['older'], { ...IN_VAIN, createdAtMs: NOW_MS - 10 * MINUTE_MS }),
      ],
    },
    not: { requests: [...requests(ids('a', 5), IN_VAIN), ...requests(['a6'], { digest: 'same' })] },
    says: ['warning', '{requester} asked 5 times in 10 minutes to open the same app, in vain'],
    shows: ids('a', 5),
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'more at once than hands do',
    finds: {
      hour: counted({}, { burstPeak: 60 }),
      requests: [
        ...requests(['alone']),
        ...requests(['a1', 'a2', 'a3'], { createdAtMs: NOW_MS - 30 * MINUTE_MS }),
        ...requests(['before'], { createdAtMs: NOW_MS - 31 * MINUTE_MS }),
      ],
    },
    not: { hour: counted({}, { burstPeak: 59 }), requests: requests(ids('a', 59)) },
    says: ['warning', '60 actions requested in one minute'],
    shows: ['a1', 'a2', 'a3'],
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'many actions of high risk within an hour',
    finds: {
      hour: counted({ executedHigh: 20, executedIrreversible: 3 }),
      requests: [
        ...requests(['a1', 'a2'], { risk: 'high', startedAtMs: NOW_MS }),
        ...requests(['low'], { startedAtMs: NOW_MS }),
        ...requests(['waits'], { risk: 'high', startedAtMs: null }),
      ],
    },
    not: { hour: counted({ executedHigh: 19, executedIrreversible: 9 }) },
    says: ['warning', '20 high-risk actions in an hour, 3 without undo'],
    shows: ['a1', 'a2'],
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'many actions of high risk within an hour that the person allowed one by one',
    finds: {
      hour: counted({ executedHigh: 20, executedElevated: 20, promptAllowedElevated: 20 }),
      requests: requests(['a1', 'a2'], { risk: 'high', startedAtMs: NOW_MS }),
    },
    not: { hour: counted({ executedHigh: 19, executedElevated: 19, promptAllowedElevated: 19 }) },
    says: ['warning', '20 high-risk actions in an hour'],
    shows: ['a1', 'a2'],
    step: ['inspect', 'a1'],
  },
  {
    about: 'many actions without undo within an hour',
    finds: { hour: counted({ executedHigh: 1, executedIrreversible: 15 }) },
    not: { hour: counted({ executedHigh: 1, executedIrreversible: 14 }) },
    says: ['warning', '1 high-risk action in an hour, 15 without undo'],
  },
  {
    about: 'many actions without undo within an hour, and none of high risk',
    finds: { hour: counted({ executedIrreversible: 19 }) },
    not: { hour: counted({ executedIrreversible: 14 }) },
    says: ['warning', '19 actions without undo in an hour'],
  },
  {
    about: 'as many high-risk actions as this desktop has in no usual hour',
    finds: { hour: counted({ executedHigh: 20 }), trends: [calmTrend('high_risk_executions', 4.2)] },
    not: { hour: counted({ executedHigh: 20 }), trends: [calmTrend('high_risk_executions', 4.1)] },
    says: ['warning', '20 high-risk actions in an hour'],
  },
  {
    about: 'many high-risk actions in an hour of the first week, of which little is known',
    finds: { hour: counted({ executedHigh: 20 }), trends: [calmTrend('high_risk_executions', 2, 19)] },
    not: { hour: counted({ executedHigh: 19 }), trends: [calmTrend('high_risk_executions', 2, 19)] },
    says: ['warning', '20 high-risk actions in an hour'],
  },
  {
    about: 'a requester that does nothing but look at the screen',
    finds: {
      requests: [
        ...requests(ids('look', 57), { actionType: 'DescribeScreen' }),
        ...requests(ids('do', 3), { createdAtMs: NOW_MS - 10 * MINUTE_MS }),
      ],
    },
    not: {
      requests: [
        ...requests(ids('look', 56), { actionType: 'DescribeScreen' }),
        ...requests(ids('do', 4), { createdAtMs: NOW_MS - 10 * MINUTE_MS }),
      ],
    },
    says: ['warning', '{requester} looked at your screen 57 times in 1 minute'],
    shows: ids('look', 20),
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'a requester that looks at the screen again and again between two pieces of its usual work',
    finds: {
      requests: [
        ...requests(ids('before', 40)),
        ...requests(ids('look', 60), { actionType: 'TakeScreenshot', createdAtMs: NOW_MS - 5 * MINUTE_MS }),
        ...requests(ids('after', 40), { createdAtMs: NOW_MS - 10 * MINUTE_MS }),
      ],
    },
    not: {
      requests: ids('look', 60).flatMap((id, index) =>
        requests([id], { actionType: index % 10 === 0 ? 'OpenApp' : 'TakeScreenshot' }),
      ),
    },
    says: ['warning', '{requester} looked at your screen 57 times in 4 minutes'],
    shows: ids('look', 20),
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'a screen that is looked at much more than usual',
    finds: {
      hour: counted({ captured: 180 }),
      day: counted({ captured: 180 + 12 * 23 }, { upMs: DAY_MS }),
      requests: [
        ...requests(['a1', 'a2'], { actionType: 'TakeScreenshot' }),
        ...requests(['b1'], { actionType: 'DescribeScreen', userId: 'bob' }),
        ...requests(['waits'], { actionType: 'TakeScreenshot', startedAtMs: null }),
        ...requests(['other']),
      ],
    },
    not: { hour: counted({ captured: 180 }), day: counted({ captured: 180 + 61 * 23 }, { upMs: DAY_MS }) },
    says: ['info', 'Your screen was captured 180 times in an hour, usually 12'],
    shows: ['a1', 'a2', 'b1'],
    step: ['pause_requester', '{requester}'],
    of: ANN,
  },
  {
    about: 'a few captures where there were none, ',
    finds: { hour: counted({ captured: 60 }), day: counted({ captured: 60 }, { upMs: DAY_MS }) },
    not: { hour: counted({ captured: 59 }), day: counted({ captured: 59 }, { upMs: DAY_MS }) },
    says: ['info', 'Your screen was captured 60 times in an hour, usually 0'],
  },
  {
    about: 'captures as this desktop never saw them',
    finds: {
      hour: counted({ captured: 60 }),
      day: counted({ captured: 60 }, { upMs: DAY_MS }),
      trends: [unusual('screen_capture_rate')],
    },
    not: { trends: [unusual('screen_capture_rate')] },
    says: ['warning', 'Your screen was captured 60 times in an hour, usually 0'],
  },
  {
    about: 'captures beyond measure',
    finds: { hour: counted({ captured: 600 }), day: counted({ captured: 600 }, { upMs: DAY_MS }) },
    not: { hour: counted({ captured: 599 }), day: counted({ captured: 5_999 }, { upMs: DAY_MS }) },
    says: ['high', 'Your screen was captured 600 times in an hour, usually 0'],
  },
  {
    about: 'actions that fail and worked before',
    finds: {
      hour: counted({ succeeded: 25, failed: 25 }),
      day: counted({ succeeded: 115, failed: 35 }),
      requests: [
        ...requests(['a1', 'a2'], { status: 'failed' }),
        ...requests(['worked']),
        ...requests(['yesterday'], { status: 'failed', createdAtMs: NOW_MS - HOUR_MS }),
      ],
    },
    not: { hour: counted({ succeeded: 8, failed: 2 }), day: counted({ succeeded: 98, failed: 12 }) },
    says: ['warning', '50 % of actions succeeded in the last hour, 90 % in the day before'],
    shows: ['a1', 'a2'],
    step: ['inspect', 'a1'],
  },
  {
    about: 'an hour in which one thing was broken',
    finds: { hour: counted({ succeeded: 35, failed: 15 }), day: counted({ succeeded: 125, failed: 25 }) },
    not: { hour: counted({ succeeded: 71, failed: 29 }), day: counted({ succeeded: 161, failed: 39 }) },
    says: ['info', '70 % of actions succeeded in the last hour, 90 % in the day before'],
  },
  {
    about: 'a few actions of which most fail',
    finds: { hour: counted({ succeeded: 5, failed: 5 }), day: counted({ succeeded: 95, failed: 15 }) },
    not: { hour: counted({ succeeded: 8, failed: 2 }), day: counted({ succeeded: 98, failed: 12 }) },
    says: ['info', '50 % of actions succeeded in the last hour, 90 % in the day before'],
  },
  {
    about: 'less success than this desktop ever had',
    finds: {
      hour: counted({ succeeded: 7, failed: 3 }),
      day: counted({ succeeded: 97, failed: 13 }),
      trends: [unusual('action_success_rate')],
    },
    not: { trends: [unusual('action_success_rate')] },
    says: ['warning', '70 % of actions succeeded in the last hour, 90 % in the day before'],
  },
  {
    about: 'a step that fails each time it comes to it',
    finds: {
      requests: [
        ...requests(['running'], { ...step, status: 'running' }),
        ...requests(['a1', 'a2'], step),
        ...requests(['other'], { ...step, stepId: 'close', status: 'success' }),
        ...requests(['a3'], { ...step, taskId: 'tsk_2', status: 'unknown' }),
        ...requests(['worked'], { ...step, status: 'success' }),
        ...requests(['a4'], step),
      ],
    },
    not: { requests: [...requests(['a1', 'a2'], step), ...requests(['worked'], { ...step, status: 'success' })] },
    says: ['warning', 'Step "{step}" of {requester} failed 3 times in a row'],
    shows: ['a1', 'a2', 'a3'],
    step: ['inspect', 'a1'],
    of: ANN,
  },
  {
    about: 'actions that take longer than they did',
    finds: {
      trends: [slower({ window: '5m', zScore: 4, current: 1_000 }), slower()],
      requests: [...requests(['slow'], { durationMs: 2_000 }), ...requests(['fast'], { durationMs: 700 })],
    },
    not: {
      trends: [slower({ openedAt: null }), slower({ effect: 'improving' }), slower({ metricType: 'action_rate' })],
    },
    says: ['warning', 'The slowest 5 % of actions took longer than 2.4 s, usually 800 ms'],
    shows: ['slow'],
    step: ['inspect', 'slow'],
  },
  {
    about: 'tasks that take longer than they did',
    finds: {
      trends: [slower({ metricType: 'task_duration_p95' })],
      requests: [...requests(['step'], { taskId: 'tsk_1', stepId: 'open' }), ...requests(['alone'])],
    },
    not: { trends: [slower({ metricType: 'task_duration_p95', current: null })] },
    says: ['warning', 'The slowest 5 % of tasks took longer than 2.4 s, usually 800 ms'],
    shows: ['step'],
    step: ['inspect', 'step'],
  },
]);
