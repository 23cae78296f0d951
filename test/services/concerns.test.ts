import { expect, test } from 'vitest';
import { snapshots } from '../../src/guardian/metrics/snapshot.ts';
import { usualOf } from '../../src/guardian/metrics/usual.ts';
import { measure, type Recorded } from '../../src/guardian/recording/metrics.ts';
import { assessRisk } from '../../src/guardian/risk/assess-risk.ts';
import type { RiskShare } from '../../src/guardian/risk/risk-score.ts';
import { concernsOf } from '../../src/services/guardian/assessment.ts';
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

type Given = { before?: readonly Recorded[]; known?: readonly string[]; signs?: readonly RiskShare[] };

function warnings(day: Recorded, { before = weeks, known = [], signs = [] }: Given = {}) {
  const usual = usualOf(before);
  const isKnown = (cause: string) => known.includes(cause);
  const failures = known.includes('control_violations') ? 0 : measure('control_violations', day).sampleSize;
  const risk = assessRisk(day, { usual, isKnown, failures, signs });
  const metrics = snapshots({ recorded: day, window: WINDOW, medianOf: usual.medianOf });
  return concernsOf({ metrics, recorded: day, risk, usual, isKnown });
}

function warned(day: Recorded, given?: Given): string[] {
  return warnings(day, given).map(({ subject }) => subject);
}

test('a metric between green and red is no warning', () => {
  expect(warned(dayWith({ ...ORDINARY, failed: 6, succeeded: 54 }))).toEqual([]);
});

test('a metric beyond red is a warning where it never was, and none where it is so every day', () => {
  const failing = dayWith({ ...ORDINARY, succeeded: 30, failed: 30 });
  expect(warnings(failing)).toMatchObject([
    { metricType: 'action_success_rate', status: 'bad', message: 'Actions that succeeded: 50 %; usual here: 96.7 %.' },
  ]);
  expect(warned(failing, { known: ['action_success_rate'] })).toEqual([]);
  const alwaysFailing = Array.from({ length: 20 }, () => failing);
  expect(warned(failing, { before: alwaysFailing })).toEqual([]);
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
