import type { Sighting } from './seen.ts';

const DAY_MS = 86_400_000;

/** Sightings with one cause, none more than a day after the one before was over. */
export type Episode = { cause: string; fromMs: number; untilMs: number; names: string[] };

/** `by`: sightings with the same one belong together; a subject is finer than a cause. */
export function episodesOf(sightings: readonly Sighting[], by: 'cause' | 'subject' = 'cause'): Episode[] {
  const episodes: Episode[] = [];
  for (const { [by]: cause, name, atMs, untilMs } of sightings.toSorted((one, other) => one.atMs - other.atMs)) {
    const before = episodes.findLast((each) => each.cause === cause && atMs - each.untilMs < DAY_MS);
    if (before === undefined) episodes.push({ cause, fromMs: atMs, untilMs, names: [name] });
    else {
      before.names.push(name);
      before.untilMs = Math.max(before.untilMs, untilMs);
    }
  }
  return episodes;
}

/** The times at which something was really so, though nothing was wrong: a wrong key was refused, a requester was paused. */
export type Mishaps = { keyRefusedAtMs: readonly number[] };

/**
 * Whether the person was rightly shown this in the quiet weeks: a key was refused within the day before, or a requester that their
 * denials paused waits for them to resume it.
 */
export function isTrue({ subject, metricTypes, atMs }: Sighting, { keyRefusedAtMs }: Mishaps): boolean {
  if (subject.startsWith('to do: Requests of ')) return true;
  const isOfControls = subject !== 'risk' && metricTypes.includes('control_violations');
  return isOfControls && keyRefusedAtMs.some((each) => each <= atMs && atMs - each < DAY_MS);
}

/** The first sighting that began after an incident did and is about one of the metrics in which it shows. */
export function firstTold(
  sightings: Iterable<Sighting>,
  { shows, onsetMs }: { shows: readonly string[]; onsetMs: number },
): Sighting | undefined {
  const about = [...sightings].filter(
    ({ atMs, metricTypes }) => atMs > onsetMs && metricTypes.some((type) => shows.includes(type)),
  );
  return about.toSorted((one, other) => one.atMs - other.atMs)[0];
}
