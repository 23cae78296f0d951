import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Console, type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import type { Report } from './report.ts';
import { median, quantile } from './statistics.ts';

const LOADS = {
  names: 'A body of 1 MiB with 120,000 unknown names, once a second',
  plans: 'A hundred plans of a hundred steps',
  lists: 'Lists of 500 tasks, on 24 connections',
} as const;
const ROUNDS = 3;
const ROUND_MS = 3_000;

/** What the person waits for while a requester sends what costs the most. The daemon has its usual limits; the load is another process. */
export async function benchCost(environment: Record<string, string>, report: Report): Promise<void> {
  for (const load of ['names', 'plans', 'lists'] as const) {
    report.heading(`${LOADS[load]}: what the person waits for`);
    const daemon = await startDaemonProcess({ ...environment, HANDRAIL_AGENT_DRIVER: 'fake' });
    try {
      await benchLoad(daemon, load, report);
    } finally {
      await daemon.stop();
    }
  }
}

async function benchLoad(daemon: RunningDaemon, load: keyof typeof LOADS, report: Report): Promise<void> {
  const person = await daemon.signIn();
  const device = await daemon.register({ canCaptureScreen: true }, 'ann');
  if (load === 'lists') await fill(daemon, device.id);
  const client = startLoad([daemon.base, load]);
  const rounds: { consoleMs: number; promptMs: number; slowestMs: number }[] = [];
  await pause(500);
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measured(daemon, person, round));
  client.kill('SIGTERM');
  const note = `median of ${ROUNDS} rounds; the load was answered ${await answered(client)}`;
  const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]));
  report.figure({ name: 'console answers, p99', value: of('consoleMs'), unit: 'ms', goal: { atMost: 100 }, note });
  report.figure({ name: 'console answers, slowest', value: of('slowestMs'), unit: 'ms' });
  report.figure({ name: 'submission to prompt, fetched', value: of('promptMs'), unit: 'ms', goal: { atMost: 300 } });
}

/** One round: the console asks for the queue and its standing again and again, and once a prompt is awaited. */
async function measured(daemon: RunningDaemon, { key }: Console, round: number) {
  const headers = { authorization: `Bearer ${key}` };
  const samples: number[] = [];
  const endsAtMs = performance.now() + ROUND_MS;
  while (performance.now() < endsAtMs) {
    for (const path of ['confirmations', 'status', 'activity']) {
      const askedAtMs = performance.now();
      await daemon.call(`/api/console/${path}`, { headers });
      samples.push(performance.now() - askedAtMs);
    }
  }
  const promptMs = await promptLatency(daemon, { headers, round });
  return { consoleMs: quantile(samples, 0.99), slowestMs: Math.max(...samples), promptMs };
}

/** From the submission until the console has the prompt whole: told by its event stream, then fetched. No browser takes part. */
async function promptLatency(daemon: RunningDaemon, by: { headers: Record<string, string>; round: number }) {
  const userId = `person-${by.round}`;
  const device = await daemon.register({ canCaptureScreen: true }, userId);
  const stream = await fetch(`${daemon.base}/api/console/events`, { headers: by.headers });
  const submittedAtMs = performance.now();
  const parameters = { maxWidth: 300 + by.round };
  const action = { targetDeviceId: device.id, actionType: 'TakeScreenshot', parameters };
  const submission = daemon.submit(action, { userId });
  for await (const chunk of stream.body ?? []) {
    if (!new TextDecoder().decode(chunk).includes(`"userId":"${userId}"`)) continue;
    const { body } = await submission;
    const prompt = await daemon.call(`/api/console/confirmations/${body.confirmation?.id}`, { headers: by.headers });
    return prompt.status === 200 ? performance.now() - submittedAtMs : Number.POSITIVE_INFINITY;
  }
  return Number.POSITIVE_INFINITY;
}

/** Enough tasks for a list of 500, of as many steps as the limits let through in a few seconds. */
async function fill(daemon: RunningDaemon, targetDeviceId: string): Promise<void> {
  const steps = Array.from({ length: 20 }, (_, n) => ({
    id: `s${n}`,
    actionType: 'Wait',
    targetDeviceId,
    parameters: { durationMs: 0 },
  }));
  for (let task = 0; task < 150; task += 1) await daemon.call('/api/tee/tasks', { userId: 'ann', body: { steps } });
}

function startLoad(args: readonly string[]): ChildProcess {
  const script = fileURLToPath(new URL('./cost-load.ts', import.meta.url));
  return spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function answered(client: ChildProcess): Promise<string> {
  let text = '';
  client.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(client, 'close');
  return text.trim();
}
