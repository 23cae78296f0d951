import { backoffMs } from './backoff.ts';
import { pause } from './pause.ts';
import type { Failure, Reply } from './reply.ts';

/** A call is sent at most so many times. */
const MOST_TRIES = 5;
/** A daemon that says to wait longer than this is not asked again. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * Sends a call again while its failure may pass. Only for calls that are harmless to repeat: reads, and writes with an idempotency key.
 * Answers the last failure when all tries have failed or the signal aborts.
 */
export async function withRetries<Value>(
  send: () => Promise<Reply<Value>>,
  signal: AbortSignal,
): Promise<Reply<Value>> {
  for (let tries = 1; ; tries += 1) {
    const reply = await send();
    const pauseMs = reply.ok || tries === MOST_TRIES ? undefined : pauseAfter(reply.failure, tries);
    if (pauseMs === undefined || signal.aborted) return reply;
    await pause(pauseMs, signal);
    if (signal.aborted) return reply;
  }
}

/** How long to wait before the next try; `undefined` where another one is of no use. */
function pauseAfter({ code, retryAfterSeconds }: Failure, tries: number): number | undefined {
  if (!PASSING.includes(code)) return undefined;
  const pauseMs = Math.max(backoffMs(tries), 1_000 * (retryAfterSeconds ?? 0));
  return pauseMs <= LONGEST_PAUSE_MS ? pauseMs : undefined;
}

const PASSING: readonly Failure['code'][] = [
  'unreachable',
  'rate_limited',
  'idempotency_in_progress',
  'storage_unavailable',
  'request_timeout',
];
