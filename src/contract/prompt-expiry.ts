/** How long a prompt may wait, in milliseconds: the person sets a time between these. */
export const PROMPT_EXPIRY_MS = { least: 30_000, most: 600_000 };
