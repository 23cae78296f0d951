/** ISO 8601, UTC, with milliseconds. */
export function timestamp(atMs: number): string {
  return new Date(atMs).toISOString();
}
