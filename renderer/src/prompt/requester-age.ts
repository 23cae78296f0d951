const NEW_FOR_MS = 3_600_000;

/** Whether Handrail saw a requester first within the last hour. Both times are in epoch milliseconds. */
export function isNew(knownSinceMs: number, nowMs: number): boolean {
  return nowMs - knownSinceMs < NEW_FOR_MS;
}
