import { causeOf } from '../../contract/metrics.ts';
import { type Episode, isWorse } from './episode.ts';
import { DAY_MS } from './facts.ts';

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
