import autocannon from 'autocannon';
import type { StepSubmission, Task } from '../../src/contract/task.ts';
import { until } from '../desktop/processes.ts';
import { type RunningDaemon, startDaemonProcess } from '../e2e/daemon.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median } from './statistics.ts';

/** Each connection has one task at a time, and a requester may have twenty. */
const CONNECTIONS = 16;
const TASKS = Math.max(CONNECTIONS, shortened(1_000));

type Page = { items: Task[]; nextCursor: string | null };

/** Tasks of steps that do nothing, on a daemon with an agent process of its own and no desktop. */
export async function benchTasks(report: Report): Promise<void> {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake', HANDRAIL_RATE_LIMITS: 'off' });
  try {
    const { id: deviceId } = await daemon.register();
    await finished(daemon, chainOf(deviceId, 20));
    await benchShapes(daemon, deviceId, report);
    await benchCrowd(daemon, deviceId, report);
  } finally {
    await daemon.stop();
  }
}

async function benchShapes(daemon: RunningDaemon, deviceId: string, report: Report): Promise<void> {
  report.heading('A task of 100 steps that do nothing (Wait of 0 ms): from the call to its end');
  const chain = await sampled(7, () => finished(daemon, chainOf(deviceId, 100)));
  report.figure({ name: 'one after the other, p50 of 7', value: median(chain), unit: 'ms', goal: { atMost: 500 } });
  const fan = await sampled(7, () => finished(daemon, fanOf(deviceId, 100)));
  report.figure({ name: 'side by side, p50 of 7', value: median(fan), unit: 'ms', goal: { atMost: 300 } });
}

/** A thousand tasks at once, while somebody keeps asking how the daemon is. */
async function benchCrowd(daemon: RunningDaemon, deviceId: string, report: Report): Promise<void> {
  report.heading(
    `${TASKS} tasks of four steps (one, two side by side, one), submitted over ${CONNECTIONS} connections`,
  );
  const since = new Date().toISOString();
  const startedAtMs = performance.now();
  const watch = watchHealth(daemon);
  const submitted = await autocannon({
    url: `${daemon.base}/api/tee/tasks`,
    workers: 1,
    connections: CONNECTIONS,
    amount: TASKS,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user-id': 'ann', prefer: 'wait=60' },
    body: JSON.stringify({ steps: diamondOf(deviceId) }),
  });
  const ended = await until('every task has ended', () => endedSince(daemon, since), 120_000);
  const endedMs = performance.now() - startedAtMs;
  const health = await watch.stop();
  report.figure({ name: 'all have ended after', value: endedMs, unit: 'ms' });
  report.figure({ name: 'answered when they had ended', value: submitted['2xx'], unit: '', goal: { atLeast: TASKS } });
  report.figure({ name: 'ended with success', value: ended, unit: '', goal: { atLeast: TASKS } });
  const { slowestMs, notOk, samples } = health;
  report.figure({ name: '/health meanwhile, slowest', value: slowestMs, unit: 'ms', note: `${samples} samples` });
  report.figure({ name: '/health meanwhile, not 200', value: notOk, unit: '', goal: { atMost: 0 } });
}

function watchHealth(daemon: RunningDaemon) {
  const seen = { slowestMs: 0, notOk: 0, samples: 0 };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const askedAtMs = performance.now();
      const { status } = await daemon.health();
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - askedAtMs);
      seen.notOk += status === 200 ? 0 : 1;
      seen.samples += 1;
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return seen;
    },
  };
}

/** How many have succeeded, counted once none is left that has not ended. */
async function endedSince(daemon: RunningDaemon, since: string): Promise<number | undefined> {
  const page = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ since, ...query });
    return (await daemon.call<Page>(`/api/tee/tasks?${search}`, { userId: 'ann' })).body;
  };
  const open = await page({ status: 'pending,running,awaiting_confirmation,needs_attention', limit: '1' });
  if (open.items.length > 0) return undefined;
  let { items, nextCursor } = await page({ status: 'success', limit: '500' });
  let count = items.length;
  while (nextCursor !== null) {
    ({ items, nextCursor } = await page({ status: 'success', limit: '500', cursor: nextCursor }));
    count += items.length;
  }
  return count;
}

async function finished(daemon: RunningDaemon, steps: StepSubmission[]): Promise<void> {
  const headers = { prefer: 'wait=60' };
  const { status, body } = await daemon.call<Task>('/api/tee/tasks', { userId: 'ann', body: { steps }, headers });
  if (body.status !== 'success') throw new Error(`expected a task that succeeds, got ${status} ${body.status}`);
}

async function sampled(count: number, work: () => Promise<void>): Promise<number[]> {
  const samples: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAtMs = performance.now();
    await work();
    samples.push(performance.now() - startedAtMs);
  }
  return samples;
}

function stepOf(targetDeviceId: string, id: string, dependsOn: string[] = []): StepSubmission {
  return { id, actionType: 'Wait', targetDeviceId, parameters: { durationMs: 0 }, dependsOn };
}

function chainOf(deviceId: string, count: number): StepSubmission[] {
  return Array.from({ length: count }, (_, n) => stepOf(deviceId, `s${n}`, n === 0 ? [] : [`s${n - 1}`]));
}

function fanOf(deviceId: string, count: number): StepSubmission[] {
  return Array.from({ length: count }, (_, n) => stepOf(deviceId, `s${n}`));
}

function diamondOf(deviceId: string): StepSubmission[] {
  return [
    stepOf(deviceId, 'first'),
    stepOf(deviceId, 'left', ['first']),
    stepOf(deviceId, 'right', ['first']),
    stepOf(deviceId, 'last', ['left', 'right']),
  ];
}
