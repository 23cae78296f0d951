import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { CallingProgram } from '../contract/program.ts';
import type { Admission, PeerGate } from '../peers/gate.ts';
import type { Connection } from '../peers/peer.ts';
import { comparedProgram, type FindProgram, unknownProgram } from '../peers/program.ts';
import { type HttpRefusal, refuse } from './refuse.ts';

/** Of one connection. Any caller can make names up. */
const MOST_REQUESTERS = 20;

/** Asks the gate once for each connection, when it is accepted, and keeps the answer with the socket. */
export type Peers = {
  /** To be told of each connection as it is accepted: its program is looked up now, and again when a request asks the person. */
  opened(socket: Socket): void;
  /**
   * Why this request is not served, if so. A connection is looked up once. Its requests are answered in the order in which they are
   * asked about.
   */
  refusalOf(request: IncomingMessage): Promise<HttpRefusal | undefined>;
  /**
   * The program that sent a request that was admitted, and the one that made the connection if that is another. `isPassedOn`: the
   * sender says that it passes the request on for the program that started it.
   */
  programOf(request: IncomingMessage, isPassedOn?: boolean): Promise<CallingProgram>;
  /** Whether this is the first time that it is asked about a connection and a requester. */
  isFirstOf(socket: Socket, userId: string): boolean;
  /** The program that made a connection, as it was looked up then. */
  makerOf(socket: Socket): Promise<CallingProgram>;
  /** The program that holds a connection now, before all the look-ups that wait. */
  holderOf(socket: Socket): Promise<CallingProgram>;
};

export function createPeers(gate: PeerGate, findProgram: FindProgram): Peers {
  const admissions = new WeakMap<Socket, Promise<Admission>>();
  const atFirst = new WeakMap<Socket, Promise<CallingProgram>>();
  const requesters = new WeakMap<Socket, Set<string>>();
  const inTurn = createTurns();

  async function find(socket: Socket, isPassedOn = false): Promise<CallingProgram> {
    const connection = connectionOf(socket);
    const admission = await admissions.get(socket);
    if (connection === undefined || admission === undefined || socket.destroyed)
      return unknownProgram('the caller has closed its connection');
    return findProgram({ peer: admission.peer, connection, isPassedOn });
  }

  function admit(socket: Socket): Promise<Admission> {
    const admission = admissions.get(socket) ?? gate(connectionOf(socket));
    admissions.set(socket, admission);
    return admission;
  }

  return {
    opened(socket) {
      void admit(socket);
      atFirst.set(
        socket,
        inTurn(() => find(socket)),
      );
    },
    refusalOf: async (request) => (isLiveness(request) ? undefined : refusalIn(await admit(request.socket))),
    isFirstOf(socket, userId) {
      const known = requesters.get(socket) ?? new Set();
      if (known.has(userId) || known.size >= MOST_REQUESTERS) return false;
      requesters.set(socket, known.add(userId));
      return true;
    },
    makerOf: async (socket) => atFirst.get(socket) ?? unknownProgram('it was not looked up'),
    holderOf: (socket) => find(socket),
    async programOf({ socket }, isPassedOn = false) {
      const before = await (atFirst.get(socket) ?? unknownProgram('it was not looked up'));
      const program = comparedProgram(before, await find(socket));
      const isChanged = program.kind === 'unknown' || program.changedFrom !== undefined;
      return isPassedOn && !isChanged ? find(socket, true) : program;
    },
  };
}

/** Does one piece of work after the other: many connections that are made at once must not be looked up at once. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <Value>(work: () => Promise<Value>): Promise<Value> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Node does not tell the addresses of a connection that the caller has reset. */
function connectionOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): Connection | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  if (localAddress === undefined || localPort === undefined) return undefined;
  return { caller: { address: remoteAddress, port: remotePort }, daemon: { address: localAddress, port: localPort } };
}

/** A service manager of the system may ask whether the daemon lives. The answer holds nothing of the person or of requesters. */
function isLiveness({ method, url }: IncomingMessage): boolean {
  return method === 'GET' && url === '/health';
}

function refusalIn({ refusal }: Admission): HttpRefusal | undefined {
  return refusal && refuse(refusal.refused, refusal.detail, { countedAs: refusal.countedAs });
}
