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
