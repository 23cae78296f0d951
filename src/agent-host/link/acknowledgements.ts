import type { AttemptKey } from '../../services/agent/port.ts';

/** How long the agent keeps an outcome that is stored, while it is sent nothing else. */
export const ACKNOWLEDGE_MS = 20;

/**
 * Outcomes that are stored and of which the agent was not told yet. They are said with the next request, or soon: nothing waits for
 * them, and a frame of its own costs as much as a request.
 */
export function createAcknowledgements(say: (key: AttemptKey) => void) {
  const waiting: AttemptKey[] = [];
  let timer: NodeJS.Timeout | undefined;

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function sayAll(): void {
    stop();
    for (const key of waiting.splice(0)) say(key);
  }

  return {
    add({ actionId, attempt }: AttemptKey): void {
      waiting.push({ actionId, attempt });
      timer ??= setTimeout(sayAll, ACKNOWLEDGE_MS);
    },
    sayAll,
    stop,
  };
}
