import { evidenceOf } from './evidence.ts';
import type { Facts, Prompt } from './facts.ts';
import { type Finding, REQUESTER } from './finding.ts';

const STREAK = 3;
/** Whoever said no knows it, and the requester is paused by now; from here on it was resumed, and still does not take no. */
const LONG_STREAK = 5;
const MOST = 10;

/** One requester hears nothing but no. */
export function denialStreak({ prompts }: Facts): Finding[] {
  const answered = prompts.filter(({ status }) => status !== 'pending');
  const streaks = [...Map.groupBy(answered, ({ userId }) => userId)].flatMap(([userId, ofUser]) => {
    const denied = latestDenied(ofUser);
    return denied.length < STREAK ? [] : [streakOf(userId, denied)];
  });
  return streaks.slice(0, MOST);
}

/** Those after the latest other answer, in the order of the answers. */
function latestDenied(ofUser: readonly Prompt[]): Prompt[] {
  const byAnswer = ofUser.toSorted((one, other) => (other.decidedAtMs ?? 0) - (one.decidedAtMs ?? 0));
  const end = byAnswer.findIndex(({ status }) => status !== 'denied');
  return end === -1 ? byAnswer : byAnswer.slice(0, end);
}

function streakOf(userId: string, denied: readonly Prompt[]): Finding {
  return {
    subject: `denial_streak ${userId}`,
    category: 'safety',
    severity: denied.length >= LONG_STREAK ? 'warning' : 'info',
    title: `The last ${denied.length} prompts of ${REQUESTER} were denied`,
    detail: 'It keeps asking for what it may not have. Pause it until it is clear what it wants.',
    metricTypes: ['denied_action_share'],
    evidence: evidenceOf(denied),
    action: { kind: 'pause_requester', label: `Pause ${REQUESTER}`, target: REQUESTER },
    userId,
  };
}
