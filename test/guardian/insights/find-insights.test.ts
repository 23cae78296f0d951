import { expect, it } from 'vitest';
import { findInsights } from '../../../src/guardian/insights/find-insights.ts';
import type { Facts } from '../../../src/guardian/insights/finding.ts';
import { addValue } from '../../../src/guardian/recording/log-histogram.ts';
import type { Recorded } from '../../../src/guardian/recording/metrics.ts';
import { type Counter, emptyRollup } from '../../../src/guardian/recording/rollup.ts';

const HOUR_MS = 3_600_000;

/** What must have happened for each rule, and just not enough of it. */
const CASES: { about: string; finds: Partial<Facts>; not: Partial<Facts>; says: [string, string] }[] = [
  {
    about: 'approvals without a single no, faster than one can read',
    finds: { day: day({ promptAllowed: 41 }, { responsesMs: [1_100, 1_100, 1_100, 1_100, 1_100] }) },
    not: { day: day({ promptAllowed: 41, promptDenied: 1 }, { responsesMs: [1_100, 1_100, 1_100, 1_100, 1_100] }) },
    says: ['high', '41 of 41 approvals, median 1.1 s'],
  },
  {
    about: 'approvals above low risk before a thought',
    finds: { day: day({ promptAllowedHastily: 1, promptAllowedElevated: 4 }) },
    not: { day: day({ promptAllowedElevated: 4 }) },
    says: ['warning', '1 of 4 approvals above low risk within 2 s'],
  },
  {
    about: 'more prompts than anybody answers with care',
    finds: { hour: day({ prompted: 40 }) },
    not: { hour: day({ prompted: 19 }) },
    says: ['high', '40 prompts within an hour'],
  },
  {
    about: 'prompts that nobody answers',
    finds: { day: day({ promptExpired: 5, prompted: 10 }) },
    not: { day: day({ promptExpired: 5, prompted: 11 }) },
    says: ['warning', '5 of 10 prompts within a day were not answered'],
  },
  {
    about: 'a requester who hears nothing but no',
    finds: { denialStreaks: [{ userId: 'ann', denials: 3 }] },
    not: { denialStreaks: [{ userId: 'ann', denials: 2 }] },
    says: ['warning', 'The last 3 prompts of {requester} were denied'],
  },
  {
    about: 'more at once than hands do',
    finds: { hour: day({}, { burstPeak: 60 }) },
    not: { hour: day({}, { burstPeak: 59 }) },
    says: ['warning', '60 actions requested within a minute'],
  },
  {
    about: 'actions that fail and worked before',
    finds: { hour: day({ succeeded: 5, failed: 5 }), day: day({ succeeded: 90, failed: 10 }) },
    not: { hour: day({ succeeded: 8, failed: 2 }), day: day({ succeeded: 90, failed: 10 }) },
    says: ['warning', '50 % of actions succeeded within an hour, 90 % within a day'],
  },
  {
    about: 'keys, places and answers that were refused',
    finds: { day: day({ credentialRefused: 1, placeRefused: 2, approvalRefused: 7 }) },
    not: { day: day({}) },
    says: ['high', '10 refused attempts within a day'],
  },
  {
    about: 'a journal that is not as it was written',
    finds: { day: day({ journalBroken: 1 }) },
    not: { day: day({}) },
    says: ['critical', 'The journal failed 1 of its checks within a day'],
  },
  {
    about: 'a permission the agent has not',
    finds: { missingPermissions: ['accessibility'] },
    not: { missingPermissions: [] },
    says: ['high', '1 permission is missing: accessibility'],
  },
];

it.each(CASES)('finds $about, and nothing else', ({ finds, says }) => {
  expect(findInsights(factsOf(finds)).map(({ severity, title }) => [severity, title])).toEqual([says]);
});

it.each(CASES)('does not make $about of a little less', ({ not }) => {
  expect(findInsights(factsOf(not))).toEqual([]);
});

function factsOf(some: Partial<Facts>): Facts {
  return { hour: day({}), day: day({}), denialStreaks: [], missingPermissions: [], ...some };
}

function day(
  counters: Partial<Record<Counter, number>>,
  { burstPeak = 0, responsesMs = [] }: { burstPeak?: number; responsesMs?: number[] } = {},
): Recorded {
  const rollup = emptyRollup();
  Object.assign(rollup.counters, counters);
  rollup.burstPeak = burstPeak;
  for (const responseMs of responsesMs) addValue(rollup.responseMs, responseMs);
  return { rollup, upTime: { upMs: HOUR_MS, unlockedMs: HOUR_MS, readyMs: HOUR_MS }, lengthMs: HOUR_MS };
}
