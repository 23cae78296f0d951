import type { RiskLevel } from '../../contract/action.ts';
import { startOfDay } from '../metrics/local-time.ts';
import { probabilityAbove, probabilityOfAtLeast } from '../statistics/distributions.ts';
import { clamp, kendallZ, mean, median, sampleVariance } from '../statistics/statistics.ts';
import { type Answer, evidenceOf, type Facts, inspect } from './facts.ts';
import { APPROVAL_HABIT, counted, type Finding, seconds } from './finding.ts';

/** Judged from so many answers on. */
const LEAST_ANSWERS = 20;
const LEAST_APPROVALS = 15;
/**
 * How clearly, in standard errors, approvals must come too soon. The first answers are looked at only once, so less is enough for them.
 * The last three days alone show a new habit of a person with few prompts. They are looked at besides the others, so they take more.
 * Each standard error by which the person takes longer where there is more to read excuses two.
 */
const CLEARLY = { atFirst: 2, later: 3.2, lately: 3.6, excused: 2 };
/** ln of a time over the least time of care: one odd answer must not outweigh the others. */
const FURTHEST = 2.5;
/** People do not answer more evenly than this (standard deviation of ln of the time). */
const LEAST_SPREAD = 0.25;
const SHORTEST_MS = 50;
const NO_TIME_MS = 2_000;
/** How long the page makes a person hold Allow, and from which risk on. */
const HOLD_MS = 1_000;
const HELD: readonly string[] = ['high', 'critical'];

type Approval = Answer & { tookMs: number };

/**
 * A change of habit shows sooner than a habit: from so many answers of one day or of three on, all but one in so many allowed, clearly sooner than the earlier ones,
 * no later where there is more to read, and half of them too soon for a considered answer.
 */
const CHANGE = {
  least: { 1: 8, 3: 3 },
  before: 20,
  allowedShare: 0.95,
  /** How improbable it must be; of three days with as many answers as one day needs, less is enough. */
  chance: { 1: 0.00135, 3: 0.0035 },
  leastDaySpread: 0.1,
  consideredMs: 5_500,
};

/** Nearly everything is allowed, sooner than it can be read, and no later where there is more to read. */
export function rubberStamping({ answers }: Pick<Facts, 'answers'>): Finding[] {
  const [habit] = habitOf(answers);
  if (habit !== undefined) return [habit];
  return ([1, 3] as const).flatMap((days) => changeIn(days, answers)).slice(0, 1);
}

/** A habit is judged by the answers of so many days with answers, or by so many answers where these days have fewer. */
const DAYS = 3;
const USUAL_ANSWERS = 40;

/** The answers by which a habit is judged. They come newest first, and stay so. */
export function latestAnswers(answers: readonly Answer[]): Answer[] {
  return answers.slice(0, Math.max(USUAL_ANSWERS, answersOfDays(answers).length));
}

/** Only the answers of the last days with answers. They come newest first, and stay so. */
export function answersOfDays(answers: readonly Answer[], most = DAYS): Answer[] {
  const days = new Set<number>();
  const end = answers.findIndex((answer) => days.add(startOfDay(answer.decidedAtMs)).size > most);
  return end === -1 ? [...answers] : answers.slice(0, end);
}

function habitOf(answers: readonly Answer[]): Finding[] {
  const latest = latestAnswers(answers);
  if (latest.length < LEAST_ANSWERS) return [];
  if (latest.length < USUAL_ANSWERS) return habitIn(latest, CLEARLY.atFirst);
  const [habit] = habitIn(latest, CLEARLY.later);
  if (habit !== undefined) return [habit];
  const lately = answersOfDays(answers);
  return lately.length < LEAST_ANSWERS || lately.length >= USUAL_ANSWERS ? [] : habitIn(lately, CLEARLY.lately);
}

/** One denial a day does not show that a person denies more than one in ten. */
const DENYING = { share: 0.1, significance: 0.05 };

/**
 * Whether the denials among these answers show a person who decides: by a one-sided binomial test, more than one in ten is denied.
 * Prompts that were denied all at once count as one.
 */
function clearlyDenies(answers: readonly Answer[]): boolean {
  const denials = new Set(answers.filter(({ isAllowed }) => !isAllowed).map(({ decidedAtMs }) => decidedAtMs)).size;
  const trials = answers.filter(({ isAllowed }) => isAllowed).length + denials;
  return probabilityOfAtLeast(denials, { trials, probability: DENYING.share }) < DENYING.significance;
}

function habitIn(latest: readonly Answer[], clearly: number): Finding[] {
  const approvals = latest.filter(isApproval);
  if (approvals.length < LEAST_APPROVALS || clearlyDenies(latest)) return [];
  if (hasteZ(approvals) < clearly + CLEARLY.excused * Math.max(0, careZ(approvals))) return [];
  return [findingOf(latest, approvals)];
}

/** The latest days against those before them. */
function changeIn(days: 1 | 3, answers: readonly Answer[]): Finding[] {
  const lately = answersOfDays(answers, days);
  const [now, before] = [lately, answers.slice(lately.length)].map((some) => some.filter(isApproval));
  if (now === undefined || before === undefined || before.length < CHANGE.before) return [];
  if (lately.filter(({ isAllowed }) => isAllowed).length < CHANGE.allowedShare * lately.length) return [];
  if (median(now.map(readMs)) >= CHANGE.consideredMs || careZ(now) >= CLEARLY.atFirst) return [];
  const chance = CHANGE.chance[now.length < CHANGE.least[1] ? 1 : days];
  return chanceOfSooner(now, before, CHANGE.least[days]) > chance ? [] : [findingOf(lately, now)];
}

/**
 * The chance of answers that come so much sooner than earlier ones. A person's pace changes from day to day, so each day is one
 * observation: the mean of ln of its times, those of requests that were allowed before against earlier ones of that kind. Welch's test with
 * its degrees of freedom (Welch 1947). One day has no spread of its own; it is taken for one more of the days before (Student's prediction
 * interval, Geisser 1993), or for as uncertain as its few answers are.
 */
function chanceOfSooner(now: readonly Approval[], before: readonly Approval[], least: number): number {
  const known = Map.groupBy(before, ({ isRepeat }) => isRepeat);
  const usual = new Map([...known].map(([isRepeat, some]) => [isRepeat, mean(some.map(logMs))]));
  const [latest, past] = [now, before].map((some) => some.filter(({ isRepeat }) => usual.has(isRepeat)));
  if (latest === undefined || past === undefined || latest.length < least) return 1;
  const apart = (approval: Approval) => logMs(approval) - (usual.get(approval.isRepeat) ?? 0);
  const [ofNow, ofBefore] = [latest, past].map((some) =>
    [...Map.groupBy(some, ({ decidedAtMs }) => startOfDay(decidedAtMs)).values()].map((day) => mean(day.map(apart))),
  );
  if (ofNow === undefined || ofBefore === undefined || ofBefore.length < 2) return 1;
  const spreadOf = (of: readonly number[]) => Math.max(CHANGE.leastDaySpread ** 2, sampleVariance(of));
  const isOneDay = ofNow.length < 2;
  const later = isOneDay
    ? Math.max(spreadOf(ofBefore), sampleVariance(past.map(apart)) / latest.length)
    : spreadOf(ofNow) / ofNow.length;
  const earlier = spreadOf(ofBefore) / ofBefore.length;
  const freedom = isOneDay
    ? ofBefore.length - 1
    : (later + earlier) ** 2 / (later ** 2 / (ofNow.length - 1) + earlier ** 2 / (ofBefore.length - 1));
  return probabilityAbove((mean(ofBefore) - mean(ofNow)) / Math.sqrt(later + earlier), freedom);
}

function logMs(approval: Approval): number {
  return Math.log(Math.max(SHORTEST_MS, readMs(approval)));
}

function isApproval(answer: Answer): answer is Approval {
  return answer.isAllowed && answer.tookMs !== null;
}

/** Silent reading of English non-fiction: 238 words a minute on average, most adults 175 to 300 (Brysbaert 2019, 190 studies). */
const WORDS_A_MINUTE = 240;
/** With its space. Counting characters also works for JSON, which has no words. */
const CHARACTERS_A_WORD = 6;
const MS_A_CHARACTER = 60_000 / (WORDS_A_MINUTE * CHARACTERS_A_WORD);

/** The usual length of a prompt for one action; stands for the length of a prompt that the page did not report as shown. */
const USUAL_CHARACTERS = 240;

/**
 * Our own. Between the slowest habit of approving everything (a median of 3.5 s) and the quickest careful one (5 s). A very long
 * prompt takes a little longer: nobody understands 1,200 words a minute (Rayner et al. 2016).
 */
const CARE_MS = { least: 4_600, most: 6_000 };
const FASTEST_TIMES = 5;

/** How long reading a text of so many characters takes, in milliseconds. */
export function readingMs(characters: number): number {
  return characters * MS_A_CHARACTER;
}

/** An answer sooner than this, in milliseconds, was hardly considered. Never more than reading the prompt takes. */
export function leastCareMs({ characters }: Pick<Answer, 'characters'>): number {
  const wholeMs = readingMs(characters ?? USUAL_CHARACTERS);
  return clamp(wholeMs / FASTEST_TIMES, { from: Math.min(CARE_MS.least, wholeMs), to: CARE_MS.most });
}

/** How much a prompt asks of a careful person, to compare prompts with each other. A request they know takes less of their time. */
export function demandOf({ characters, isRepeat, risk }: Pick<Answer, 'characters' | 'isRepeat' | 'risk'>): number {
  return (characters ?? USUAL_CHARACTERS) * (isRepeat ? KNOWN_PART : 1) * RISK_WEIGHTS[risk];
}

/** Our own: the part of a known request that is still looked at. */
const KNOWN_PART = 1 / 3;
const RISK_WEIGHTS: Record<RiskLevel, number> = { low: 1, medium: 1, high: 1.5, critical: 2 };

/** By how many standard errors the approvals come sooner than care allows: a t-statistic over ln of time over least time. */
function hasteZ(approvals: readonly Approval[]): number {
  const logs = approvals.map((approval) => {
    const ratio = Math.max(SHORTEST_MS, readMs(approval)) / leastCareMs(approval);
    return clamp(Math.log(ratio), { from: -FURTHEST, to: FURTHEST });
  });
  const spread = Math.max(LEAST_SPREAD, Math.sqrt(sampleVariance(logs)));
  return (-mean(logs) * Math.sqrt(logs.length)) / spread;
}

/** How clearly the person takes longer where there is more to read or more at risk. */
function careZ(approvals: readonly Approval[]): number {
  return kendallZ(approvals.map((approval) => [demandOf(approval), readMs(approval)]));
}

/**
 * A prompt that was not opened to its end was not read, however long it was open. The time in which Allow must be held is forced on
 * everybody, so it shows no care.
 */
function readMs({ tookMs, wasOpenedToEnd, risk }: Approval): number {
  if (wasOpenedToEnd === false) return 0;
  return Math.max(0, tookMs - (HELD.includes(risk) ? HOLD_MS : 0));
}

function findingOf(latest: readonly Answer[], approvals: readonly Approval[]): Finding {
  const medianMs = median(approvals.map(({ tookMs }) => tookMs));
  const lengths = approvals.flatMap(({ characters }) => characters ?? []);
  const reading = lengths.length === 0 ? '' : `; reading one takes about ${seconds(readingMs(median(lengths)))}`;
  return {
    subject: APPROVAL_HABIT,
    category: 'oversight',
    severity: medianMs < NO_TIME_MS ? 'high' : 'warning',
    title: `You allowed ${approvals.length} of ${latest.length} requests, half of them within ${seconds(medianMs)}${reading}`,
    detail: `${notOpened(approvals)}${sameForAll(approvals)}Read each request before you allow it, or give a grant for requests that need no reading.`,
    metricTypes: ['confirmation_approval_rate', 'confirmation_response_p50'],
    evidence: evidenceOf(approvals),
    risk: { cause: 'confirmation_approval_rate', share: medianMs < NO_TIME_MS ? 0.42 : 0.34 },
    ...inspect(approvals),
  };
}

function sameForAll(approvals: readonly Approval[]): string {
  return careZ(approvals) < CLEARLY.atFirst ? 'Longer requests did not get more time than short ones. ' : '';
}

function notOpened(approvals: readonly Approval[]): string {
  const count = approvals.filter(({ wasOpenedToEnd }) => wasOpenedToEnd === false).length;
  return count === 0
    ? ''
    : `${counted(count, 'request')} of these ${count === 1 ? 'was' : 'were'} not opened to the end. `;
}
