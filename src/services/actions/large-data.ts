import { isLargerThan } from '../tasks/json-size.ts';

/**
 * The daemon receives, stores and reads a result with more bytes as JSON in separate turns of the event loop. Each of the three takes
 * about 10 to 15 ms for 2 MiB, the most that a text frame has.
 */
export const LARGE_BYTES = 128 * 1024;

/** Whether the data of a result has more bytes as JSON. */
export function isLargeData(data: unknown): boolean {
  return data !== undefined && isLargerThan(data, LARGE_BYTES);
}
