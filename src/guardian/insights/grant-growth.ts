import { probabilityOfAtLeast } from '../statistics/binomial.ts';
import { evidenceOf } from './evidence.ts';
import { DAY_MS, type Facts, GRANTS_COUNTED, type GrantsGiven } from './facts.ts';
import { counted, type Finding } from './finding.ts';

/** A warning begins at `begins` and ends below `lasts`, so that one grant more or less does not turn it on and off. */
const LEAST_GRANTS = { begins: 6, lasts: 4 };
/** In the first 14 days a person sets up their grants, so there is no warning. */
const LEAST_DAYS_BEFORE = 14;
const SIGNIFICANCE = { begins: 0.001, lasts: 0.01 };
/** With the last 14 days that makes 35: two weeks in which a person sets up their grants, and then the 21 days that are counted. */
const LEAST_DAYS_BEFORE_SPREAD = 21;
/** In simulated lives a careful person reaches `begins` once in ten years. */
const MANY_DAYS = { begins: 8, lasts: 6 };
const SUBJECT = 'grant_growth';

/**
 * The person gives standing grants faster than before, or one by one on day after day, all requesters together. Each one is small, and
 * a slow growth shows in no single day.
 */
export function grantGrowth(facts: Facts): Finding[] {
  const { lately, before, daysBefore } = facts.grantsGiven;
  const at = facts.raised.has(SUBJECT) ? 'lasts' : 'begins';
  if (isMoreThanBefore(facts.grantsGiven, at)) {
    return [
      findingOf(
        facts,
        `You gave ${counted(lately, 'standing grant')} in the last two weeks, and ${before} in the ${Math.round(daysBefore / 7)} weeks before`,
      ),
    ];
  }
  return isDayAfterDay(facts.grantsGiven, at)
    ? [
        findingOf(
          facts,
          `You gave standing grants on ${facts.grantsGiven.days} of the last ${GRANTS_COUNTED.spreadDays} days`,
        ),
      ]
    : [];
}

/** Many more within two weeks than before: a one-sided test, conditional on the total of both counts (Przyborowski & Wilenski 1940). */
function isMoreThanBefore({ lately, before, daysBefore }: GrantsGiven, at: 'begins' | 'lasts'): boolean {
  const { latelyDays } = GRANTS_COUNTED;
  if (lately < LEAST_GRANTS[at] || daysBefore < LEAST_DAYS_BEFORE) return false;
  const probability = latelyDays / (latelyDays + daysBefore);
  return probabilityOfAtLeast(lately, { trials: lately + before, probability }) < SIGNIFICANCE[at];
}

/** A person who sets up grants gives several on one day. Slow growth spreads over many days, and shows also where many were given before. */
function isDayAfterDay({ days, daysBefore }: GrantsGiven, at: 'begins' | 'lasts'): boolean {
  return days >= MANY_DAYS[at] && daysBefore >= LEAST_DAYS_BEFORE_SPREAD;
}

function findingOf({ nowMs, grants, requests }: Facts, title: string): Finding {
  const standing = grants.filter(({ scope }) => scope === 'always');
  const ids = standing
    .filter(({ createdAtMs }) => nowMs - createdAtMs <= GRANTS_COUNTED.latelyDays * DAY_MS)
    .map(({ id }) => id);
  return {
    subject: SUBJECT,
    category: 'oversight',
    severity: 'warning',
    title,
    detail: `${counted(standing.length, 'standing grant')} in force now. Each one means that you are asked less. Revoke the grants that you do not need.`,
    metricTypes: ['standing_grant_share', 'confirmation_prompt_rate'],
    evidence: evidenceOf(requests.filter(({ grantId }) => grantId !== null && ids.includes(grantId))),
    action: { kind: 'review_grants', label: 'Look at your grants', target: null },
  };
}
