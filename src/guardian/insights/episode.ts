import type { InsightSeverity } from '../../contract/guardian.ts';
import { INSIGHT_SEVERITIES } from '../../contract/insight-severities.ts';
import { causeOf } from '../../contract/metrics.ts';
import { DAY_MS, HOUR_MS } from './facts.ts';
import type { Finding } from './finding.ts';

/** Open: it is so. Acknowledged: it is so, and the person knows. Resolved: it is so no more. */
type InsightStatus = 'open' | 'acknowledged' | 'resolved';

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
  const isNews = before.status === 'resolved' && atMs - before.lastSeenMs >= NEWS_AGAIN_MS; // guard E2-46
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

/** A person who is told more often than this stops listening. */
const MOST_A_DAY = 3;

type Now = { toldAtMs: readonly number[]; nowMs: number };

/**
 * The one insight that the person should be told of now, if any. `toldAtMs`: the times of earlier notices, epoch ms. Each
 * insight is told once, and again only after it became worse. So is each cause: a loop that brings a burst, a flood of prompts and many
 * high-risk actions is told once. The last notice of a day is kept for an insight of high risk.
 */
export function worthTelling(episodes: readonly Episode[], { toldAtMs, nowMs }: Now): Episode | undefined {
  // A clock that was set back must not silence the days it repeats.
  const toldToday = toldAtMs.filter((atMs) => Math.abs(nowMs - atMs) < DAY_MS).length;
  const told = episodes.filter(
    ({ toldSeverity, firstSeenMs }) => toldSeverity !== null && nowMs - firstSeenMs < DAY_MS,
  );
  return episodes
    .filter((episode) => isNews(episode) && !isToldAlready(episode, told) && toldToday < placesFor(episode))
    .toSorted(worstFirst)[0];
}

function isNews({ status, finding: { severity }, toldSeverity }: Episode): boolean {
  if (status !== 'open' || severity === 'info') return false;
  return toldSeverity === null || isWorse(severity, toldSeverity);
}

/** Whether the person was told of another insight with the same cause, and this one is no worse. `told`: those of a day. */
function isToldAlready(episode: Episode, told: readonly Episode[]): boolean {
  return told.some(
    (other) =>
      other.id !== episode.id &&
      isSameCause(episode, other) &&
      other.toldSeverity !== null &&
      !isWorse(episode.finding.severity, other.toldSeverity),
  );
}

/** Insights about two requesters have two causes. */
function isSameCause({ finding: one }: Episode, { finding: other }: Episode): boolean {
  const cause = causeOf(one.metricTypes);
  if (cause === undefined || cause !== causeOf(other.metricTypes)) return false;
  return one.userId === undefined || other.userId === undefined || one.userId === other.userId;
}

function placesFor({ finding: { severity } }: Episode): number {
  return severity === 'warning' ? MOST_A_DAY - 1 : MOST_A_DAY;
}

function worstFirst(one: Episode, other: Episode): number {
  if (one.finding.severity !== other.finding.severity)
    return isWorse(one.finding.severity, other.finding.severity) ? -1 : 1;
  return one.firstSeenMs - other.firstSeenMs || (one.id < other.id ? -1 : 1);
}
