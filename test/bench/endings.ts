import { setTimeout as pause } from 'node:timers/promises';
import type { Confirmation, Grant } from '../../src/contract/console.ts';
import type { Task } from '../../src/contract/task.ts';
import { type CallOptions, type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import { progress } from './progress.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median } from './statistics.ts';

const USER_IDS = Array.from({ length: 10 }, (_, index) => `user${index}`);
const TASKS_OF_USER = shortened(10);
const STEPS = 100;
/** The daemon has done what was asked of it when it has answered quickly for so long. */
const QUIET_MS = 1_000;
const QUICK_MS = 50;

type Person = { headers: Record<string, string> };
type Load = { daemon: RunningDaemon; person: Person; report: Report };

const screenshot = { actionType: 'TakeScreenshot', parameters: {} };
const wait = { actionType: 'Wait', parameters: { durationMs: 60_000 } };

/**
 * A device is removed, a user paused, a grant revoked and a profile changed while ten thousand steps have not ended. Then the
 * daemon is killed and started with the steps that are left.
 */
export async function benchEndings(report: Report): Promise<void> {
  report.heading(`Endings with ${USER_IDS.length * TASKS_OF_USER * STEPS} unfinished steps that go on after a failure`);
  const environment = { HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_RATE_LIMITS: 'off' };
  let daemon = await startDaemonProcess(environment);
  try {
    const { key } = await daemon.signIn();
    const load = { daemon, person: { headers: { origin: daemon.base, authorization: `Bearer ${key}` } }, report };
    for (const userId of USER_IDS) await assign(load, userId, 'assist');
    const grantId = await grantOf(load, 'user2');
    const deviceIds = await Promise.all(USER_IDS.map((userId) => fill(daemon, userId)));
    await ending(load, 'a removed device', {
      path: `/api/tee/devices/${deviceIds[0]}`,
      options: { method: 'DELETE', userId: 'user0' },
    });
    await ending(load, 'a paused user', { path: '/api/console/users/user1/pause', options: { method: 'POST' } });
    await ending(load, 'a revoked grant', { path: `/api/console/grants/${grantId}`, options: { method: 'DELETE' } });
    await ending(load, 'changed rules', {
      path: '/api/console/users/user9/profile',
      options: { method: 'PUT', body: { profile: 'trusted' } },
    });
    daemon.kill('SIGKILL');
    await daemon.exited;
    daemon = await restarted(daemon, { environment, report });
  } finally {
    await daemon.stop();
  }
}

async function assign({ daemon, person }: Load, userId: string, profile: string): Promise<void> {
  await daemon.call(`/api/console/users/${userId}/profile`, { method: 'PUT', ...person, body: { profile } });
}

/** Makes the person let screenshots of a user through. */
async function grantOf({ daemon, person }: Load, userId: string): Promise<string> {
  const { id: targetDeviceId } = await daemon.register(undefined, userId);
  await daemon.submit({ ...screenshot, targetDeviceId }, { userId });
  const { body } = await daemon.call<{ items: Confirmation[] }>('/api/console/confirmations', person);
  const [prompt] = body.items;
  if (prompt === undefined) throw new Error('expected a prompt');
  const path = `/api/console/confirmations/${prompt.id}`;
  await daemon.call(`${path}/shown`, { method: 'POST', ...person });
  await pause(1_500);
  const { nonce, actionDigest } = prompt;
  const scope = prompt.scopes.map((each) => each.scope).findLast((each) => each !== 'task');
  const decided = await daemon.call(`${path}/decision`, {
    ...person,
    body: { decision: 'allow', scope, nonce, actionDigest },
  });
  if (decided.status !== 200) throw new Error(`expected the prompt to be allowed, got ${JSON.stringify(decided.body)}`);
  const grants = await daemon.call<{ items: Grant[] }>('/api/console/grants', person);
  const [grant] = grants.body.items;
  if (grant === undefined) throw new Error('expected a grant');
  return grant.id;
}

/** As many tasks of a hundred steps as one user may have; answers its device. */
async function fill(daemon: RunningDaemon, userId: string): Promise<string> {
  const { id: targetDeviceId } = await daemon.register(undefined, userId);
  const step = userId === 'user2' ? screenshot : wait;
  const steps = Array.from({ length: STEPS }, (_, index) => ({ id: `s${index}`, targetDeviceId, ...step }));
  for (let count = 0; count < TASKS_OF_USER; count += 1) {
    progress.at(`${count} of ${TASKS_OF_USER} tasks of each user are taken`);
    const { status } = await daemon.call<Task>('/api/tee/tasks', { userId, body: { steps, onFailure: 'continue' } });
    if (status !== 202) throw new Error(`expected a task to be taken, got ${status}`);
  }
  return targetDeviceId;
}

async function ending(
  { daemon, person, report }: Load,
  name: string,
  { path, options }: { path: string; options: CallOptions },
): Promise<void> {
  const meanwhile = askedUntilQuiet(daemon);
  const askedAtMs = performance.now();
  const headers = options.userId === undefined ? person.headers : {};
  const { status } = await daemon.call(path, { ...options, headers });
  const answerMs = performance.now() - askedAtMs;
  if (status >= 300) throw new Error(`expected ${path} to be answered, got ${status}`);
  const samples = await meanwhile;
  report.figure({ name: `${name}: the answer`, value: answerMs, unit: 'ms', goal: { atMost: 200 } });
  report.figure({ name: `${name}: GET /health meanwhile, p50`, value: median(samples), unit: 'ms' });
  report.figure({
    name: `${name}: the same, slowest`,
    value: Math.max(...samples),
    unit: 'ms',
    note: `${samples.length} samples in ${Math.round((performance.now() - askedAtMs) / 1_000)} s`,
  });
}

/** How long `GET /health` takes, again and again until the daemon has little to do. */
async function askedUntilQuiet(daemon: RunningDaemon): Promise<number[]> {
  const samples: number[] = [];
  let slowAtMs = performance.now();
  while (performance.now() - slowAtMs < QUIET_MS) {
    await pause(5);
    const askedAtMs = performance.now();
    await daemon.health();
    samples.push(performance.now() - askedAtMs);
    if ((samples.at(-1) ?? 0) > QUICK_MS) slowAtMs = performance.now();
  }
  return samples;
}

async function restarted(
  { dataDirectory }: RunningDaemon,
  { environment, report }: { environment: Record<string, string>; report: Report },
): Promise<RunningDaemon> {
  const startedAtMs = performance.now();
  const daemon = await startDaemonProcess(environment, dataDirectory);
  await daemon.health();
  report.figure({
    name: 'from the next start to its first answer to GET /health',
    value: performance.now() - startedAtMs,
    unit: 'ms',
  });
  const samples = await askedUntilQuiet(daemon);
  report.figure({ name: 'GET /health after that, slowest', value: Math.max(...samples), unit: 'ms' });
  return daemon;
}
