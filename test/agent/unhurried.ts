import type { Attempt } from '../../agent/drivers/outcome.ts';

/** An attempt that nobody stops and that has more time than it needs. */
export function unhurried(more: Partial<Attempt> = {}): Attempt {
  return { signal: new AbortController().signal, deadlineMs: 30_000, ...more };
}
