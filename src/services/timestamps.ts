let latest = { atMs: Number.NaN, text: '' };

/** ISO 8601, UTC, with milliseconds. A record has the same time in several places, so the latest one is remembered. */
export function timestamp(atMs: number): string;
export function timestamp(atMs: number | undefined): string | undefined;
export function timestamp(atMs: number | undefined): string | undefined {
  if (atMs === undefined) return undefined;
  if (latest.atMs !== atMs) latest = { atMs, text: new Date(atMs).toISOString() };
  return latest.text;
}
