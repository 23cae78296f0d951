import { isLargerThan } from '../../domain/canonical-json.ts';

/**
 * A result with more bytes is received, made JSON, stored and read in separate turns of the event loop. Each of the four takes about
 * 5 to 15 ms for 2 MiB, the most that a text frame has.
 */
export const LARGE_BYTES = 128 * 1024;

/** Whether the data of a result has more bytes as JSON. */
export function isLargeData(data: unknown): boolean {
  return data !== undefined && isLargerThan(data, LARGE_BYTES);
}
