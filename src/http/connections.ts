import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** Who is connected, and which of them are being answered. */
export type Connections = {
  /**
   * Counts a connection in. Beyond `max`, the connection that has been idle longest is cut. If none is idle, the one with the
   * oldest unfinished answer is cut: answers that never end must not keep the person out.
   */
  opened(socket: Socket): void;
  began(exchange: Exchange): void;
  /** Exempts the connection from being cut for others: it left HTTP for a WebSocket. */
  upgraded(socket: Socket): void;
  /** Exempts the connection from being cut for others: the person at the dashboard uses it. */
  ofPerson(socket: Socket): void;
  /** Cuts the connection for others only after all that no known requester uses. */
  ofKnown(socket: Socket): void;
  /** The response that is under way on this socket, if any. */
  answering(socket: Socket): ServerResponse | undefined;
  /** Resolves when every answer has been sent, or after `graceMs`. */
  drained(graceMs: number): Promise<void>;
};

export function createConnections(options: { max: number; onCut: () => void }): Connections {
  const sockets = new Map<Socket, Exchange | 'idle' | 'upgraded'>();
  const spared = new WeakSet<Socket>();
  const known = new WeakSet<Socket>();
  return {
    opened(socket) {
      sockets.set(socket, 'idle');
      socket.once('close', () => sockets.delete(socket));
      if (sockets.size <= options.max) return;
      const isSpared = (each: Socket) => each === socket || spared.has(each);
      const victim =
        victimAmong(sockets, (each) => isSpared(each) || known.has(each)) ?? victimAmong(sockets, isSpared) ?? socket;
      // Its close is heard later, and until then it must not be chosen again.
      sockets.delete(victim);
      // Not `resetAndDestroy`: on a socket that is already ending, Node 24 then never closes the handle nor exits.
      victim.destroy();
      options.onCut();
    },
    began(exchange) {
      // Taken out first, so that the map stays in the order of last use.
      if (sockets.delete(exchange.request.socket)) sockets.set(exchange.request.socket, exchange);
    },
    upgraded(socket) {
      if (sockets.has(socket)) sockets.set(socket, 'upgraded');
    },
    ofPerson: (socket) => void spared.add(socket),
    ofKnown: (socket) => void known.add(socket),
    answering(socket) {
      const use = sockets.get(socket);
      return typeof use === 'object' && !use.response.closed && hasBegun(use) ? use.response : undefined;
    },
    async drained(graceMs) {
      const answers = [...sockets.values()].filter(isBeingAnswered).map(({ response }) => once(response, 'close'));
      await Promise.race([Promise.allSettled(answers), delay(graceMs, undefined, { ref: false })]);
    },
  };
}

function victimAmong(
  sockets: ReadonlyMap<Socket, Exchange | 'idle' | 'upgraded'>,
  isSpared: (socket: Socket) => boolean,
): Socket | undefined {
  let longestAnswered: Socket | undefined;
  for (const [socket, use] of sockets) {
    if (use === 'upgraded' || isSpared(socket)) continue;
    if (!isBeingAnswered(use)) return socket;
    longestAnswered ??= socket;
  }
  return longestAnswered;
}

/** A caller that has not yet sent its whole request is as good as idle: it can stay like that at no cost. */
function isBeingAnswered(use: Exchange | 'idle' | 'upgraded'): use is Exchange {
  return typeof use === 'object' && use.request.complete && !use.response.closed;
}

function hasBegun({ request, response }: Exchange): boolean {
  return request.complete || response.headersSent;
}
