import { probabilityOfAtLeast } from '../statistics/binomial.ts';
import { evidenceOf } from './evidence.ts';
import { DAY_MS, type Facts, GRANTS_COUNTED, type GrantsGiven } from './facts.ts';
import { counted, type Finding } from './finding.ts';

const LEAST_GRANTS = 6;
/** Fewer days than this are the days in which a person sets up their grants. */
const LEAST_DAYS_BEFORE = 14;
const SIGNIFICANCE = 0.001;
/** The 21 days over which days are counted, and the 14 in which a person sets up their grants. */
const LEAST_DAYS_BEFORE_SPREAD = 21;
/** In simulated lives a person without fault reaches this once in ten years. */
const MANY_DAYS = 8;

/**
 * The person gives standing grants faster than before, or one by one on day after day, all requesters together. Each one is small, and
 * a slow growth shows in no single day.
 */
export function grantGrowth(facts: Facts): Finding[] {
  const { lately, before, daysBefore } = facts.grantsGiven;
  if (isMoreThanBefore(facts.grantsGiven)) {
    return [
      findingOf(
        facts,
        `You gave ${counted(lately, 'standing grant')} in the last two weeks, and ${before} in the ${Math.round(daysBefore / 7)} weeks before`,
      ),
    ];
  }
  return isDayAfterDay(facts.grantsGiven)
    ? [
        findingOf(
          facts,
          `You gave standing grants on ${facts.grantsGiven.days} of the last ${GRANTS_COUNTED.spreadDays} days`,
        ),
      ]
    : [];
}

/** Many more within two weeks than before: a one-sided test, conditional on the total of both counts (Przyborowski & Wilenski 1940). */
function isMoreThanBefore({ lately, before, daysBefore }: GrantsGiven): boolean {
  const { latelyDays } = GRANTS_COUNTED;
  if (lately < LEAST_GRANTS || daysBefore < LEAST_DAYS_BEFORE) return false;
  const probability = latelyDays / (latelyDays + daysBefore);
  return probabilityOfAtLeast(lately, { trials: lately + before, probability }) < SIGNIFICANCE;
}

/** A person who sets up grants gives several on one day. Slow growth spreads over many days, and shows also where many were given before. */
function isDayAfterDay({ days, daysBefore }: GrantsGiven): boolean {
  return days >= MANY_DAYS && daysBefore >= LEAST_DAYS_BEFORE_SPREAD;
}

function findingOf({ nowMs, grants, requests }: Facts, title: string): Finding {
  const standing = grants.filter(({ scope }) => scope === 'always');
  const ids = standing
    .filter(({ createdAtMs }) => nowMs - createdAtMs <= GRANTS_COUNTED.latelyDays * DAY_MS)
    .map(({ id }) => id);
  return {
    subject: 'grant_growth',
    category: 'oversight',
    severity: 'warning',
    title,
    detail: `${counted(standing.length, 'standing grant')} in force now. Each of them means fewer questions to you. Revoke the grants that you do not need.`,
    metricTypes: ['standing_grant_share', 'confirmation_prompt_rate'],
    evidence: evidenceOf(requests.filter(({ grantId }) => grantId !== null && ids.includes(grantId))),
    action: { kind: 'review_grants', label: 'Look at your grants', target: null },
  };
}
