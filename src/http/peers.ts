import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { CallingProgram } from '../contract/program.ts';
import type { Admission, PeerGate } from '../peers/gate.ts';
import type { Connection } from '../peers/peer.ts';
import { type FindProgram, unknownProgram } from '../peers/program.ts';
import { type HttpRefusal, refuse } from './refuse.ts';

/** Asks the gate once for each connection, at its first request, and keeps the answer with the socket. */
export type Peers = {
  /**
   * Why this request is not served, if so. A promise only while the connection is being looked up: later requests must not pay for
   * it. Requests of one connection are answered in the order in which they are asked about.
   */
  refusalOf(request: IncomingMessage): HttpRefusal | undefined | Promise<HttpRefusal | undefined>;
  /**
   * The program that sent a request that was admitted. It is looked up once for each connection, when somebody first asks.
   * `isPassedOn`: the sender says that it passes the request on for the program that started it.
   */
  programOf(request: IncomingMessage, isPassedOn?: boolean): Promise<CallingProgram>;
};

export function createPeers(gate: PeerGate, findProgram: FindProgram): Peers {
  const admissions = new WeakMap<Socket, Admission | Promise<Admission>>();
  const programs = new WeakMap<Socket, Promise<CallingProgram>>();
  const starters = new WeakMap<Socket, Promise<CallingProgram>>();

  async function find(socket: Socket, isPassedOn: boolean): Promise<CallingProgram> {
    const connection = connectionOf(socket);
    const admission = await admissions.get(socket);
    if (connection === undefined || admission === undefined)
      return unknownProgram('the caller has closed its connection');
    return findProgram({ peer: admission.peer, connection, isPassedOn });
  }

  async function admit(socket: Socket): Promise<Admission> {
    const admission = await gate(connectionOf(socket));
    admissions.set(socket, admission);
    return admission;
  }

  return {
    refusalOf(request) {
      if (isLiveness(request)) return undefined;
      const { socket } = request;
      const known = admissions.get(socket) ?? admit(socket);
      if (!(known instanceof Promise)) return refusalIn(known);
      admissions.set(socket, known);
      return known.then(refusalIn);
    },
    programOf({ socket }, isPassedOn = false) {
      const known = isPassedOn ? starters : programs;
      const program = known.get(socket) ?? find(socket, isPassedOn);
      known.set(socket, program);
      return program;
    },
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
