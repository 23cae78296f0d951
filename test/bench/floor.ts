import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { until } from '../desktop/processes.ts';
import type { RunningDaemon } from '../e2e/daemon.ts';
import { processorTimeMs } from '../e2e/reading-load.ts';
import { PATIENCE_MS } from './agent-online.ts';
import { progress } from './progress.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median } from './statistics.ts';

const ROUNDS = shortened(9);
/**
 * Before the first round on so many connections. V8 has then optimised the code that runs often; the daemon has more of that than the
 * floor, and does not do the same on one connection as on several.
 */
const WARM_UP = { 16: shortened(16_000), 1: shortened(6_000) } as const;
const ACTIONS = { 16: shortened(3_000), 1: shortened(1_000) } as const;
const MOST_MS = 1;

/**
 * The processor time that one action takes of the daemon's process, beside the floor: the least daemon of the same shape. Both
 * run in turns, so that other work on the machine meets both.
 */
export async function benchFloor(daemon: RunningDaemon, report: Report): Promise<void> {
  report.heading('Processor time of one action (Wait of 0 ms) in the daemon, beside the least daemon of this shape');
  const device = await daemon.register();
  const action = { targetDeviceId: device.id, actionType: 'Wait', parameters: { durationMs: 0 } };
  const floor = await startFloor();
  const ours = { pid: daemon.pid, url: `${daemon.base}/api/tee/actions` };
  try {
    for (const connections of [16, 1] as const) {
      for (const side of [ours, floor]) await processorMs(side, { action, connections, amount: WARM_UP[connections] });
      const load = { action, connections, amount: ACTIONS[connections] };
      const rounds: { ours: number; floor: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        progress.at(`round ${round + 1} of ${ROUNDS} on ${connections} connections`);
        rounds.push({ ours: await processorMs(ours, load), floor: await processorMs(floor, load) });
      }
      print(report, connections, rounds);
    }
  } finally {
    floor.child.kill();
  }
}

function print(report: Report, connections: number, rounds: readonly { ours: number; floor: number }[]): void {
  const on = connections === 1 ? 'one connection' : `${connections} connections`;
  const of = (side: 'ours' | 'floor') => median(rounds.map((round) => round[side]));
  report.figure({ name: `${on}: the daemon`, value: of('ours'), unit: 'ms', goal: { atMost: MOST_MS } });
  report.figure({ name: `${on}: the floor`, value: of('floor'), unit: 'ms' });
  const value = median(rounds.map(({ ours, floor }) => ours / floor));
  report.figure({ name: `${on}: ratio, median of ${rounds.length}`, value, unit: '×' });
}

type Side = { pid: number; url: string };

async function startFloor(): Promise<Side & { child: ChildProcess }> {
  const child = fork(fileURLToPath(new URL('./floor-daemon.ts', import.meta.url)), { execArgv: [] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const base = `http://127.0.0.1:${port}`;
  await until('the agent of the floor is there', async () => {
    const answer = await fetch(`${base}/health`);
    return Object(await answer.json()).ready === true || undefined;
  });
  return { child, pid: child.pid ?? 0, url: `${base}/actions` };
}

/** Milliseconds of processor for each of so many actions. Throws when one of them was refused. */
async function processorMs(
  { pid, url }: Side,
  { action, connections, amount }: { action: object; connections: number; amount: number },
): Promise<number> {
  const before = processorTimeMs(pid);
  const result = await autocannon({
    url,
    connections,
    amount,
    timeout: PATIENCE_MS / 1_000,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user-id': 'ann' },
    body: JSON.stringify(action),
  });
  if (result['2xx'] !== amount) {
    const { '2xx': done, non2xx, errors } = result;
    throw new Error(
      `${done} of ${amount} actions at ${url} were carried out; ${non2xx} were refused, ${errors} failed`,
    );
  }
  return (processorTimeMs(pid) - before) / amount;
}
