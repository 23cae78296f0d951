import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** Handles the requests of a connection one after the other, so that a caller that does not read cannot make the daemon build many answers. */
export type RequestTurns = {
  /** Calls `handle` at once, or when the earlier answers of this connection were handed to the operating system. */
  take(exchange: Exchange, handle: () => void): void;
  /** Whether an answer of this connection is under way. */
  isAnswering(socket: Socket): boolean;
};

type Options = {
  /** How many requests may wait behind one that is being answered. One more closes its connection. */
  limit: { perConnection: number; inAll: number };
  onOverflow: () => void;
};

export function createRequestTurns({ limit, onOverflow }: Options): RequestTurns {
  /** The requests that wait, for each connection with an answer under way. */
  const waiting = new Map<Socket, (() => void)[]>();
  let inAll = 0;

  function begin(socket: Socket, response: ServerResponse, handle: () => void): void {
    response.once('close', () => next(socket));
    handle();
  }

  function next(socket: Socket): void {
    const others = waiting.get(socket) ?? [];
    // After `Connection: close` no further answer can be sent, so no further request is handled.
    const handle = socket.destroyed || socket.writableEnded ? undefined : others[0];
    if (handle === undefined) {
      forget(socket);
      return;
    }
    others.shift();
    inAll -= 1;
    // Node reads on after each answer. The next bytes are read when no request waits.
    if (others.length > 0) socket.pause();
    else socket.resume();
    handle();
  }

  function forget(socket: Socket): void {
    inAll -= waiting.get(socket)?.length ?? 0;
    waiting.delete(socket);
  }

  return {
    take({ request: { socket }, response }, handle) {
      if (socket.destroyed) return;
      const others = waiting.get(socket);
      if (others === undefined) {
        waiting.set(socket, []);
        begin(socket, response, handle);
      } else if (others.length >= limit.perConnection || inAll >= limit.inAll) {
        forget(socket);
        socket.destroy();
        onOverflow();
      } else {
        others.push(() => begin(socket, response, handle));
        inAll += 1;
        socket.pause();
      }
    },
    isAnswering: (socket) => waiting.has(socket),
  };
}
