import { isPersonsAnswer } from '../../domain/persons-answer.ts';
import { probabilityOfAtLeast } from '../statistics/distributions.ts';
import { median } from '../statistics/statistics.ts';
import { type Answer, DAY_MS, evidenceOf, type Facts, HOUR_MS, mostIn, type Prompt, pauseOrInspect } from './facts.ts';
import { type Finding, REQUESTER, seconds } from './finding.ts';

const STREAK = 3;
const MOST_REQUESTERS = 10;
/** A warning that is no streak looks at the latest 5, the latest 6, and so on up to the latest 20 answers. */
const LEAST_DENIALS = 5;
const MOST_ANSWERS = 20;
/**
 * A warning needs denials that are less probable than this. With 2,000 answers a month, chance makes one warning in two years. The
 * limit for a window is a tenth of the limit for a streak, because there are many windows.
 */
const SIGNIFICANCE = { ofStreak: 2e-5, ofWindow: 2e-6 };
/** Before a person has answered much, they are taken for one who denies one in ten. */
const PRIOR = { denied: 1, answered: 10 };

type Denials = { latest: readonly Prompt[]; denied: readonly Prompt[] };

/** The person denies the prompts of one requester one after the other, and much more often than they usually deny. */
export function denialStreak({ prompts, answers }: Facts): Finding[] {
  const answered = prompts.filter(({ status }) => isPersonsAnswer(status));
  return [...Map.groupBy(answered, ({ userId }) => userId)]
    .flatMap(([userId, ofUser]) => findingOf(userId, ofUser.toSorted(latestFirst), answers) ?? [])
    .slice(0, MOST_REQUESTERS);
}

function findingOf(userId: string, ofUser: readonly Prompt[], answers: readonly Answer[]): Finding | undefined {
  const end = ofUser.findIndex(({ status }) => status !== 'denied');
  const streak = end === -1 ? ofUser : ofUser.slice(0, end);
  const isUnusualStreak = probabilityOf(denialsIn(streak), answers) < SIGNIFICANCE.ofStreak;
  const unusual = isUnusualStreak
    ? denialsIn(streak)
    : windowsOf(ofUser).find((each) => probabilityOf(each, answers) < SIGNIFICANCE.ofWindow);
  if (unusual === undefined && streak.length < STREAK) return undefined;
  const { latest, denied } = unusual ?? denialsIn(streak);
  const count =
    latest.length === denied.length ? `the last ${denied.length}` : `${denied.length} of the last ${latest.length}`;
  return {
    subject: `denial_streak ${userId}`,
    category: 'safety',
    severity: unusual === undefined ? 'info' : 'warning',
    title: `You denied ${count} prompts of ${REQUESTER}`,
    detail: keepsAsking(denied)
      ? 'It keeps asking although you deny. Pause it until you know why.'
      : 'You denied all of them before it asked again. Pause it until you know why it asks.',
    metricTypes: ['denied_action_share'],
    evidence: evidenceOf(denied),
    action: { kind: 'pause_requester', label: `Pause ${REQUESTER}`, target: REQUESTER },
    userId,
  };
}

/** Whether one of these prompts came after the person had denied another one of them: many that wait may be denied at once. */
function keepsAsking(denied: readonly Prompt[]): boolean {
  const firstDenialMs = Math.min(...denied.map(({ decidedAtMs }) => decidedAtMs ?? Number.POSITIVE_INFINITY));
  return denied.some(({ createdAtMs }) => createdAtMs > firstDenialMs);
}

/** The latest answers, in growing numbers. */
function windowsOf(ofUser: readonly Prompt[]): Denials[] {
  const most = Math.min(MOST_ANSWERS, ofUser.length);
  return Array.from({ length: Math.max(0, most - LEAST_DENIALS + 1) }, (_, index) =>
    denialsIn(ofUser.slice(0, LEAST_DENIALS + index)),
  );
}

function denialsIn(latest: readonly Prompt[]): Denials {
  return { latest, denied: latest.filter(({ status }) => status === 'denied') };
}

/** How probable so many denials are by the share of denials among all earlier answers: a one-sided binomial test. */
function probabilityOf({ latest, denied }: Denials, answers: readonly Answer[]): number {
  if (denied.length < LEAST_DENIALS) return 1;
  const sinceMs = Math.min(...latest.map(({ decidedAtMs }) => decidedAtMs ?? 0));
  const before = answers.filter(({ decidedAtMs }) => decidedAtMs < sinceMs); // guard E2-45
  const deniedBefore = before.filter(({ isAllowed }) => !isAllowed).length;
  const probability = (deniedBefore + PRIOR.denied) / (before.length + PRIOR.answered);
  return probabilityOfAtLeast(denied.length, { trials: latest.length, probability });
}

function latestFirst(one: Prompt, other: Prompt): number {
  return (other.decidedAtMs ?? 0) - (one.decidedAtMs ?? 0);
}

const DAYS = 7;
const AT_ONCE_MS = 1_000;
/** Most of one requester at once, and hardly any of the others. Our own. */
const LIMITS = { atOnce: 5, share: 0.8, others: 5, shareOfOthers: 0.2 };

type Approval = Answer & { tookMs: number };

/** The person allows the requests of one requester at once, and looks at those of others. */
export function wavedThrough({ nowMs, answers, requests }: Facts): Finding[] {
  const approvals = answers.filter(
    (answer): answer is Approval =>
      answer.isAllowed && answer.tookMs !== null && answer.decidedAtMs > nowMs - DAYS * DAY_MS,
  );
  return [...Map.groupBy(approvals, ({ userId }) => userId)].flatMap(([userId, own]) => {
    const others = approvals.filter((each) => each.userId !== userId);
    const atOnce = own.filter(isAtOnce);
    if (atOnce.length < LIMITS.atOnce || atOnce.length < LIMITS.share * own.length) return [];
    if (others.length < LIMITS.others) return [];
    if (others.filter(isAtOnce).length > LIMITS.shareOfOthers * others.length) return [];
    const finding: Finding = {
      subject: `waved_through ${userId}`,
      category: 'oversight',
      severity: 'warning',
      title: `You allowed ${atOnce.length} of ${own.length} requests of ${REQUESTER} within 1 s, and those of others after ${seconds(median(others.map(({ tookMs }) => tookMs)))}${mostIn(requests.filter((request) => request.userId === userId))}`,
      detail: 'Nothing can be read in that time. Look at what it asks for, or pause it.',
      metricTypes: ['hasty_approval_share'],
      evidence: evidenceOf(atOnce),
      action: { kind: 'pause_requester', label: `Pause ${REQUESTER}`, target: REQUESTER },
      userId,
      risk: { cause: 'hasty_approval_share', share: 0.3 },
    };
    return [finding];
  });
}

function isAtOnce({ tookMs }: Approval): boolean {
  return tookMs < AT_ONCE_MS;
}

const FLOOD = 20;
/** Every half minute for an hour: too much for anybody. Less is a fact, since a busy desktop asks that often. */
const MUCH_TOO_MANY = 120;

/** More is asked than a person can answer with care. */
export function promptFlood({ nowMs, hour, prompts }: Facts): Finding[] {
  const { prompted } = hour.rollup.counters;
  if (prompted < FLOOD) return [];
  return [
    {
      subject: 'prompt_flood',
      category: 'oversight',
      severity: prompted >= MUCH_TOO_MANY ? 'high' : 'info',
      title: `Handrail asked you ${prompted} times in an hour`,
      detail: 'Nobody reads so many with care. Pause the requester, or give grants for harmless requests.',
      metricTypes: ['confirmation_prompt_rate'],
      ...pauseOrInspect(prompts.filter(({ createdAtMs }) => createdAtMs > nowMs - HOUR_MS)),
    },
  ];
}

const LEAST_EXPIRED = 5;

/** Prompts run out unanswered. */
export function unansweredPrompts({ day, prompts }: Facts): Finding[] {
  const { promptExpired, prompted } = day.rollup.counters;
  if (promptExpired < LEAST_EXPIRED || promptExpired * 2 < prompted) return [];
  // A prompt that expired within the day may have been shown before the day began.
  const all = Math.max(prompted, promptExpired);
  return [
    {
      subject: 'unanswered_prompts',
      category: 'oversight',
      severity: 'warning',
      title: `${promptExpired} of ${all} prompts expired unanswered in the last day`,
      detail: 'An expired prompt means no. You were away or did not notice, or Handrail was started again.',
      metricTypes: ['confirmation_expiry_rate'],
      evidence: evidenceOf(prompts.filter(({ status }) => status === 'expired')),
    },
  ];
}
