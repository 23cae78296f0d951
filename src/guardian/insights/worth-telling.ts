import { type Episode, isWorse } from './episode.ts';
import { DAY_MS } from './facts.ts';

/** A person who is told more often than this stops listening. */
const MOST_A_DAY = 3;

/**
 * The one insight that the person should be told of now, if any. `toldAtMs`: the times of earlier notices, epoch ms. Each
 * insight is told once, and again only after it became worse. The last notice of a day is kept for an insight of high risk.
 */
export function worthTelling(
  episodes: readonly Episode[],
  { toldAtMs, nowMs }: { toldAtMs: readonly number[]; nowMs: number },
): Episode | undefined {
  // A clock that was set back must not silence the days it repeats.
  const toldToday = toldAtMs.filter((atMs) => Math.abs(nowMs - atMs) < DAY_MS).length;
  return episodes.filter((episode) => isNews(episode) && toldToday < placesFor(episode)).toSorted(worstFirst)[0];
}

function isNews({ status, finding: { severity }, toldSeverity }: Episode): boolean {
  if (status !== 'open' || severity === 'info') return false;
  return toldSeverity === null || isWorse(severity, toldSeverity);
}

function placesFor({ finding: { severity } }: Episode): number {
  return severity === 'warning' ? MOST_A_DAY - 1 : MOST_A_DAY;
}

function worstFirst(one: Episode, other: Episode): number {
  if (one.finding.severity !== other.finding.severity)
    return isWorse(one.finding.severity, other.finding.severity) ? -1 : 1;
  return one.firstSeenMs - other.firstSeenMs || (one.id < other.id ? -1 : 1);
}
