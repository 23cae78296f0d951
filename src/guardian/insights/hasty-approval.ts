import type { InsightSeverity } from '../../contract/guardian.ts';
import { evidenceOf, inspect } from './evidence.ts';
import type { Facts, Prompt } from './facts.ts';
import { counted, type Finding } from './finding.ts';
import { isUnusual } from './unusual.ts';

const HASTY_MS = 2_000;
/** From so many on, if they are such a share, it is a habit. A single quick yes is not worth a warning. */
const HABIT = { hasty: 5, share: 0.5 };
const MANY_AT_HIGH_RISK = 2;
const HIGH: readonly string[] = ['high', 'critical'];

/** What is not low risk was allowed before it can have been thought about. */
export function hastyApproval({ day, prompts, trends }: Facts): Finding[] {
  const { promptAllowedHastily: hasty, promptAllowedElevated: all } = day.rollup.counters;
  if (hasty === 0) return [];
  const shown = prompts.filter(isHasty);
  const atHighRisk = shown.filter(({ risk }) => HIGH.includes(risk)).length;
  return [
    {
      subject: 'hasty_approval',
      category: 'oversight',
      severity: severityOf({ hasty, all, atHighRisk, isUnusual: isUnusual(trends, 'hasty_approval_share') }),
      title: `${hasty} of ${counted(all, 'approval')} above low risk within 2 s`,
      detail: `The yes came less than two seconds after it could be given${timesAtHighRisk(atHighRisk)}. Take more time for the next one.`,
      metricTypes: ['hasty_approval_share'],
      evidence: evidenceOf(shown),
      ...inspect(shown),
    },
  ];
}

function timesAtHighRisk(times: number): string {
  if (times === 0) return '';
  return times === 1 ? ', once at high risk' : `, ${times} times at high risk`;
}

function severityOf(of: { hasty: number; all: number; atHighRisk: number; isUnusual: boolean }): InsightSeverity {
  if (of.hasty >= HABIT.hasty && of.hasty >= HABIT.share * of.all) return 'high';
  return of.atHighRisk >= MANY_AT_HIGH_RISK || of.isUnusual ? 'warning' : 'info';
}

function isHasty({ status, risk, answerableAtMs, decidedAtMs }: Prompt): boolean {
  if (status !== 'allowed' || risk === 'low' || answerableAtMs === null || decidedAtMs === null) return false;
  return decidedAtMs - answerableAtMs < HASTY_MS;
}
