import { setTimeout as pause } from 'node:timers/promises';
import type { Action } from '../../src/contract/action.ts';
import type { Task } from '../../src/contract/task.ts';
import { until } from '../desktop/processes.ts';
import { type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import { progress } from './progress.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median } from './statistics.ts';

const USER_IDS = Array.from({ length: 10 }, (_, index) => `user${index}`);
const TASKS_OF_USER = shortened(10);
const STEPS = 100;
const PRESSES = 3;

/** The emergency stop while ten thousand steps of ten users have not ended, and the restart in the middle of ending them. */
export async function benchStopUnderLoad(report: Report): Promise<void> {
  report.heading(
    `Emergency stop with ${USER_IDS.length * TASKS_OF_USER * STEPS} unfinished steps (Waits of a minute), no desktop`,
  );
  const environment = { HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_RATE_LIMITS: 'off' };
  const daemon = await startDaemonProcess(environment);
  try {
    const samples = { answerMs: [] as number[], effectMs: [] as number[], consoleMs: [] as number[] };
    const person = await daemon.signIn();
    const headers = { origin: daemon.base, authorization: `Bearer ${person.key}` };
    // Made-up ids may have only eight thousand unfinished steps.
    for (const userId of USER_IDS) {
      const body = { profile: 'assist' };
      await daemon.call(`/api/console/users/${userId}/profile`, { method: 'PUT', headers, body });
    }
    for (let press = 0; press < PRESSES; press += 1) {
      await fill(daemon);
      const running = await until('an action runs', () => oneRunning(daemon));
      const pressedAtMs = performance.now();
      const effect = ended(daemon, running).then(() => samples.effectMs.push(performance.now() - pressedAtMs));
      await daemon.call('/api/console/pause', { method: 'POST', headers });
      samples.answerMs.push(performance.now() - pressedAtMs);
      await effect;
      const resumed = daemon.call('/api/console/resume', { method: 'POST', headers });
      samples.consoleMs.push(...(await askedMeanwhile(daemon, headers, resumed)));
      report.figure({
        name: `all has ended and is resumed after, press ${press + 1}`,
        value: (performance.now() - pressedAtMs) / 1_000,
        unit: 's',
      });
    }
    const goal = { atMost: 200 };
    report.figure({ name: `the answer, p50 of ${PRESSES}`, value: median(samples.answerMs), unit: 'ms', goal });
    report.figure({ name: 'the answer, slowest', value: Math.max(...samples.answerMs), unit: 'ms' });
    report.figure({
      name: `to the end of an action that runs, p50 of ${PRESSES}`,
      value: median(samples.effectMs),
      unit: 'ms',
      goal,
    });
    report.figure({
      name: 'GET /api/console/status while the rest is ended, p50',
      value: median(samples.consoleMs),
      unit: 'ms',
    });
    report.figure({
      name: 'the same, slowest',
      value: Math.max(...samples.consoleMs),
      unit: 'ms',
      note: `${samples.consoleMs.length} samples`,
    });
  } finally {
    await daemon.stop();
  }
}

async function fill(daemon: RunningDaemon): Promise<void> {
  await Promise.all(USER_IDS.map((userId) => fillOf(daemon, userId)));
}

async function fillOf(daemon: RunningDaemon, userId: string): Promise<void> {
  const { id: targetDeviceId } = await daemon.register(undefined, userId);
  const steps = Array.from({ length: STEPS }, (_, index) => {
    return { id: `s${index}`, actionType: 'Wait', targetDeviceId, parameters: { durationMs: 60_000 } };
  });
  for (let count = 0; count < TASKS_OF_USER; count += 1) {
    progress.at(`${count} of ${TASKS_OF_USER} tasks of each user are taken`);
    const { status } = await daemon.call<Task>('/api/tee/tasks', { userId, body: { steps } });
    if (status !== 202) throw new Error(`expected a task to be taken, got ${status}`);
  }
}

type Running = { userId: string; actionId: string };

async function oneRunning(daemon: RunningDaemon): Promise<Running | undefined> {
  for (const userId of USER_IDS) {
    const { body } = await daemon.call<{ items: Action[] }>('/api/tee/actions?status=running', { userId });
    // One that has just begun does not end by itself while the person presses.
    const [latest] = body.items;
    if (latest !== undefined) return { userId, actionId: latest.actionId };
  }
  return undefined;
}

async function ended(daemon: RunningDaemon, { userId, actionId }: Running): Promise<void> {
  for (;;) {
    const { body } = await daemon.call<Action>(`/api/tee/actions/${actionId}`, { userId });
    if (body.status === 'cancelled') return;
    if (body.status !== 'running') throw new Error(`expected a running action to be cancelled, got ${body.status}`);
  }
}

async function askedMeanwhile(
  daemon: RunningDaemon,
  headers: Record<string, string>,
  end: Promise<unknown>,
): Promise<number[]> {
  const samples: number[] = [];
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const askedAtMs = performance.now();
    await daemon.call('/api/console/status', { headers });
    samples.push(performance.now() - askedAtMs);
    await pause(5);
  }
  return samples;
}
