import type { InsightSeverity } from '../../contract/guardian.ts';
import { probabilityOfAtLeast } from '../statistics/binomial.ts';
import { clearlyDenies } from './denying.ts';
import { evidenceOf, inspect } from './evidence.ts';
import { type Answer, DAY_MS, type Facts } from './facts.ts';
import { APPROVAL_HABIT, counted, type Finding } from './finding.ts';
import { latestAnswers } from './latest-answers.ts';
import { isUnusual } from './unusual.ts';

const HASTY_MS = 2_000;
/** From so many on, if they are such a share, it is a habit. A single quick approval is not worth a warning. */
const HABIT = { hasty: 5, share: 0.5 };
/** At high risk two are enough, unless there were so many approvals that one in twenty explains them. */
const AT_HIGH_RISK = { hasty: 2, usualShare: 0.05, significance: 0.05 };
/** Fewer than one quick approval in ten says nothing about a person. */
const WORTH_A_FACT = 0.1;
const HIGH: readonly string[] = ['high', 'critical'];

/** Requests above low risk were allowed before the person can have thought about them. */
export function hastyApproval({ nowMs, day, answers, trends }: Facts): Finding[] {
  const { promptAllowedHastily: hasty, promptAllowedElevated: all } = day.rollup.counters;
  if (hasty === 0) return [];
  const lately = answers.filter(({ decidedAtMs }) => decidedAtMs > nowMs - DAY_MS);
  const approvals = lately.filter(({ isAllowed, risk }) => isAllowed && risk !== 'low');
  const quick = approvals.filter(isHasty);
  const high = approvals.filter(({ risk, isRepeat }) => HIGH.includes(risk) && !isRepeat);
  const isTrend = isUnusual(trends, 'hasty_approval_share');
  const severity = clearlyDenies(latestAnswers(answers)) ? 'info' : severityOf({ approvals, high, isTrend });
  if (severity === 'info' && hasty < WORTH_A_FACT * all && !high.some(isHasty)) return [];
  return [
    {
      subject: APPROVAL_HABIT,
      category: 'oversight',
      severity,
      title: `You approved ${hasty} of ${counted(all, 'risky request')} within 2 s`,
      detail: `You approved less than two seconds after you could read the request${timesAtHighRisk(high.filter(isHasty).length)}${severity === 'info' ? '.' : '. Take more time for the next one.'}`,
      metricTypes: ['hasty_approval_share'],
      evidence: evidenceOf(quick),
      ...inspect(quick),
    },
  ];
}

function timesAtHighRisk(times: number): string {
  if (times === 0) return '';
  return times === 1 ? ', once at high risk' : `, ${times} times at high risk`;
}

function severityOf(of: { approvals: readonly Answer[]; high: readonly Answer[]; isTrend: boolean }): InsightSeverity {
  if (isHabit(of.approvals)) return 'high';
  return isTooOften(of.high) || of.isTrend ? 'warning' : 'info';
}

function isTooOften(high: readonly Answer[]): boolean {
  const hasty = high.filter(isHasty).length;
  const { usualShare: probability, significance } = AT_HIGH_RISK;
  return (
    hasty >= AT_HIGH_RISK.hasty && probabilityOfAtLeast(hasty, { trials: high.length, probability }) < significance
  );
}

/** An honest person takes less time for a request that they allowed before exactly as it is, so those do not show a habit. */
function isHabit(approvals: readonly Answer[]): boolean {
  const unknown = approvals.filter(({ isRepeat }) => !isRepeat);
  const hasty = unknown.filter(isHasty).length;
  return hasty >= HABIT.hasty && hasty >= HABIT.share * unknown.length;
}

function isHasty({ tookMs }: Answer): boolean {
  return tookMs !== null && tookMs < HASTY_MS;
}
