import type { MetricType } from '../../contract/guardian.ts';
import { requestAccess } from '../../domain/catalogue/hands/request-access.ts';
import { isCapture, isInput } from '../../domain/catalogue.ts';
import { inputWords, type RequesterLine, type Sign } from '../requesters/requester-line.ts';
import { isYoung, type Measure, type RequesterDay } from '../requesters/usual-days.ts';
import { probabilityOfAtLeast } from '../statistics/distributions.ts';
import {
  DAY_MS,
  evidenceOf,
  type Facts,
  GRANTS_COUNTED,
  type GrantsGiven,
  HOUR_MS,
  inspect,
  LOOKED_AT,
  MINUTE_MS,
  mostIn,
  type Request,
} from './facts.ts';
import { counted, type Finding, REQUESTER } from './finding.ts';

const MANY = 5;

/** Requesters that never asked before. Many of them are told of together. */
export function newRequester(facts: Facts): Finding[] {
  return facts.newRequesters.length > MANY
    ? [manyNew(facts)]
    : facts.newRequesters.flatMap(({ userId }) => oneNew(userId, facts));
}

/** A requester that has only registered a device so far gives no insight. */
function oneNew(userId: string, { requests }: Facts): Finding[] {
  const shown = requests.filter((request) => request.userId === userId);
  const isAll = requests.length < LOOKED_AT.requests;
  if (shown.length === 0 && isAll) return []; // guard E2-47
  // Among very many requests its own may be too old to be looked at.
  const soFar = shown.length === 0 ? '' : `, ${isAll ? '' : 'at least '}${counted(shown.length, 'request')} so far`;
  const finding: Finding = {
    subject: `new_requester ${userId}`,
    category: 'safety',
    severity: 'info',
    title: `New requester: ${REQUESTER}${soFar}`,
    detail:
      'It first asked in the last day. Any program that knows this name can use it, unless you lock the name with a key.',
    metricTypes: ['novel_action_share'],
    evidence: evidenceOf(shown),
    ...inspect(shown),
    userId,
  };
  return [finding];
}

function manyNew({ newRequesters, requests }: Facts): Finding {
  const ids = new Set(newRequesters.map(({ userId }) => userId));
  const isAll = newRequesters.length < LOOKED_AT.newRequesters;
  const shown = requests.filter(({ userId }) => ids.has(userId));
  return {
    subject: 'new_requesters',
    category: 'safety',
    severity: 'warning',
    title: `${isAll ? '' : 'At least '}${newRequesters.length} new requesters in a day`,
    detail: 'Any program can make up names. One that makes up many gets around what you set for one.',
    metricTypes: ['novel_action_share', 'action_rate'],
    evidence: evidenceOf(shown),
    // A pause of one name stops none of the others, and the one with most requests may well be the person's own.
    ...inspect(shown),
  };
}

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
      growthOf(
        facts,
        `You gave ${counted(lately, 'standing grant')} in the last two weeks, and ${before} in the ${Math.round(daysBefore / 7)} weeks before`,
      ),
    ];
  }
  return isDayAfterDay(facts.grantsGiven, at)
    ? [
        growthOf(
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

function growthOf({ nowMs, grants, requests }: Facts, title: string): Finding {
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

/**
 * How many requests of one requester in a row are looked at, and the share of captures among them that is an insight. A longer row with a
 * smaller share misses a requester that does its usual work meanwhile. In 240 simulated lives, some of them full of captures, no usual work came near.
 */
const IN_A_ROW = 60;
const SHARE = 0.95;

/** A requester looks at the screen again and again, and does hardly anything else. */
export function screenWatching({ nowMs, requests }: Facts): Finding[] {
  const lately = requests.filter(({ createdAtMs }) => createdAtMs > nowMs - HOUR_MS);
  return [...Map.groupBy(lately, ({ userId }) => userId)].flatMap(([userId, ofUser]) => {
    const watching = longRow(ofUser);
    return watching === undefined ? [] : [watchingOf(userId, watching)];
  });
}

/** The latest requests in a row that are nearly all captures; they come newest first. */
function longRow(ofUser: readonly Request[]): readonly Request[] | undefined {
  let captures = 0;
  for (const [index, request] of ofUser.entries()) {
    captures += wasCapture(request) ? 1 : 0;
    const left = ofUser[index - IN_A_ROW];
    captures -= left !== undefined && wasCapture(left) ? 1 : 0;
    if (captures >= SHARE * IN_A_ROW) return ofUser.slice(Math.max(0, index + 1 - IN_A_ROW), index + 1);
  }
  return undefined;
}

function othersBetween(count: number): string {
  return count === 0
    ? 'It did nothing else in that time.'
    : `It made only ${counted(count, 'other request')} in that time.`;
}

function wasCapture({ actionType, startedAtMs }: Request): boolean {
  return startedAtMs !== null && isCapture(actionType);
}

function watchingOf(userId: string, row: readonly Request[]): Finding {
  const captures = row.filter(wasCapture);
  const times = row.map(({ createdAtMs }) => createdAtMs);
  const minutes = Math.max(1, Math.round((Math.max(...times) - Math.min(...times)) / MINUTE_MS));
  return {
    subject: `screen_watching ${userId}`,
    category: 'privacy',
    severity: 'warning',
    title: `${REQUESTER} looked at your screen ${captures.length} times in ${counted(minutes, 'minute')}`,
    detail: `${othersBetween(row.length - captures.length)} Each look shows everything on the screen.`,
    metricTypes: ['screen_capture_rate'],
    evidence: evidenceOf(captures),
    action: { kind: 'pause_requester', label: `Pause ${REQUESTER}`, target: REQUESTER },
    userId,
  };
}

const METRICS: Record<Sign, MetricType> = {
  requested: 'action_rate',
  high: 'high_risk_executions',
  novel: 'novel_action_share',
  captured: 'screen_capture_rate',
  inputs: 'elevated_action_share',
  interrupted: 'human_intervention_rate',
  'first actions at high risk': 'high_risk_executions',
  'another program': 'elevated_action_share',
  'at night': 'elevated_action_share',
  'one more app each day': 'novel_action_share',
};

/** Part of the risk, from 0 to 1, by how much a sign can do. Much more of the usual is less than anything of another kind. Our own. */
const SHARES: Record<Sign, number> = {
  requested: 0.26,
  captured: 0.4,
  inputs: 0.4,
  interrupted: 0.3,
  high: 0.5,
  'first actions at high risk': 0.5,
  novel: 0.52,
  'another program': 0.58,
  'at night': 0.5,
  'one more app each day': 0.4,
};

/** The noun that is counted, and the words after it. */
const WHAT = {
  requested: ['request', ''],
  high: ['high-risk action', ''],
  novel: ['target', ' never used before'],
  captured: ['look', ' at the screen'],
  interrupted: ['time', ' that you took the mouse from it'],
} as const;

/** The subject of the insight about one requester. */
export function requesterSubject(userId: string): string {
  return `unusual_requester ${userId}`;
}

/** Signs that are about actions of high risk, and about nothing else. */
const OF_HIGH_RISK: readonly Sign[] = ['high', 'first actions at high risk'];

/** Signs that are about clicks and keys. */
const OF_INPUT: readonly Sign[] = ['inputs', 'interrupted', 'at night'];

/** A requester that does much more than on its days before, or that does so from its first day, or from another program. */
export function unusualRequesters({ requesters, requests }: Facts): Finding[] {
  const hasPast = requesters.some(({ past }) => !isYoung(past));
  return requesters.flatMap((line) => {
    const { userId, signs, words, day } = line;
    const [worst] = signs.toSorted((one, other) => SHARES[other] - SHARES[one]);
    if (worst === undefined) return [];
    const shown = requests.filter((request) => request.userId === userId);
    const wasAsked = signs.every((sign) => OF_HIGH_RISK.includes(sign)) && isAsked(day);
    const isOwn = wasAsked && !hasPast;
    const pause = { kind: 'pause_requester' as const, label: `Pause ${REQUESTER}`, target: REQUESTER };
    return {
      subject: requesterSubject(userId),
      category: 'safety' as const,
      severity: SHARES[worst] >= 0.5 && !isOwn ? ('high' as const) : ('warning' as const),
      title: `${words}${appWords(line, shown)}`,
      detail: `${reasonOf(line)} Pause it if that is not what you wanted. Acknowledge it if you expected it: it then counts as usual.`,
      metricTypes: [...new Set([worst, ...signs].map((sign) => METRICS[sign]))],
      evidence: evidenceOf(shown),
      ...(isOwn ? inspect(shown) : { action: pause }),
      userId,
      risk: { cause: 'requesters' as const, share: SHARES[worst], wasAsked },
    };
  });
}

/** The app in which most of its inputs were, or that it was let into last, where the line is told for that. */
function appWords({ signs }: RequesterLine, requests: readonly Request[]): string {
  if (signs.some((sign) => OF_INPUT.includes(sign)))
    return mostIn(requests.filter(({ actionType }) => isInput(actionType)));
  const [latest] = requests.filter(({ actionType, app }) => actionType === requestAccess.name && app !== null);
  return signs.includes('one more app each day') && latest !== undefined ? `, now ${latest.app}` : '';
}

/** The person was asked about each of its actions of high risk. */
function isAsked({ types }: RequesterDay): boolean {
  return types.every(({ prompted, high }) => prompted >= high);
}

function reasonOf({ exceeded, signs, past, program }: RequesterLine): string {
  const reasons = exceeded.map(({ measure, amount, most, limit }) =>
    most === null
      ? `${amountWords(measure, amount)}; without a history the limit is ${limit} a day.`
      : `${amountWords(measure, amount)}; at most ${most} on ${counted(past.days.length, 'day')} before.`,
  );
  if (signs.includes('first actions at high risk')) reasons.push('It is new, and does little but high-risk actions.');
  if (signs.includes('at night')) reasons.push('It never clicked or pressed keys at night before.');
  if (signs.includes('one more app each day')) reasons.push('Each day it may act in one more app.');
  if (signs.includes('another program') && program !== null) {
    reasons.push(`${program.name} asked ${counted(program.asked, 'time')}, unlike the programs before it.`);
  }
  return reasons.join(' ');
}

function amountWords(measure: Measure, amount: number): string {
  if (measure === 'inputs') return inputWords(amount);
  const [noun, rest] = WHAT[measure];
  return `${counted(amount, noun)}${rest}`;
}
