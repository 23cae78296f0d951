import { member } from './client-claim.ts';

/** A client of protocol 2025 calls a request off by a message of its own; a later one ends the connection of the request. */
export function createCalledOff() {
  const running = new Map<string, AbortController>();

  return {
    /**
     * A signal that aborts when the client calls this request off. `closed` aborts when its connection is done with. A request outside of
     * a session cannot be called off by a message.
     */
    begin(message: unknown, sessionId: string | undefined, closed: AbortSignal): AbortSignal {
      const controller = new AbortController();
      const key = keyOf(member(message, 'id'), sessionId);
      if (key !== undefined) {
        running.set(key, controller);
        closed.addEventListener('abort', () => running.get(key) === controller && running.delete(key), { once: true });
      }
      return controller.signal;
    },
    /** Takes a message that may call a request off. */
    note(message: unknown, sessionId: string | undefined): void {
      if (member(message, 'method') !== 'notifications/cancelled') return;
      const key = keyOf(member(member(message, 'params'), 'requestId'), sessionId);
      if (key !== undefined) running.get(key)?.abort();
    },
  };
}

/** The session id has 122 random bits, so that no other client can name the requests of this one. */
function keyOf(requestId: unknown, sessionId: string | undefined): string | undefined {
  const isId = typeof requestId === 'string' || typeof requestId === 'number';
  return isId && sessionId !== undefined ? JSON.stringify([sessionId, requestId]) : undefined;
}
