import { describe, expect, it } from 'vitest';
import type { MetricType } from '../../../src/contract/guardian.ts';
import { METRIC_TYPES } from '../../../src/contract/metrics.ts';
import { measure, measureAll } from '../../../src/guardian/recording/metrics.ts';
import { emptyRollup } from '../../../src/guardian/recording/rollup.ts';
import { upTimeIn } from '../../../src/guardian/recording/uptime.ts';
import { type Happening, journal, measured, recordAll } from './recording.ts';

const LOW = { type: 'Wait', risk: 'low', verdict: 'allow', by: 'profile', irreversible: false };
const ASKING = { type: 'OpenApp', risk: 'high', verdict: 'ask', by: 'profile', irreversible: false };
const SENT = { status: 'running', attempt: 1 };

const ask = (atMs: number, id: string, more: object = {}): Happening => [
  atMs,
  'action.requested',
  id,
  { ...ASKING, digest: id, ...more },
];
const request = (atMs: number, id: string, more: object = {}): Happening => ask(atMs, id, { ...LOW, ...more });
const send = (atMs: number, id: string): Happening => [atMs, 'action.dispatched', id, SENT];
const succeed = (atMs: number, id: string): Happening => [atMs, 'action.succeeded', id, { status: 'success' }];
const fail = (atMs: number, id: string, more: object = {}): Happening => [
  atMs,
  'action.failed',
  id,
  { status: 'failed', ...more },
];
const refuse = (atMs: number, count: number): Happening => [
  atMs,
  'request.refused',
  undefined,
  { code: 'capability_missing', count },
];
const show = (atMs: number, id: string): Happening => [atMs, 'confirmation.shown', id, { delayMs: 2_000 }];
const allow = (atMs: number, id: string): Happening => [
  atMs,
  'action.allowed',
  id,
  { status: 'queued', confirmationId: `cnf_${id}` },
];
const deny = (atMs: number, id: string): Happening => [
  atMs,
  'action.denied',
  id,
  { status: 'denied', confirmationId: `cnf_${id}` },
];
const expire = (atMs: number, id: string): Happening => [
  atMs,
  'action.expired',
  id,
  { status: 'expired', confirmationId: `cnf_${id}` },
];

/** Worked out by hand: what happened in an hour, how many times over, and what each metric then is. */
const FIXTURES: { [Type in MetricType]: { events: Happening[]; times?: number; is: number; within?: number } } = {
  action_rate: { events: [request(1_000, 'a'), request(2_000, 'b'), refuse(900_000, 3)], is: 5 },
  action_burst_peak: {
    events: [request(30_000, 'a'), refuse(59_000, 4), request(89_999, 'c'), request(90_000, 'd'), refuse(119_000, 2)],
    is: 6,
  },
  action_diversity: {
    events: [
      request(1, 'a'),
      request(2, 'b'),
      request(3, 'c', { type: 'OpenApp' }),
      request(4, 'd', { type: 'QuitApp' }),
    ],
    times: 3,
    is: 1.5,
  },
  action_success_rate: {
    events: [
      ...['a', 'b', 'c'].flatMap((id) => [request(1, id), send(2, id), succeed(9, id)]),
      request(1, 'd'),
      send(2, 'd'),
      fail(9, 'd'),
      request(1, 'e'),
      send(2, 'e'),
      fail(9, 'e', { errorCode: 'interrupted_by_person' }),
    ],
    times: 3,
    is: 0.75,
  },
  action_latency_p95: {
    events: [
      ask(0, 'a'),
      allow(50_000, 'a'),
      send(50_010, 'a'),
      succeed(50_310, 'a'),
      request(60_000, 'b'),
      send(60_000, 'b'),
      succeed(60_040, 'b'),
    ],
    times: 10,
    is: 300,
    within: 0.02,
  },
  action_retry_rate: {
    events: [
      request(0, 'a', { digest: 'same' }),
      request(599_999, 'b', { digest: 'same' }),
      request(1_199_999, 'c', { digest: 'same' }),
      request(1_800_000, 'd', { digest: 'same' }),
      [1_800_001, 'action.dispatched', 'd', { status: 'running', attempt: 2 }],
    ],
    times: 3,
    is: 0.75,
  },
  task_success_rate: {
    events: [
      [1, 'task.ended', undefined, { status: 'success' }],
      [2, 'task.ended', undefined, { status: 'failed' }],
      [3, 'task.ended', undefined, { status: 'cancelled' }],
      [4, 'task.ended', undefined, { status: 'failed', because: 'denied' }],
      [5, 'task.ended', undefined, { status: 'failed', because: 'interrupted' }],
    ],
    times: 3,
    is: 0.5,
  },
  task_duration_p95: {
    events: [
      [1, 'task.ended', undefined, { status: 'success', workedMs: 100 }],
      [2, 'task.ended', undefined, { status: 'success', workedMs: 4_000 }],
    ],
    times: 10,
    is: 4_000,
    within: 0.02,
  },
  elevated_action_share: {
    events: [
      request(1, 'a'),
      request(2, 'b', { risk: 'medium' }),
      request(3, 'c', { risk: 'high' }),
      request(4, 'd', { risk: 'medium', by: 'acc_1' }),
    ],
    times: 5,
    is: 0.5,
  },
  high_risk_executions: {
    events: [
      request(1, 'done', { risk: 'high' }),
      send(2, 'done'),
      succeed(3, 'done'),
      request(3, 'in doubt', { risk: 'critical' }),
      send(4, 'in doubt'),
      fail(5, 'in doubt', { sideEffect: 'unknown' }),
      request(5, 'medium', { risk: 'medium' }),
      send(6, 'medium'),
      succeed(7, 'medium'),
      request(7, 'not sent', { risk: 'high' }),
      request(8, 'without effect', { risk: 'high' }),
      send(9, 'without effect'),
      fail(10, 'without effect', { sideEffect: 'none' }),
      request(11, 'under way', { risk: 'high' }),
      send(12, 'under way'),
    ],
    is: 2,
  },
  irreversible_executions: {
    events: [
      request(1, 'a', { irreversible: true }),
      send(2, 'a'),
      succeed(3, 'a'),
      request(3, 'b', { irreversible: true }),
      request(5, 'c'),
      send(6, 'c'),
      succeed(7, 'c'),
      request(8, 'd', { irreversible: true }),
      send(9, 'd'),
      fail(10, 'd', { sideEffect: 'none' }),
    ],
    is: 1,
  },
  novel_action_share: {
    events: [
      request(1, 'a', { target: 'mail' }),
      request(2, 'b', { target: 'mail' }),
      request(3, 'c', { target: 'notes' }),
      request(4, 'd', { target: 'mail' }),
    ],
    times: 5,
    is: 0.5,
  },
  screen_capture_rate: {
    events: [
      request(1, 'a', { type: 'TakeScreenshot' }),
      send(2, 'a'),
      request(3, 'b', { type: 'DescribeScreen' }),
      send(4, 'b'),
      request(5, 'c', { type: 'TakeScreenshot', verdict: 'block' }),
    ],
    is: 2,
  },
  confirmation_prompt_rate: {
    events: [
      ask(1, 'a'),
      ask(2, 'b'),
      deny(3, 'b'),
      ask(4, 'c'),
      [4, 'action.denied', 'c', { status: 'denied', because: 'repeats a denial' }],
      request(5, 'd'),
    ],
    is: 2,
  },
  confirmation_approval_rate: {
    events: [
      ...['a', 'b', 'c'].flatMap((id) => [ask(1, id), allow(2, id)]),
      ask(1, 'd'),
      deny(5, 'd'),
      ask(6, 'e'),
      expire(9, 'e'),
    ],
    times: 3,
    is: 0.75,
  },
  confirmation_expiry_rate: {
    events: [ask(1, 'a'), allow(2, 'a'), ask(3, 'b'), expire(9, 'b'), ask(3, 'c'), deny(4, 'c'), ask(5, 'd')],
    times: 2,
    is: 0.25,
  },
  confirmation_response_p50: {
    events: [
      ask(0, 'a'),
      show(1_000, 'a'),
      allow(4_000, 'a'),
      ask(0, 'b'),
      show(1_000, 'b'),
      deny(9_000, 'b'),
      ask(0, 'c'),
      show(10_000, 'c'),
      allow(62_000, 'c'),
    ],
    times: 3,
    is: 6_000,
    within: 0.02,
  },
  hasty_approval_share: {
    events: [
      ask(0, 'a'),
      show(1_000, 'a'),
      allow(4_999, 'a'),
      ask(0, 'b'),
      show(1_000, 'b'),
      allow(5_000, 'b'),
      ask(0, 'c', { risk: 'low' }),
      show(1_000, 'c'),
      allow(3_000, 'c'),
    ],
    times: 3,
    is: 0.5,
  },
  standing_grant_share: {
    events: [
      request(1, 'a', { risk: 'medium', by: 'grt_1' }),
      send(2, 'a'),
      request(3, 'b', { risk: 'medium' }),
      send(4, 'b'),
      request(5, 'c', { by: 'grt_1' }),
      send(6, 'c'),
    ],
    times: 10,
    is: 0.5,
  },
  human_intervention_rate: {
    events: [
      ...[1, 2, 3, 4].map((atMs): Happening => [atMs, 'task.started']),
      [9, 'task.ended', undefined, { status: 'cancelled', by: 'person', intervened: true }],
      [9, 'task.ended', undefined, { status: 'cancelled', by: 'requester' }],
      [9, 'task.ended', undefined, { status: 'failed', intervened: true }],
    ],
    times: 2,
    is: 0.5,
  },
  denied_action_share: {
    events: [
      request(1, 'a', { verdict: 'block' }),
      ask(2, 'b'),
      deny(3, 'b'),
      request(4, 'c'),
      request(5, 'd'),
      ask(6, 'e'),
      refuse(7, 5),
    ],
    times: 1,
    is: 0.7,
  },
  control_violations: {
    events: [
      [1, 'journal.broken'],
      ask(8, 'sent without approval'),
      send(9, 'sent without approval'),
      ask(10, 'b'),
      allow(11, 'b'),
      send(12, 'b'),
      allow(13, 'b'),
      succeed(14, 'b'),
      fail(15, 'b'),
      request(16, 'never sent'),
      succeed(17, 'never sent'),
    ],
    is: 5,
  },
  device_readiness: {
    events: [
      [900_000, 'agent.readiness', undefined, { ready: true }],
      [2_700_000, 'agent.lost'],
    ],
    is: 0.5,
  },
};

describe('a metric worked out by hand', () => {
  it.each(METRIC_TYPES)('%s', (type) => {
    const { events, times, is, within = 0 } = FIXTURES[type];
    const value = measured(type, events, times) ?? Number.NaN;
    expect(Math.abs(value - is)).toBeLessThanOrEqual(within * is + 1e-12);
  });
});

it('is no failed control that a control refused an attempt', () => {
  const events: Happening[] = [
    [1, 'request.refused', undefined, { code: 'host_not_allowed', count: 4 }],
    [2, 'request.refused', undefined, { code: 'user_key_invalid', count: 1 }],
    [3, 'session.refused'],
    [4, 'agent.violation', undefined, { violation: 'unexpected_result' }],
    [5, 'request.refused', undefined, { code: 'digest_mismatch', count: 2 }],
    [6, 'request.refused', undefined, { code: 'approval_requires_person', count: 3 }],
    refuse(7, 120),
  ];
  expect(measured('control_violations', events)).toBe(0);
});

it('is no control violation that something was not found, a link followed, a code of ours used again or mistyped, or progress told late', () => {
  const events: Happening[] = [
    [1, 'request.refused', undefined, { code: 'not_found', count: 7 }],
    [2, 'request.refused', undefined, { code: 'cross_site_request', as: 'link_followed', count: 2 }],
    [3, 'session.refused', undefined, { spent: true }],
    [3, 'session.refused', undefined, { first: true }],
    [4, 'agent.violation', undefined, { violation: 'unexpected_progress' }],
    ask(5, 'a'),
    deny(6, 'a'),
    request(7, 'b', { verdict: 'block' }),
  ];
  expect(measured('control_violations', events)).toBe(0);
});

describe('too little', () => {
  it.each(METRIC_TYPES)('%s of a span in which the daemon was never up is null', (type) => {
    const metrics = measureAll({
      rollup: emptyRollup(),
      upTime: { upMs: 0, unlockedMs: 0, readyMs: 0 },
      lengthMs: 60_000,
    });
    expect(metrics.find((metric) => metric.type === type)?.value).toBeNull();
  });

  it('is not the same as nothing: counts of an hour in which nothing happened are 0, shares are null', () => {
    const upTime = { upMs: 3_600_000, unlockedMs: 3_600_000, readyMs: 3_600_000 };
    const metrics = measureAll({ rollup: emptyRollup(), upTime, lengthMs: 3_600_000 });
    const values = Object.fromEntries(
      metrics.filter(({ value }) => value !== null).map((each) => [each.type, each.value]),
    );
    expect(values).toEqual({
      action_rate: 0,
      action_burst_peak: 0,
      high_risk_executions: 0,
      irreversible_executions: 0,
      screen_capture_rate: 0,
      confirmation_prompt_rate: 0,
      control_violations: 0,
      device_readiness: 1,
    });
  });
});

describe('the readiness of the device', () => {
  const readiness = (events: Happening[]) => {
    const upTime = upTimeIn(recordAll(journal(events)).intervals.values(), { fromMs: 0, toMs: 3_600_000 });
    return measure('device_readiness', { rollup: emptyRollup(), upTime, lengthMs: 3_600_000 });
  };
  const ready = (atMs: number, isReady: boolean): Happening => [atMs, 'agent.readiness', undefined, { ready: isReady }];

  it('is not told of a daemon that has been up for less than five minutes, however late its agent came', () => {
    const upFor = (ms: number) => readiness([[0, 'daemon.started'], ready(2_000, true), [ms, 'daemon.stopped']]);
    expect([upFor(20_000).value, upFor(299_999).value]).toEqual([null, null]);
    expect(upFor(300_000)).toMatchObject({ value: 298_000 / 300_000, sampleSize: 300 });
  });

  it('leaves out the time in which the session of the person was locked', () => {
    const events: Happening[] = [
      [0, 'daemon.started'],
      ready(0, true),
      [600_000, 'screen.locked'],
      ready(700_000, false),
      ready(1_500_000, true),
      [1_800_000, 'screen.unlocked'],
      ready(2_100_000, false),
      [2_400_000, 'daemon.stopped'],
    ];
    expect(readiness(events)).toEqual({ type: 'device_readiness', value: 0.75, sampleSize: 1_200 });
  });
});
