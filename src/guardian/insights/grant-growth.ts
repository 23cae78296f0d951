import { probabilityOfAtLeast } from '../binomial.ts';
import { evidenceOf } from './evidence.ts';
import { DAY_MS, type Facts, GRANTS_COUNTED } from './facts.ts';
import { counted, type Finding } from './finding.ts';

const LEAST_GRANTS = 6;
/** Fewer days than this are the days in which a person sets up their grants. */
const LEAST_DAYS_BEFORE = 14;
const SIGNIFICANCE = 0.001;

/**
 * The person gave many more standing grants within two weeks than before, all requesters together. Each one is small, and a slow growth
 * shows in no single day. The test is one-sided and conditional on the total of both counts (Przyborowski & Wilenski 1940).
 */
export function grantGrowth({ nowMs, grantsGiven, grants, requests }: Facts): Finding[] {
  const { lately, before, daysBefore } = grantsGiven;
  const { latelyDays } = GRANTS_COUNTED;
  if (lately < LEAST_GRANTS || daysBefore < LEAST_DAYS_BEFORE) return [];
  const probability = latelyDays / (latelyDays + daysBefore);
  if (probabilityOfAtLeast(lately, { trials: lately + before, probability }) >= SIGNIFICANCE) return [];
  const standing = grants.filter(({ scope }) => scope === 'always');
  const ids = standing.filter(({ createdAtMs }) => nowMs - createdAtMs <= latelyDays * DAY_MS).map(({ id }) => id);
  const finding: Finding = {
    subject: 'grant_growth',
    category: 'oversight',
    severity: 'warning',
    title: `You gave ${counted(lately, 'standing grant')} in the last two weeks, and ${before} in the ${Math.round(daysBefore / 7)} weeks before`,
    detail: `${counted(standing.length, 'standing grant')} in force now. Each of them means fewer questions to you. Revoke the grants that you do not need.`,
    metricTypes: ['standing_grant_share', 'confirmation_prompt_rate'],
    evidence: evidenceOf(requests.filter(({ grantId }) => grantId !== null && ids.includes(grantId))),
    action: { kind: 'review_grants', label: 'Look at your grants', target: null },
  };
  return [finding];
}
