import { Agent, get } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import type { Report } from './report.ts';
import { median } from './statistics.ts';

/** Each has two ends on this machine, so that five hundred sockets are open. */
const OTHERS = 250;
const CALLS = 100;

/** Measures how long the look-up of the OS user of a new connection takes. `/health` is answered without it, the list of action types is not. */
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
  } finally {
    close();
    await daemon.stop();
  }
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
