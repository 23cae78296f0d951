import { startOfDay } from '../metrics/local-time.ts';
import { kendallZ } from '../statistics/rank-correlation.ts';
import { clamp, mean, median, sampleVariance } from '../statistics/statistics.ts';
import { probabilityAbove } from '../statistics/student.ts';
import { clearlyDenies } from './denying.ts';
import { evidenceOf, inspect } from './evidence.ts';
import type { Answer, Facts } from './facts.ts';
import { APPROVAL_HABIT, counted, type Finding, seconds } from './finding.ts';
import { answersOfDays, latestAnswers, USUAL_ANSWERS } from './latest-answers.ts';
import { demandOf, leastCareMs, readingMs } from './reading.ts';

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

function habitOf(answers: readonly Answer[]): Finding[] {
  const latest = latestAnswers(answers);
  if (latest.length < LEAST_ANSWERS) return [];
  if (latest.length < USUAL_ANSWERS) return habitIn(latest, CLEARLY.atFirst);
  const [habit] = habitIn(latest, CLEARLY.later);
  if (habit !== undefined) return [habit];
  const lately = answersOfDays(answers);
  return lately.length < LEAST_ANSWERS || lately.length >= USUAL_ANSWERS ? [] : habitIn(lately, CLEARLY.lately);
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
