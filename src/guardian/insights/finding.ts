import type { InsightCategory, InsightSeverity, InsightStep, MetricType } from '../../contract/guardian.ts';
import type { Recorded } from '../recording/metrics.ts';

/** What rules look at: the last hour and day, whose latest requests were all denied, and what the agent may not do. */
export type Facts = {
  hour: Recorded;
  day: Recorded;
  denialStreaks: readonly { userId: string; denials: number }[];
  missingPermissions: readonly string[];
};

/** Stands for the requester in texts, which readers may know under different names. */
export const REQUESTER = '{requester}';

/** A fact worth knowing. `subject`: what it is about; the same subject is the same insight. */
export type Finding = {
  subject: string;
  category: InsightCategory;
  severity: InsightSeverity;
  title: string;
  detail: string;
  metricTypes: MetricType[];
  action?: InsightStep;
  /** Whose texts name `REQUESTER`. */
  userId?: string;
};

export type Rule = (facts: Facts) => Finding[];

/** Seconds, as a person says them. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
