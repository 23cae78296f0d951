import { until } from '../desktop/processes.ts';
import { isAlive, type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import { agentOnline, PATIENCE_MS } from './agent-online.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median } from './statistics.ts';

const ROUNDS = shortened(10);
const POLL_MS = 2;

type Samples = Record<'missed' | 'answered' | 'back' | 'gone', number[]>;

/** How soon the end of the agent is told, and another one serves; and how soon the agent is gone after its daemon. */
export async function benchAgentEnds(report: Report): Promise<void> {
  report.heading('Ends of the agent by SIGKILL, with an action of a minute running, no desktop');
  const samples: Samples = { missed: [], answered: [], back: [], gone: [] };
  for (let round = 0; round < ROUNDS; round += 1) await killBoth(samples);
  const figure = (name: string, values: readonly number[], atMost: number) => {
    report.figure({ name: `${name}, p50 of ${values.length}`, value: median(values), unit: 'ms', goal: { atMost } });
    report.figure({ name: `${name}, slowest`, value: Math.max(...values), unit: 'ms' });
  };
  figure('the agent is missed', samples.missed, 500);
  figure('its action is answered', samples.answered, 1_000);
  figure('another agent is online', samples.back, 5_000);
  figure('the agent of a killed daemon is gone', samples.gone, 1_000);
}

/** A daemon of its own, since agents that end again and again are started later each time. */
async function killBoth(samples: Samples): Promise<void> {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' });
  try {
    const held = await heldAction(daemon);
    const killedAtMs = performance.now();
    process.kill(held.pid, 'SIGKILL');
    const isMissed = async () => (await daemon.health()).body.checks.agent !== 'online';
    await until('the agent is missed', isMissed, PATIENCE_MS, POLL_MS);
    samples.missed.push(performance.now() - killedAtMs);
    samples.answered.push((await held.endedMs) - killedAtMs);
    await agentOnline(daemon);
    samples.back.push(performance.now() - killedAtMs);
    const { pid, endedMs } = await heldAction(daemon);
    const cut = endedMs.catch(() => 'the daemon is killed before it answers');
    const daemonKilledAtMs = performance.now();
    daemon.kill('SIGKILL');
    await until('the agent has ended', () => !isAlive(pid), PATIENCE_MS, POLL_MS);
    samples.gone.push(performance.now() - daemonKilledAtMs);
    await cut;
  } finally {
    await daemon.stop();
  }
}

/** An action that runs on the agent. `endedMs`: when it is answered. */
async function heldAction(daemon: RunningDaemon): Promise<{ endedMs: Promise<number>; pid: number }> {
  await agentOnline(daemon);
  const { id: targetDeviceId } = await daemon.register();
  const wait = { targetDeviceId, actionType: 'Wait', parameters: { durationMs: 60_000 } };
  const endedMs = daemon.submit(wait).then(() => performance.now());
  const running = '/api/tee/actions?status=running';
  await until('it runs', async () => {
    const { body } = await daemon.call<{ items: unknown[] }>(running, { userId: 'ann' });
    return body.items.length === 1;
  });
  return { endedMs, pid: await daemon.agentPid() };
}
