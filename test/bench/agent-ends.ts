import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createLinuxApps } from '../../agent/drivers/linux/apps.ts';
import { createDesktopEntries } from '../../agent/drivers/linux/desktop-entries.ts';
import { createLinuxDriver } from '../../agent/drivers/linux/driver.ts';
import { createX11 } from '../../agent/drivers/linux/x11.ts';
import { until } from '../desktop/processes.ts';
import type { Rig } from '../desktop/rig.ts';
import { isAlive, type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import { agentOnline, PATIENCE_MS } from './agent-online.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median } from './statistics.ts';

const ROUNDS = shortened(10);
const POLL_MS = 2;

type Samples = Record<'missed' | 'answered' | 'back' | 'gone', number[]>;

/** How soon the end of the agent is told, and another one serves; and how soon the agent is gone after its daemon. */
export async function benchAgentEnds(rig: Rig, report: Report): Promise<void> {
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
  report.heading('Ends of attempts that could wait');
  figure('x11: an attempt that is stopped ends, on a display that hangs', await rounds(stoppedOnHungDisplay), 500);
  figure('quit-app: a question that stands already is told', await rounds(() => questionTold(rig)), 500);
}

async function rounds(measured: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) values.push(await measured());
  return values;
}

const unhurried = () => ({ signal: new AbortController().signal, deadlineMs: PATIENCE_MS });

async function stoppedOnHungDisplay(): Promise<number> {
  const server = spawn('Xvfb', ['-noreset', '-displayfd', '1', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(server, 'exit');
  const [display] = await once(server.stdout.setEncoding('utf8'), 'data');
  const driver = createLinuxDriver({ ...process.env, DISPLAY: `:${String(display).trim()}` });
  try {
    await driver.environment();
    server.kill('SIGSTOP');
    const stop = new AbortController();
    const attempt = driver.describeScreen({}, { ...unhurried(), signal: stop.signal });
    const stoppedAtMs = performance.now();
    stop.abort('requested');
    const outcome = await attempt;
    if (outcome.ok) throw new Error('expected the attempt to be stopped');
    return performance.now() - stoppedAtMs;
  } finally {
    server.kill('SIGKILL');
    await ended;
    await driver.close();
  }
}

/** An editor asks whether to keep a text, and is asked to close again. */
async function questionTold(rig: Rig): Promise<number> {
  const environment = { ...process.env, ...rig.env };
  const x11 = createX11(environment);
  const needs = { x11, entries: createDesktopEntries(environment), environment, uniqueId: () => crypto.randomUUID() };
  const { quitApp } = createLinuxApps(needs);
  const { app, window } = await rig.open('mousepad', ['--disable-server']);
  try {
    await rig.ask('xdotool', 'windowactivate', '--sync', window.id, 'type', 'not saved');
    await until('the text is entered', async () => (await rig.windows()).some(({ title }) => title.startsWith('*')));
    await quitApp({ appName: 'mousepad' }, unhurried());
    const askedAtMs = performance.now();
    const outcome = await quitApp({ appName: 'mousepad' }, unhurried());
    if (outcome.ok || outcome.code !== 'busy') throw new Error(`expected a question, got ${JSON.stringify(outcome)}`);
    return performance.now() - askedAtMs;
  } finally {
    await app.end();
    await x11.close();
  }
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
