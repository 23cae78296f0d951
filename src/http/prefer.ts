const MAX_WAIT_SECONDS = 120;

/** The preferences in the header `Prefer` (RFC 7240); unknown or malformed preferences are ignored. */
export type Preference = { waitMs?: number; applied?: string };

export function readPrefer(header: string | string[] | undefined): Preference {
  if (header === undefined) return {};
  const preferences = String(header)
    .split(',')
    .map((text) => text.trim().toLowerCase());
  const seconds = preferences
    .map((text) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(text)?.[1])
    .find((text) => text !== undefined);
  if (seconds !== undefined) {
    const wait = Math.min(Number(seconds), MAX_WAIT_SECONDS);
    return { waitMs: wait * 1_000, applied: `wait=${wait}` };
  }
  return preferences.includes('respond-async') ? { waitMs: 0, applied: 'respond-async' } : {};
}
