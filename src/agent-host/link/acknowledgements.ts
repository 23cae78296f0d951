import type { AttemptKey } from '../../services/agent/port.ts';

/** How long the agent keeps an outcome that is stored, while it is sent nothing else. */
export const ACKNOWLEDGE_MS = 20;

export type Acknowledgements = ReturnType<typeof createAcknowledgements>;

type Options = { now(): number; say(key: AttemptKey): void };

/**
 * Outcomes that are stored and of which the agent was not told yet. They are said with the next request, or soon: nothing waits for
 * them, and a frame of its own costs as much as a request.
 */
export function createAcknowledgements({ now, say }: Options) {
  const waiting: AttemptKey[] = [];
  /** When the first of them was added. */
  let sinceMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function sayAll(): void {
    for (const key of waiting.splice(0)) say(key);
  }

  /** The timer runs on when all was said with a request, since one for each outcome costs more than a look now and then. */
  function look(): void {
    timer = undefined;
    if (waiting.length === 0) return;
    const leftMs = sinceMs + ACKNOWLEDGE_MS - now();
    if (leftMs >= 1) timer = setTimeout(look, leftMs);
    else sayAll();
  }

  return {
    add({ actionId, attempt }: AttemptKey): void {
      if (waiting.push({ actionId, attempt }) === 1) sinceMs = now();
      timer ??= setTimeout(look, ACKNOWLEDGE_MS);
    },
    sayAll,
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
