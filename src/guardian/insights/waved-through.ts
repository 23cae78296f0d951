import { median } from '../statistics/statistics.ts';
import { evidenceOf, mostIn } from './evidence.ts';
import { type Answer, DAY_MS, type Facts } from './facts.ts';
import { type Finding, REQUESTER, seconds } from './finding.ts';

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
