import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Task } from '../../src/contract/task.ts';
import { type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import { agentOnline } from './agent-online.ts';
import type { OpenScreen, Screen } from './cost-screen.ts';
import { quantile } from './statistics.ts';

/** The loads of the rows D1 and D4, each sent by `cost-load.ts` under the same name. */
export const COST_LOADS = {
  names: 'A body of 256 KiB with 30,000 unknown names, once a second',
  plans: 'Eighty plans of a hundred steps',
  lists: 'Lists of 500 tasks, on 24 connections',
  references: 'Tasks of which a hundred steps refer to a result of 64 KiB',
  waits: 'A hundred tasks of a hundred waits',
  scripts: 'Tasks of four scripts with a path of 60 kB each, from many ids',
} as const;
export type CostLoad = keyof typeof COST_LOADS;

/** With a screen whose description takes about 64 KiB. */
const SCENARIO = JSON.stringify({ moreWindows: 75 });

/** `drawnMs` is there where a screen was watched. */
export type Round = { p99Ms: number; slowestMs: number; promptMs: number; drawnMs?: number };
export type CostFigures = {
  rounds: Round[];
  /** How long the answer to a stop took. */
  stopMs: number;
  /** How many calls of the load were answered with each status. */
  statuses: Record<string, number>;
};

/** Three reads each time. However fast the machine is, they stay below the limit of reads, which would answer 429. */
const LOOK_EVERY_MS = 50;

type Manner = {
  /** How many rounds at least, and how long each takes. */
  rounds: number;
  roundMs: number;
  /** Measures until a load of limited length was sent whole. */
  isWhole?: boolean;
  environment?: Record<string, string>;
  /** Opens the dashboard in a browser, to measure when a prompt is drawn. */
  openScreen?: OpenScreen;
};

/** The requesters of `waits`. Only those the person knows may have ten thousand unfinished steps. */
const WAITERS = Array.from({ length: 10 }, (_, user) => `waiter-${user}`);
/** A load of limited length takes less than a minute on a machine with little else to do. */
const MOST_ROUNDS = 60;
/** The requester of each round whose prompt is awaited. Made-up ids may have taken all places but those of known requesters. */
const PEOPLE = Array.from({ length: MOST_ROUNDS }, (_, round) => `person-${round}`);

/** Measures how long the person waits while a process sends one load to a daemon with its usual limits. */
export async function measureCost(
  load: CostLoad,
  { rounds: count, roundMs, isWhole = false, environment, openScreen }: Manner,
): Promise<CostFigures> {
  const driver = { HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_FAKE_SCENARIO: SCENARIO };
  const daemon = await startDaemonProcess({ ...environment, ...driver });
  try {
    // A submission waits for an agent that starts, and that is no cost of the load.
    await agentOnline(daemon);
    const { key } = await daemon.signIn();
    const headers = { origin: daemon.base, authorization: `Bearer ${key}` };
    const device = await daemon.register({ canCaptureScreen: true }, 'ann');
    if (load === 'lists') await fill(daemon, device.id);
    // A change of the rules makes plans void, so all requesters are known before the load begins.
    for (const userId of load === 'waits' ? [...PEOPLE, ...WAITERS] : PEOPLE) await know(daemon, headers, userId);
    const screen = await openScreen?.(daemon, key);
    const client = startLoad([daemon.base, load]);
    const isSent = watchSent(client);
    const isMore = () => isWhole && (load === 'plans' || load === 'waits') && !isSent();
    const rounds: Round[] = [];
    await pause(500);
    while (rounds.length < count || isMore()) {
      if (rounds.length === MOST_ROUNDS) throw new Error(`the load ${load} was not sent in ${MOST_ROUNDS} rounds`);
      rounds.push(await measured(daemon, headers, { round: rounds.length, roundMs, screen }));
    }
    const stoppedAtMs = performance.now();
    await daemon.call('/api/console/pause', { method: 'POST', headers });
    const stopMs = performance.now() - stoppedAtMs;
    client.kill('SIGTERM');
    const statuses = await statusesOf(client);
    await screen?.close();
    return { rounds, stopMs, statuses };
  } finally {
    await daemon.stop();
  }
}

/** One round: the console asks for the queue and its standing again and again, and once a prompt is awaited. */
async function measured(
  daemon: RunningDaemon,
  headers: Record<string, string>,
  { round, roundMs, screen }: { round: number; roundMs: number; screen: Screen | undefined },
): Promise<Round> {
  const samples: number[] = [];
  const endsAtMs = performance.now() + roundMs;
  while (performance.now() < endsAtMs) {
    for (const path of ['confirmations', 'status', 'activity']) {
      const askedAtMs = performance.now();
      const { status } = await daemon.call(`/api/console/${path}`, { headers });
      if (status !== 200) throw new Error(`expected 200 for ${path}, got ${status}`);
      samples.push(performance.now() - askedAtMs);
    }
    await pause(LOOK_EVERY_MS);
  }
  const latency = await promptLatency(daemon, { headers, round, screen });
  return { p99Ms: quantile(samples, 0.99), slowestMs: Math.max(...samples), ...latency };
}

type Asking = { headers: Record<string, string>; round: number; screen: Screen | undefined };
type Latency = Pick<Round, 'promptMs' | 'drawnMs'>;

/**
 * From the submission until the console has the prompt whole, told by its event stream and then fetched, and until a browser has
 * drawn it, where a screen is watched.
 */
async function promptLatency(daemon: RunningDaemon, { headers, round, screen }: Asking): Promise<Latency> {
  const userId = String(PEOPLE[round]);
  const device = await daemon.register({ canCaptureScreen: true }, userId);
  const stream = await fetch(`${daemon.base}/api/console/events`, { headers });
  const submittedAtMs = performance.now();
  const drawn = screen?.drawn(userId).then(() => performance.now() - submittedAtMs);
  // Where the submission fails first, its error is the one that is thrown.
  drawn?.catch(() => undefined);
  const parameters = { maxWidth: 300 + round };
  const action = { targetDeviceId: device.id, actionType: 'TakeScreenshot', parameters };
  const submission = daemon.submit(action, { userId });
  for await (const chunk of stream.body ?? []) {
    if (!new TextDecoder().decode(chunk).includes(`"userId":"${userId}"`)) continue;
    const { body } = await submission;
    const prompt = await daemon.call(`/api/console/confirmations/${body.confirmation?.id}`, { headers });
    const tookMs = performance.now() - submittedAtMs;
    const drawnMs = await drawn;
    // The prompts of all rounds together would take the places of those of the load.
    await daemon.call(`/api/tee/actions/${body.actionId}/cancel`, { method: 'POST', userId });
    const promptMs = prompt.status === 200 ? tookMs : Number.POSITIVE_INFINITY;
    return { promptMs, drawnMs };
  }
  return { promptMs: Number.POSITIVE_INFINITY };
}

/** Makes a requester one that the person knows. */
async function know(daemon: RunningDaemon, headers: Record<string, string>, userId: string): Promise<void> {
  const body = { profile: 'assist' };
  await daemon.call(`/api/console/users/${userId}/profile`, { method: 'PUT', headers, body });
}

/** Tasks that fill the largest page there is: one ends at 4 MiB. */
async function fill(daemon: RunningDaemon, targetDeviceId: string): Promise<void> {
  const steps = Array.from({ length: 100 }, (_, n) => {
    return { id: `s${n}`, actionType: 'Wait', targetDeviceId, parameters: { durationMs: 60_000 } };
  });
  for (let task = 0; task < 110; task += 1) {
    const { body } = await daemon.call<Task>('/api/tee/tasks', { userId: 'ann', body: { steps } });
    // So many may not be unfinished.
    await daemon.call(`/api/tee/tasks/${body.taskId}/cancel`, { method: 'POST', userId: 'ann' });
  }
}

function startLoad(args: readonly string[]): ChildProcess {
  const script = fileURLToPath(new URL('./cost-load.ts', import.meta.url));
  return spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Answers whether the load was sent whole. */
function watchSent(client: ChildProcess): () => boolean {
  let isSent = false;
  client.stdout?.on('data', (chunk: Buffer) => {
    isSent ||= chunk.toString().startsWith('sent');
  });
  return () => isSent;
}

async function statusesOf(client: ChildProcess): Promise<Record<string, number>> {
  let text = '';
  client.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(client, 'close');
  return JSON.parse(text.slice(text.indexOf('{')));
}
