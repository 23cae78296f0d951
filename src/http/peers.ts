import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { DashboardProgram } from '../contract/own-window.ts';
import type { CallingProgram, ProgramProcess } from '../contract/program.ts';
import type { Admission, PeerGate } from '../peers/gate.ts';
import { createLinuxProcesses } from '../peers/linux-programs.ts';
import type { Connection } from '../peers/peer.ts';
import { comparedProgram, type FindProgram, unknownProgram } from '../peers/program.ts';
import type { ConsoleService } from '../services/offered-services.ts';
import { type HttpRefusal, refuse } from './problem-response.ts';

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
  const inTurn = createLookUpTurns();

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
      const program = comparedProgram(before, await find(socket)); // guard E2-33
      const isChanged = program.kind === 'unknown' || program.changedFrom !== undefined;
      return isPassedOn && !isChanged ? find(socket, true) : program;
    },
  };
}

/** Does one piece of work after the other: many connections that are made at once must not be looked up at once. */
function createLookUpTurns() {
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

/** So many are remembered, and all that still run. Where no start is told, the latest. */
const MOST_REMEMBERED = 1_000;

/** When a process started; nothing where the system does not tell it, or the process has ended. */
type StartOf = (pid: number) => number | undefined;

export type AskingPrograms = ReturnType<typeof createAskingPrograms>;

/**
 * The programs that asked the person for something as a requester, in this run. A process stays the same one when it becomes another
 * program, or its file gets another name; only the time of its start tells it from a later process with its id.
 */
export function createAskingPrograms(startOf: StartOf = createLinuxProcesses().startOf) {
  const asked = new Map<number, number | undefined>();

  const isKnown = ({ pid }: Pick<ProgramProcess, 'pid'>) => asked.has(pid) && asked.get(pid) === startOf(pid); // guard X23-1

  function forgetOne(): void {
    const [oldest] = asked;
    const ended = [...asked.keys()].find((pid) => !isKnown({ pid }));
    const forgotten = ended ?? (oldest?.[1] === undefined ? oldest?.[0] : undefined); // guard X23-2
    if (forgotten !== undefined) asked.delete(forgotten);
  }

  return {
    note(program: CallingProgram): void {
      if (program.kind !== 'program') return;
      asked.delete(program.pid);
      asked.set(program.pid, startOf(program.pid));
      if (asked.size > MOST_REMEMBERED) forgetOne();
    },
    /** Whether a program is one of them, or was started by one. */
    isOf: (program: CallingProgram): boolean =>
      program.kind === 'program' && [program, ...program.startedBy].some(isKnown),
  };
}

/** Tells which processes belong together with a program that holds a dashboard; nothing where the system does not name it. */
export type FindDashboard = (program: CallingProgram) => Promise<DashboardProgram | undefined>;

/** Tells the sessions which programs use them. */
export type DashboardWatch = {
  /** A session began on this connection; resolves when its program is known. Its key was given to nobody yet. */
  began(socket: Socket, key: string): Promise<void>;
  /** A call with the key of a session came on this connection. A connection is looked up once. */
  used(socket: Socket, key: string): void;
};

type Parts = {
  peers: Pick<Peers, 'makerOf' | 'holderOf'>;
  find: FindDashboard;
  sessions: Pick<ConsoleService['sessions'], 'shownIn'>;
};

export function createDashboardWatch({ peers, find, sessions }: Parts): DashboardWatch {
  const keys = new WeakMap<Socket, string>();

  async function note(program: Promise<CallingProgram>, key: string): Promise<void> {
    const found = await find(await program);
    if (found !== undefined) sessions.shownIn(key, found);
  }

  return {
    began(socket, key) {
      keys.set(socket, key);
      return note(peers.holderOf(socket), key);
    },
    used(socket, key) {
      if (keys.get(socket) === key) return;
      keys.set(socket, key);
      void note(peers.makerOf(socket), key); // guard A20-5
    },
  };
}
