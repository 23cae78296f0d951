/** How long a prompt may wait, in milliseconds: the person sets a time between these. */
export const PROMPT_EXPIRY_MS = { least: 30_000, most: 600_000 };

/** How long a prompt waits in all at most, in milliseconds, also for its place and with more time that the person gave it. */
export const MOST_PROMPT_WAIT_MS = 600_000;

/** How much the person adds at a time, in milliseconds. */
export const MORE_TIME_MS = 120_000;
