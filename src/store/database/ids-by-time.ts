import { encodeTime, TIME_MAX } from 'ulid';

/** An id is made within this of the time that is noted as its row's. */
const SLACK_MS = 60_000;

/**
 * Not greater than any id of a row that is as young as this, or younger: ids begin with the time. They are made in ascending order
 * even where the clock is set back, so a row may be older than its id says, never younger.
 */
export function idNotAfter(prefix: string, atMs: number): string {
  return `${prefix}_${encodeTime(Math.min(TIME_MAX, Math.max(0, Math.floor(atMs) - SLACK_MS)), 10)}`;
}
