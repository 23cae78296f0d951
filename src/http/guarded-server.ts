import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { LINK_PATH } from '../contract/link.ts';
import type { HttpLimits } from './limits.ts';
import type { Peers } from './peers.ts';
import { type OwnAddress, ownAddress, perimeterRefusal } from './perimeter.ts';
import { endWithProblem, type HttpRefusal, problemResponse, quoted, refuse } from './problem-response.ts';

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

type GuardedServerOptions = {
  /** Called with requests that passed the perimeter, and with no others. */
  handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Emits `upgrade` for the upgrades that passed; it listens on no port itself. */
  admittedUpgrades: Server;
  limits: HttpLimits;
  connections: Connections;
  peers: Peers;
  newRequestId: () => string;
  onRefused: (refusal: HttpRefusal) => void;
};

/** A Node server on which nothing of the framework runs before the perimeter was checked. */
export function createGuardedServer(options: GuardedServerOptions): Server {
  const { limits, connections } = options;
  const server = createServer({
    requireHostHeader: false,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    // Curl and Java offer h2c with every call. An offer may be passed over (RFC 9110, 7.8): the answer is HTTP/1.1.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.trim().toLowerCase() !== 'h2c',
  });
  let own = ownAddress(0);
  server.on('listening', () => {
    own = ownAddress(portOf(server));
  });
  const turns = createRequestTurns({
    limit: limits.pipelined,
    onOverflow: () => options.onRefused(refuse('rate_limited', 'too many requests were sent ahead on one connection')),
  });
  const inTurn = (exchange: { request: IncomingMessage; response: ServerResponse }, handle: () => void) => {
    connections.began(exchange);
    turns.take(exchange, () => {
      exchange.request.socket.setTimeout(limits.writeTimeoutMs);
      handle();
    });
  };
  server.on('connection', (socket) => {
    connections.opened(socket);
    if (!socket.destroyed) options.peers.opened(socket);
  });
  server.on('timeout', (socket) => {
    // A caller with nothing to read waits for the daemon, and the time is the daemon's.
    if (!turns.isAnswering(socket) || socket.writableLength > 0) socket.destroy();
  });
  server.on('request', (request, response) => {
    inTurn({ request, response }, () => {
      const refusal = perimeterRefusal(request, own);
      if (refusal === undefined) void serve({ request, response }, options);
      else refuseRequest(response, refusal, options);
    });
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = refuse('bad_request', `Expect ${quoted(String(request.headers.expect))} is not met.`);
    inTurn({ request, response }, () => refuseRequest(response, refusal, options));
  });
  server.on('connect', (_request, socket: Duplex) => {
    refuseSocket(socket, refuse('bad_request', 'Handrail is not a proxy: CONNECT is not served.'), options);
  });
  server.on('upgrade', (request, socket, head) => {
    const refusal = upgradeRefusal(request, own);
    if (refusal === undefined) upgrade({ request, socket, head }, options);
    else refuseSocket(socket, refusal, options);
  });
  return server;
}

/** Hands a request on once the OS user of its caller is known. A caller that has hung up meanwhile gets nothing and causes nothing. */
async function serve(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  options: GuardedServerOptions,
): Promise<void> {
  const refusal = await options.peers.refusalOf(request);
  if (refusal !== undefined) refuseRequest(response, refusal, options);
  else if (!request.socket.destroyed) options.handler(request, response);
}

async function upgrade(
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
  options: GuardedServerOptions,
): Promise<void> {
  // Node has taken its own listeners off, and an error that nobody listens to would end the daemon.
  const cut = () => void socket.destroy();
  socket.on('error', cut);
  const refusal = await options.peers.refusalOf(request);
  if (refusal !== undefined) return refuseSocket(socket, refusal, options);
  if (socket.destroyed) return;
  if (socket instanceof Socket) options.connections.upgraded(socket);
  options.admittedUpgrades.emit('upgrade', request, socket, head);
  socket.off('error', cut);
}

/** The TCP port a listening server was given. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server is not listening on a TCP port');
  return address.port;
}

function upgradeRefusal(request: IncomingMessage, own: OwnAddress): HttpRefusal | undefined {
  const refusal = perimeterRefusal(request, own);
  if (refusal !== undefined) return refusal;
  const [path] = String(request.url).split('?', 1);
  if (path === LINK_PATH && request.method === 'GET') return undefined;
  return refuse('upgrade_not_supported', `Only GET ${LINK_PATH} upgrades; send this request without Upgrade.`);
}

function refuseRequest(response: ServerResponse, refusal: HttpRefusal, options: GuardedServerOptions): void {
  options.onRefused(refusal);
  const { status, headers, body } = problemResponse(refusal, options.newRequestId());
  const text = JSON.stringify(body);
  response.writeHead(status, { ...headers, connection: 'close', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function refuseSocket(socket: Duplex, refusal: HttpRefusal, options: GuardedServerOptions): void {
  options.onRefused(refusal);
  endWithProblem(socket, refusal, options.newRequestId());
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** Handles the requests of a connection one after the other, so that a caller that does not read cannot make the daemon build many answers. */
type RequestTurns = {
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

function createRequestTurns({ limit, onOverflow }: Options): RequestTurns {
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
