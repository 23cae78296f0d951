/** How long a prompt may wait, in milliseconds: the person sets a time between these. */
export const PROMPT_EXPIRY_MS = { least: 30_000, most: 600_000 };

/** How long a prompt waits in all at most, in milliseconds, also for its place and with more time that the person gave it. */
export const MOST_PROMPT_WAIT_MS = 600_000;

/** How much the person adds at a time, in milliseconds. */
export const MORE_TIME_MS = 120_000;

/** How long a denial that was made with `undoable` can be undone, in milliseconds. It is final after that. */
export const DENIAL_HELD_MS = 10_000;

/** Characters of the line that a person may send to the requester with a denial. */
export const MOST_NOTE = 200;

/** How long an access may be asked for. */
export const ACCESS_MINUTES = { least: 1, most: 480 };

/** Such as `15 minutes` or `8 hours`. Whole hours are told as hours. */
export function minutesInWords(minutes: number): string {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The pictures of an input are kept so long after its end at most. */
export const EVIDENCE_WITHIN_MS = 10_000;

/** How long after an action on a file it can be undone. */
export const UNDO_KEPT_MS = 24 * 3_600_000;

/**
 * The most that is kept of former versions of overwritten files, of all users together. It has room for four files of the largest
 * size that the agent copies (`MAX_FORMER_BYTES`), so no single copy is beyond it.
 */
export const FORMER_VERSIONS_QUOTA = { bytes: 1024 * 1024 * 1024, files: 1_000 };

/** How long an undo is possible, and the limits of the kept former versions, in words for the person. */
export const UNDO_WORDS = {
  keptFor: `${UNDO_KEPT_MS / 3_600_000} hours`,
  quota: `${FORMER_VERSIONS_QUOTA.bytes / 1024 ** 3} GiB and ${FORMER_VERSIONS_QUOTA.files.toLocaleString('en')} former versions`,
};
