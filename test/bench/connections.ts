import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createFindPeer, createFindProgram } from '../../src/peers/find-caller.ts';
import type { Connection } from '../../src/peers/peer.ts';
import { type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import { progress } from './progress.ts';
import type { Report } from './report.ts';
import { median, quantile } from './statistics.ts';

/** Each has two ends on this machine, so that five hundred sockets are open. */
const OTHERS = 250;
const CALLS = 100;
const PROGRAMS = 30;
const PROGRAMS_AMONG_LATER_ONES = 5;
const LATER_PROCESSES = 200;
/** A program of its own that connects, and holds the connection. */
const CALLER = "require('node:net').connect(Number(process.argv[1]), '127.0.0.1')";

/**
 * Measures how long the look-up of the OS user of a new connection takes. `/health` is answered without it, the list of action types
 * is not. Then the look-up alone, and that of the calling program, which is made only where the person is asked.
 */
export async function benchConnections(environment: Record<string, string>, report: Report): Promise<void> {
  report.heading(`A new connection, with ${2 * OTHERS} other open sockets`);
  const daemon = await startDaemonProcess({
    ...environment,
    HANDRAIL_AGENT_DRIVER: 'fake',
    HANDRAIL_RATE_LIMITS: 'off',
  });
  const close = await openOthers();
  try {
    const samples = { health: [] as number[], types: [] as number[] };
    for (let call = 0; call < CALLS; call += 1) {
      samples.health.push(await firstAnswer(daemon, '/health'));
      samples.types.push(await firstAnswer(daemon, '/api/tee/action-types'));
    }
    const [plainMs, lookedUpMs] = [median(samples.health), median(samples.types)];
    report.figure({ name: 'first answer, the OS user not looked up, p50', value: plainMs, unit: 'ms' });
    report.figure({ name: 'first answer, the OS user looked up, p50', value: lookedUpMs, unit: 'ms' });
    report.figure({ name: 'difference', value: lookedUpMs - plainMs, unit: 'ms', goal: { atMost: 2 } });
    await benchLookUps(report);
  } finally {
    close();
    await daemon.stop();
  }
}

/** Callers that were never seen before: the newest process of the user, and one that started before many others. */
async function benchLookUps(report: Report): Promise<void> {
  const samples = { peer: [] as number[], newest: [] as number[], older: [] as number[] };
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (let count = 0; count <= PROGRAMS; count += 1) {
    progress.at(`look-up ${count} of ${PROGRAMS}`);
    const took = await lookUp(server, port);
    if (count === 0) continue;
    samples.peer.push(took.peerMs);
    samples.newest.push(took.programMs);
  }
  for (let count = 0; count < PROGRAMS_AMONG_LATER_ONES; count += 1) {
    progress.at(`look-up ${count + 1} of ${PROGRAMS_AMONG_LATER_ONES}, ${LATER_PROCESSES} processes later`);
    samples.older.push((await lookUp(server, port, LATER_PROCESSES)).programMs);
  }
  server.close();
  const goal = { atMost: 2 };
  for (const [name, values, aim] of [
    ['the OS user', samples.peer, { goal }],
    ['its program, where asked', samples.newest, { goal }],
    [`the same, ${LATER_PROCESSES} processes later`, samples.older, {}],
  ] as const) {
    report.figure({ name: `look-up of ${name}, p50`, value: median(values), unit: 'ms', ...aim });
    report.figure({ name: `look-up of ${name}, p99`, value: quantile(values, 0.99), unit: 'ms' });
  }
}

/** A new program calls, then so many other processes start; then it is looked up by a search that knows no program. */
async function lookUp(server: Server, port: number, laterProcesses = 0) {
  const findPeer = createFindPeer(process.platform);
  const findProgram = createFindProgram(process.platform, import.meta.dirname);
  const caller: ChildProcess = spawn(process.execPath, ['-e', CALLER, String(port)]);
  const [socket]: Socket[] = await once(server, 'connection');
  if (socket === undefined) throw new Error('a connection comes with its socket');
  const connection = endsOf(socket);
  const later = Array.from({ length: laterProcesses }, () => spawn('sleep', ['600'], { stdio: 'ignore' }));
  const processes = [caller, ...later];
  // Heard from the start: where the look-up takes long, one may have ended before it is told to.
  const ends = processes.map((process) => once(process, 'exit'));
  await Promise.all(later.map((process) => once(process, 'spawn')));
  const startedAtMs = performance.now();
  const peer = await findPeer(connection);
  const foundAtMs = performance.now();
  const program = await findProgram({ peer, connection });
  const programMs = performance.now() - foundAtMs;
  if (program.kind !== 'program' || program.pid !== caller.pid) throw new Error('the caller was not found');
  socket.destroy();
  for (const process of processes) process.kill();
  await Promise.all(ends);
  return { peerMs: foundAtMs - startedAtMs, programMs };
}

function endsOf({ remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 }: Socket): Connection {
  return { caller: { address: remoteAddress, port: remotePort }, daemon: { address: localAddress, port: localPort } };
}

async function openOthers(): Promise<() => void> {
  const accepted: Socket[] = [];
  const server = createServer((socket) => void accepted.push(socket)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: OTHERS }, () => connect(port, '127.0.0.1'));
  await Promise.all(clients.map((client) => new Promise((resolve) => client.once('connect', resolve))));
  return () => {
    for (const socket of [...clients, ...accepted]) socket.destroy();
    server.close();
  };
}

/** Milliseconds from the opening of a connection to the end of the answer. */
function firstAnswer({ base }: RunningDaemon, path: string): Promise<number> {
  const agent = new Agent({ keepAlive: false });
  const startedAtMs = performance.now();
  return new Promise((resolve, reject) => {
    get(base + path, { agent }, (response) => {
      response.resume().once('end', () => resolve(performance.now() - startedAtMs));
    }).once('error', reject);
  });
}
