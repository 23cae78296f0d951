import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createFindPeer } from '../../src/peers/find-peer.ts';
import { createFindProgram } from '../../src/peers/find-program.ts';
import type { Connection } from '../../src/peers/peer.ts';
import { type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import type { Report } from './report.ts';
import { median, quantile } from './statistics.ts';

/** Each has two ends on this machine, so that five hundred sockets are open. */
const OTHERS = 250;
const CALLS = 100;
const PROGRAMS = 30;
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

/** Each caller is a program that was never seen before. */
async function benchLookUps(report: Report): Promise<void> {
  const findPeer = createFindPeer(process.platform);
  const findProgram = createFindProgram(process.platform);
  const samples = { peer: [] as number[], program: [] as number[] };
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (let count = 0; count <= PROGRAMS; count += 1) {
    const caller: ChildProcess = spawn(process.execPath, ['-e', CALLER, String(port)]);
    const [socket]: Socket[] = await once(server, 'connection');
    if (socket === undefined) throw new Error('a connection comes with its socket');
    const connection = endsOf(socket);
    const startedAtMs = performance.now();
    const peer = await findPeer(connection);
    const foundAtMs = performance.now();
    const program = await findProgram({ peer, connection });
    const endedAtMs = performance.now();
    if (program.kind !== 'program' || program.pid !== caller.pid) throw new Error('the caller was not found');
    if (count > 0) {
      samples.peer.push(foundAtMs - startedAtMs);
      samples.program.push(endedAtMs - foundAtMs);
    }
    socket.destroy();
    caller.kill();
    await once(caller, 'exit');
  }
  server.close();
  for (const [name, values] of [
    ['the OS user', samples.peer] as const,
    ['its program, where asked', samples.program] as const,
  ]) {
    report.figure({ name: `look-up of ${name}, p50`, value: median(values), unit: 'ms', goal: { atMost: 2 } });
    report.figure({ name: `look-up of ${name}, p99`, value: quantile(values, 0.99), unit: 'ms' });
  }
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
