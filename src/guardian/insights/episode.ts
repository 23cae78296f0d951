import type { InsightSeverity } from '../../contract/guardian.ts';
import { INSIGHT_SEVERITIES } from '../../contract/insight-severities.ts';
import { HOUR_MS } from './facts.ts';
import type { Finding } from './finding.ts';

/** Open: it is so. Acknowledged: it is so, and the person knows. Resolved: it is so no more. */
export type InsightStatus = 'open' | 'acknowledged' | 'resolved';

/** A finding as it is seen again and again; times in epoch ms. `count`: how often it was looked for and found. */
export type Episode = {
  id: string;
  finding: Finding;
  status: InsightStatus;
  firstSeenMs: number;
  lastSeenMs: number;
  count: number;
  /** How bad it was when the person was told of it; `null` while they were not. */
  toldSeverity: InsightSeverity | null;
};

/** An insight that returns after this long is news again. */
const NEWS_AGAIN_MS = 6 * HOUR_MS;

/** It was looked for, and found for the first time, or again. Getting worse opens what was acknowledged. */
export function found(
  before: Episode | undefined,
  finding: Finding,
  { atMs, id }: { atMs: number; id: string },
): Episode {
  if (before === undefined) {
    return { id, finding, status: 'open', firstSeenMs: atMs, lastSeenMs: atMs, count: 1, toldSeverity: null };
  }
  const isSilent = before.status === 'acknowledged' && !isWorse(finding.severity, before.finding.severity);
  const isNews = before.status === 'resolved' && atMs - before.lastSeenMs >= NEWS_AGAIN_MS;
  return {
    ...before,
    finding,
    status: isSilent ? 'acknowledged' : 'open',
    lastSeenMs: atMs,
    count: before.count + 1,
    toldSeverity: isNews ? null : before.toldSeverity,
  };
}

/** The rules looked for this insight and did not find it. */
export function gone(before: Episode): Episode {
  return before.status === 'resolved' ? before : { ...before, status: 'resolved' };
}

export function isWorse(one: InsightSeverity, other: InsightSeverity): boolean {
  return INSIGHT_SEVERITIES.indexOf(one) > INSIGHT_SEVERITIES.indexOf(other);
}
