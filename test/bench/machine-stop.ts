import { createClient } from '../../src/client/handrail.ts';
import type { Device } from '../../src/contract/device.ts';
import type { MachineList } from '../../src/contract/machine-view.ts';
import { heldDown } from '../desktop/held.ts';
import { until } from '../desktop/processes.ts';
import type { Rig } from '../desktop/rig.ts';
import { type Console, childOf, EVERYTHING, type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import { type SecondMachine, startSecondMachine } from '../machines/sshd.ts';
import { machineHas } from '../runner/machine-needs.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median } from './statistics.ts';

const PRESSES = shortened(15);
const FROZEN_PRESSES = shortened(5);
/** An agent lets go by itself after so long without its daemon. */
const AGENT_LIMIT_MS = 2_000;
const GOAL_MS = 200;
const NAME = 'studio';

type Bench = { daemon: RunningDaemon; person: Console; second: SecondMachine; deviceId: string };

/** Who stands still when the person presses. */
const FROZEN = {
  nobody: () => [],
  ssh: ({ daemon }: Bench) => [childOf(daemon.pid, /^ssh /u)],
  'the agent there': ({ second }: Bench) => second.agents(),
} satisfies Record<string, (bench: Bench) => (number | undefined)[]>;
type Frozen = keyof typeof FROZEN;

/** Times in ms from the press of the person. An agent that stands still lets go only when it is killed. */
type Press = { answerMs: number; refusedMs: number; releasedMs?: number; confirmedMs?: number };

/**
 * The emergency stop while a key is held on another machine, over a real `sshd`: when it is answered here, when nothing is accepted any
 * longer, when the X server there says that the key is up, and when the page says that the machine has confirmed.
 */
export async function benchMachineStop(rig: Rig, report: Report): Promise<void> {
  report.heading('Emergency stop while a key is held on another machine, over sshd');
  if (!machineHas('root')) return report.figure({ name: 'not measured: it needs root', value: Number.NaN, unit: '' });
  const second = await startSecondMachine();
  const daemon = await startDaemonProcess({
    ...rig.env,
    HANDRAIL_RATE_LIMITS: 'off',
    HANDRAIL_SSH_CONFIG: String(second.sshArguments[1]),
  });
  try {
    const bench = await connected(daemon, second);
    const roundTripMs = await until('a round trip is known', async () => (await machineOf(bench))?.roundTripMs);
    report.figure({ name: 'round trip', value: roundTripMs, unit: 'ms' });
    tell('nobody stands still', await presses(bench, 'nobody', PRESSES), { report, releasedWithinMs: GOAL_MS });
    const frozen = await presses(bench, 'ssh', FROZEN_PRESSES);
    tell('ssh stands still', frozen, { report, releasedWithinMs: AGENT_LIMIT_MS + GOAL_MS });
    tell('the agent there stands still', await presses(bench, 'the agent there', FROZEN_PRESSES), { report });
  } finally {
    await daemon.stop();
    await second.close();
  }
}

function tell(
  name: string,
  all: readonly Press[],
  { report, releasedWithinMs }: { report: Report; releasedWithinMs?: number },
): void {
  const figure = (what: string, of: keyof Press, atMost?: number) => {
    const samples = all.flatMap((press) => press[of] ?? []);
    if (samples.length === 0) return;
    const note = `slowest ${Math.max(...samples).toFixed(0)}`;
    const goal = atMost === undefined ? {} : { goal: { atMost } };
    report.figure({
      name: `${name}: ${what}, p50 of ${all.length}`,
      value: median(samples),
      unit: 'ms',
      note,
      ...goal,
    });
  };
  figure('the answer', 'answerMs', GOAL_MS);
  figure('nothing is accepted', 'refusedMs', GOAL_MS);
  figure('the key is up there', 'releasedMs', releasedWithinMs);
  figure('the page says it has confirmed', 'confirmedMs');
}

async function connected(daemon: RunningDaemon, second: SecondMachine): Promise<Bench> {
  const person = await daemon.signIn();
  await person.call('/users/ann/profile', { method: 'PUT', body: { profile: 'trusted' } });
  const { name: _name, ...way } = second.machine;
  await person.call<MachineList>('/machines', { body: { name: NAME, ...way } });
  const body = { type: 'linux', name: NAME, capabilities: EVERYTHING, machine: NAME };
  const device = await daemon.call<Device>('/api/tee/devices/register', { userId: 'ann', body });
  const bench = { daemon, person, second, deviceId: device.body.id };
  await online(bench);
  await second.open('mousepad', ['--disable-server']);
  return bench;
}

async function machineOf({ person }: Bench) {
  return (await person.call<MachineList>('/machines')).body.items[0];
}

/** After several breaks the next try waits up to a minute. */
function online(bench: Bench): Promise<unknown> {
  return until('the machine is online', async () => (await machineOf(bench))?.status === 'online', 180_000);
}

async function presses(bench: Bench, frozen: Frozen, count: number): Promise<Press[]> {
  const all: Press[] = [];
  for (let press = 0; press < count; press += 1) {
    await holdKey(bench);
    const pids = FROZEN[frozen](bench).filter((pid) => pid !== undefined);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    all.push(await onePress(bench, frozen));
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await until('the key is up there', () => isUp(bench));
    await bench.person.call('/resume', { method: 'POST' });
    await online(bench);
  }
  return all;
}

/** Begins to hold a key there for as long as an action may. The person allows it where that is asked. */
async function holdKey({ daemon, person, second, deviceId }: Bench): Promise<void> {
  const client = createClient({ userId: 'ann', baseUrl: daemon.base });
  const parameters = { keys: 'shift+a', holdMs: 5_000 };
  void client.act({ targetDeviceId: deviceId, actionType: 'PressKeys', parameters });
  await until('a key is down there', async () => {
    if ((await person.prompts()).length > 0) await person.answer('allow');
    return (await heldDown(second.ask)).length > 0;
  });
}

const isUp = async ({ second }: Bench) => (await heldDown(second.ask)).length === 0;

async function onePress(bench: Bench, frozen: Frozen): Promise<Press> {
  const { daemon, person, deviceId } = bench;
  const pressedAtMs = performance.now();
  const since = () => performance.now() - pressedAtMs;
  const body = { targetDeviceId: deviceId, actionType: 'Wait', parameters: { durationMs: 0 } };
  const answer = person.call('/pause', { method: 'POST' }).then(since);
  const isRefused = async () => (await daemon.submit(body, { headers: { prefer: 'respond-async' } })).status === 503;
  const hasConfirmed = async () => (await machineOf(bench))?.running === 0;
  const accepted = Promise.all([answer, until('nothing is accepted', isRefused, 20_000, 5).then(since)]);
  if (frozen === 'the agent there') {
    const [answerMs, refusedMs] = await accepted;
    return { answerMs, refusedMs };
  }
  const [[answerMs, refusedMs], releasedMs, confirmedMs] = await Promise.all([
    accepted,
    until('the key is up there', () => isUp(bench), 20_000, 20).then(since),
    until('the machine has confirmed', hasConfirmed, 60_000, 20).then(since),
  ]);
  return { answerMs, refusedMs, releasedMs, confirmedMs };
}
