import { expect, test } from 'vitest';
import type { MetricType, Trend } from '../../src/contract/guardian.ts';
import { snapshots } from '../../src/guardian/metrics/snapshot.ts';
import { usualOf } from '../../src/guardian/metrics/usual.ts';
import { measure, type Recorded } from '../../src/guardian/recording/metrics.ts';
import { assessRisk } from '../../src/guardian/risk/assess-risk.ts';
import type { RiskShare } from '../../src/guardian/risk/risk-score.ts';
import { trendBeforeAll } from '../../src/guardian/trends/trend.ts';
import { concernsOf } from '../../src/services/guardian/concerns.ts';
import { dayWith } from '../guardian/windows.ts';

const WINDOW = { from: '', to: '', length: 86_400_000 };
const ORDINARY = {
  requested: 60,
  succeeded: 58,
  failed: 2,
  executedHigh: 3,
  taskStarted: 10,
  taskSucceeded: 9,
  taskFailed: 1,
};
const weeks = Array.from({ length: 20 }, (_, index) => dayWith({ ...ORDINARY, failed: 1 + (index % 3) }));

type Given = {
  before?: readonly Recorded[];
  /** How unusual every metric is, in place of what the days before tell. */
  z?: number;
  trends?: readonly Trend[];
  known?: readonly string[];
  raised?: readonly string[];
  signs?: readonly RiskShare[];
};

function warnings(day: Recorded, { before = weeks, z, trends = [], known = [], raised = [], signs = [] }: Given = {}) {
  const usual = { ...usualOf(before), ...(z !== undefined && { zOf: () => z }) };
  const isKnown = (cause: string) => known.includes(cause);
  const failures = known.includes('control_violations') ? 0 : measure('control_violations', day).sampleSize;
  const circumstances = { usual, medianOf: usual.medianOf, isKnown, failures, signs };
  const risk = assessRisk(day, circumstances);
  const metrics = snapshots({ recorded: day, window: WINDOW, medianOf: usual.medianOf });
  const isRaised = (subject: string) => raised.includes(subject);
  return concernsOf({ metrics, recorded: day, risk, usual, trends, isKnown, isRaised });
}

function warned(day: Recorded, given?: Given): string[] {
  return warnings(day, given).map(({ subject }) => subject);
}

function worsening(metricType: MetricType): Trend {
  const { openedAtMs: _, ...trend } = trendBeforeAll(metricType, '24h');
  return { ...trend, openedAt: '2026-01-01T00:00:00.000Z', effect: 'worsening', severity: 'warning' };
}

test('a metric between green and red is no warning, unless it is out of the ordinary for this desktop', () => {
  const day = dayWith({ ...ORDINARY, failed: 6, succeeded: 54 });
  expect(warned(day)).toEqual([]);
  expect(warned(day, { trends: [worsening('action_success_rate')] })).toEqual(['action_success_rate']);
  expect(warned(day, { trends: [worsening('action_success_rate')], known: ['action_success_rate'] })).toEqual([]);
});

test('a metric beyond red is a warning where that is unusual, and none where it is so every day', () => {
  const failing = dayWith({ ...ORDINARY, succeeded: 30, failed: 30 });
  expect(warnings(failing)).toMatchObject([
    { metricType: 'action_success_rate', status: 'bad', message: 'Actions that succeeded: 50 %; usual here: 96.7 %.' },
  ]);
  const alwaysFailing = Array.from({ length: 20 }, () => failing);
  expect(warned(failing, { before: alwaysFailing })).toEqual([]);
});

test('a metric that is told for a trend of seven days is told with the figures of seven days', () => {
  const trend: Trend = {
    ...worsening('action_success_rate'),
    ...{ window: '7d', current: 0.84, baseline: { kind: 'trailing', windows: 20, median: 0.97 } },
  };
  expect(warnings(dayWith({ ...ORDINARY, succeeded: 55, failed: 4 }), { trends: [trend] })).toMatchObject([
    { status: 'watch', message: 'Actions that succeeded over 7 days: 84 %; usual here: 97 %.' },
  ]);
});

test('a warning that is given lasts while its metric is beyond green and further from the usual than chance explains', () => {
  const worseThanUsual = dayWith({ ...ORDINARY, succeeded: 52, failed: 8 });
  expect(warned(worseThanUsual)).toEqual([]);
  expect(warned(worseThanUsual, { raised: ['action_success_rate'] })).toEqual(['action_success_rate']);
  expect(warned(worseThanUsual, { raised: ['task_success_rate'] })).toEqual([]);
  const nearlyUsual = dayWith({ ...ORDINARY, succeeded: 57, failed: 4 });
  expect(warned(nearlyUsual, { raised: ['action_success_rate'] })).toEqual([]);
});

test.each([
  [-3.6, ['action_success_rate']],
  [-3.4, []],
  [3.6, []],
])('with a z-score of %d, a metric beyond red leads to these warnings: %j', (z, expected) => {
  expect(warned(dayWith({ ...ORDINARY, succeeded: 30, failed: 30 }), { z })).toEqual(expected);
});

test.each([
  [-2.6, ['action_success_rate']],
  [-2.4, []],
  [2.6, []],
])('with a z-score of %d, of a warning that is given these last: %j', (z, expected) => {
  const failing = dayWith({ ...ORDINARY, succeeded: 30, failed: 30 });
  expect(warned(failing, { z, raised: ['action_success_rate'] })).toEqual(expected);
});

test.each([
  [359, []],
  [360, ['confirmation_prompt_rate']],
])('without a history, %i prompts in eight hours, of which 240 are too many, lead to: %j', (prompted, expected) => {
  expect(warned(dayWith({ ...ORDINARY, prompted, promptAllowed: 60, promptDenied: 60 }), { before: [] })).toEqual(
    expected,
  );
});

test('without a history, a share beyond red is a warning only where chance cannot explain it', () => {
  const failing = (succeeded: number, failed: number) =>
    warnings(dayWith({ ...ORDINARY, taskSucceeded: succeeded, taskFailed: failed }), { before: [] });
  expect(failing(3, 2)).toEqual([]);
  expect(failing(0, 5).map(({ message }) => message)).toEqual(['Tasks that succeeded: 0 %; limit: at least 95 %.']);
});

test('a surge is a warning where no day of the last weeks was half as large', () => {
  expect(warned(dayWith({ ...ORDINARY, requested: 400 }))).toEqual(['action_rate']);
  const heavy = [...weeks, dayWith({ ...ORDINARY, requested: 201 })];
  expect(warned(dayWith({ ...ORDINARY, requested: 400 }), { before: heavy })).toEqual([]);
  expect(warned(dayWith({ ...ORDINARY, requested: 402 }), { before: heavy })).toEqual(['action_rate']);
});

test('approvals of everything are a warning only where the answers come too fast to be considered', () => {
  const day = (responseMs: number) =>
    dayWith({ ...ORDINARY, prompted: 40, promptAllowed: 40 }, { responseMs: { [bucketOf(responseMs)]: 40 } });
  const sometimesDenied = weeks.map((each) => ({
    ...each,
    rollup: { ...each.rollup, counters: { ...each.rollup.counters, promptAllowed: 10, promptDenied: 10 } },
  }));
  expect(warned(day(6_000), { before: sometimesDenied })).toEqual([]);
  expect(warned(day(2_400), { before: sometimesDenied })).toEqual(['confirmation_approval_rate']);
});

test('controls that held and controls that failed are told in sentences of their own', () => {
  const both = warnings(dayWith({ ...ORDINARY, agentTokenRefused: 3, crossSiteRefused: 5, executedUndecided: 2 }));
  expect(both.map(({ status, message }) => [status, message])).toEqual([
    ['bad', '2 actions above low risk ran without a valid decision.'],
    ['bad', 'Refused: 3 wrong agent tokens.'],
  ]);
});

test('a few refused requests of web pages are no warning, many are', () => {
  expect(warned(dayWith({ ...ORDINARY, crossSiteRefused: 100 }))).toEqual([]);
  expect(warnings(dayWith({ ...ORDINARY, crossSiteRefused: 1_000 }))).toMatchObject([
    { status: 'watch', message: 'Refused: 1000 requests of web pages.' },
  ]);
  expect(warned(dayWith({ ...ORDINARY, crossSiteRefused: 1_000 }), { known: ['controls_held'] })).toEqual([]);
});

test('new kinds of actions alone, or only one kind, are never a warning', () => {
  expect(warned(dayWith({ ...ORDINARY, novel: 60 }, { types: { Click: 60 } }))).toEqual([]);
});

/** The bucket of a logarithmic histogram that holds a time. */
function bucketOf(ms: number): number {
  return Math.ceil(Math.log(ms) / Math.log(1.02 / 0.98));
}

test('a metric that only an insight makes the main cause is no warning while it is within its limit', () => {
  const signs = [{ cause: 'action_success_rate' as const, share: 0.28 }];
  const within = dayWith({ ...ORDINARY, succeeded: 972, failed: 28 });
  expect(warned(within, { before: [], signs })).toEqual([]);
  const beyond = dayWith({ ...ORDINARY, succeeded: 940, failed: 60 });
  expect(warnings(beyond, { before: [], signs }).map(({ message }) => message)).toEqual([
    'Actions that succeeded: 94 %; limit: at least 95 %.',
  ]);
});
