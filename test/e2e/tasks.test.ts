import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { StepSubmission, Task } from '../../src/contract/task.ts';
import { until } from '../desktop/processes.ts';
import { type RunningDaemon, startDaemonProcess } from './daemon.ts';

const FAKE = { HANDRAIL_AGENT_DRIVER: 'fake' };

function submit(daemon: RunningDaemon, steps: StepSubmission[], headers: Record<string, string> = {}) {
  return daemon.call<Task>('/api/tee/tasks', { userId: 'ann', body: { steps }, headers });
}

async function taskOf(daemon: RunningDaemon, { taskId }: Task): Promise<Task> {
  return (await daemon.call<Task>(`/api/tee/tasks/${taskId}`, { userId: 'ann' })).body;
}

const ended = (daemon: RunningDaemon, task: Task): Promise<Task> =>
  until('the task ends', async () => {
    const now = await taskOf(daemon, task);
    return now.finishedAt === undefined ? undefined : now;
  });

test('a task of two steps runs in order, with one confirmation for its plan, asked when it was submitted', async () => {
  const home = mkdtempSync(join(tmpdir(), 'handrail-tasks-'));
  const daemon = await startDaemonProcess({ HOME: home });
  try {
    const { id: targetDeviceId } = await daemon.register();
    const person = await daemon.signIn();
    await daemon.agentOnline();
    const { body: submitted } = await submit(daemon, [
      { id: 'open', actionType: 'OpenApp', targetDeviceId, parameters: { appName: 'mousepad' } },
      { id: 'shot', actionType: 'TakeScreenshot', targetDeviceId, parameters: {}, dependsOn: ['open'] },
    ]);
    const prompts = await person.prompts();
    expect(prompts).toMatchObject([
      {
        plan: {
          taskId: submitted.taskId,
          steps: [
            { id: 'open', consent: 'none' },
            { id: 'shot', consent: 'asked', arguments: '{}', dependsOn: ['open'] },
          ],
        },
      },
    ]);
    expect(submitted.steps).toMatchObject([{ attempts: 1 }, { attempts: 0, confirmation: { id: prompts[0]?.id } }]);
    expect(await person.answer('allow')).toMatchObject({ status: 200, body: { taskId: submitted.taskId } });
    const task = await ended(daemon, submitted);
    expect(task).toMatchObject({
      status: 'success',
      progress: { done: 2, total: 2 },
      steps: [{ attempts: 1 }, { attempts: 1 }],
    });
    const [opened, taken] = await Promise.all(
      task.steps.map(async ({ actionId }) => {
        return (await daemon.call<Action>(`/api/tee/actions/${actionId}`, { userId: 'ann' })).body;
      }),
    );
    expect(opened).toMatchObject({ taskId: task.taskId, stepId: 'open', effect: 'confirmed' });
    expect(taken).toMatchObject({
      stepId: 'shot',
      artifacts: [{ mediaType: 'image/png', width: 1_920, height: 1_080 }],
    });
    expect(Date.parse(String(taken?.createdAt))).toBeGreaterThanOrEqual(Date.parse(String(opened?.finishedAt)));
    expect(await person.prompts()).toEqual([]);
    const { body } = await daemon.call<{ confirmations: unknown }>('/api/guardian/tee/metrics?window=1h');
    expect(body.confirmations).toMatchObject({ total: 1, byOutcome: { allowed: 1 } });
  } finally {
    await daemon.stop();
    rmSync(home, { recursive: true, force: true });
  }
}, 90_000);

const wait = (targetDeviceId: string, id: string, durationMs: number, dependsOn: string[] = []): StepSubmission => {
  return { id, actionType: 'Wait', targetDeviceId, parameters: { durationMs }, dependsOn };
};

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a daemon that got %s in the middle of a task is followed by one that finishes it',
  async (signal) => {
    const first = await startDaemonProcess(FAKE);
    const { id: deviceId } = await first.register();
    const steps = [wait(deviceId, 'a', 0), wait(deviceId, 'b', 3_000, ['a']), wait(deviceId, 'c', 0, ['b'])];
    const { body: task } = await submit(first, steps);
    await until(
      'the second step runs',
      async () => (await taskOf(first, task)).steps[1]?.status === 'running' || undefined,
    );
    first.kill(signal);
    await first.exited;
    const second = await startDaemonProcess(FAKE, first.dataDirectory);
    try {
      expect(await ended(second, task)).toMatchObject({
        status: 'success',
        steps: [
          { status: 'success', attempts: 1 },
          { status: 'success', attempts: 2 },
          { status: 'success', attempts: 1 },
        ],
      });
    } finally {
      await second.stop();
    }
  },
);
