import type { InsightCategory, InsightSeverity, InsightStep, MetricType } from '../../contract/guardian.ts';
import type { RiskShare } from '../risk/risk-score.ts';

/** Stands for the requester in texts, which readers may know under different names. */
export const REQUESTER = '{requester}';

/** The subject of insights about the person's approvals. Quick and habitual approvals are signs of the same fact, so they share it. */
export const APPROVAL_HABIT = 'approval_habit';

/** A fact worth knowing. Findings with the same `subject` are the same insight. */
export type Finding = {
  subject: string;
  category: InsightCategory;
  severity: InsightSeverity;
  title: string;
  detail: string;
  metricTypes: MetricType[];
  /** Ids of the actions that show the fact, newest first; empty for a fact that is not about actions. */
  evidence: string[];
  action?: InsightStep;
  /** The requester that `REQUESTER` stands for in these texts. */
  userId?: string;
  /** Its part of the risk while it is so. */
  risk?: RiskShare;
};

/** What a finding adds to the risk, and how it was told at a time. */
export type Sign = Pick<Finding, 'title' | 'metricTypes' | 'userId'> & { risk: RiskShare };

export function signsOf(findings: readonly Finding[]): Sign[] {
  return findings.flatMap(({ risk, title, metricTypes, userId }) =>
    risk === undefined ? [] : [{ risk, title, metricTypes, userId }],
  );
}

/** A duration in words: `30 ms`, `1.2 s`, `3 min`, `2.5 h`. Durations under a millisecond are shown as `1 ms`. */
export function seconds(ms: number): string {
  const wholeMs = Math.max(1, Math.round(ms));
  if (wholeMs < 1_000) return `${wholeMs} ms`;
  const wholeSeconds = Math.round(ms / 1_000);
  if (wholeSeconds < 60) return `${twoDigits(ms / 1_000)} s`;
  return wholeSeconds < 3_600 ? `${twoDigits(ms / 60_000)} min` : `${twoDigits(ms / 3_600_000)} h`;
}

/** One decimal where that is more than precise enough, and none where it is not needed. */
function twoDigits(value: number): string {
  return String(value < 9.95 ? Math.round(10 * value) / 10 : Math.round(value));
}

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** A number with its noun: `1 request`, `2 requests`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
