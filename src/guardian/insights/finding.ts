import type { InsightCategory, InsightSeverity, InsightStep, MetricType } from '../../contract/guardian.ts';
import type { Facts } from './facts.ts';

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
  /** Ids of the actions that show it, the newest first; empty where it is not about actions. */
  evidence: string[];
  action?: InsightStep;
  /** Whose texts name `REQUESTER`. */
  userId?: string;
};

export type Rule = (facts: Facts) => Finding[];

/** Seconds, as a person says them. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** So many of something: `1 request`, `2 requests`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
