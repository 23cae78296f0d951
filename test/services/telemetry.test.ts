import { expect, it } from 'vitest';
import { done, type Rig, startServices } from './rig.ts';
import { answerPrompt, answerStep, submittedTask } from './tasks-rig.ts';

const screenshot = { id: 'shot', actionType: 'TakeScreenshot', parameters: {} };

it('counts in the total of tasks those that it tells the status of, whether they ever began or not', async () => {
  const rig = startServices();
  const { taskId } = await submittedTask(rig, [{ id: 'wait' }]);
  await answerStep(rig, taskId, 'wait', done());
  await submittedTask(rig, [screenshot]);
  await answerPrompt(rig, 'deny');
  await submittedTask(rig, [{ id: 'quit', actionType: 'QuitApp', parameters: { appName: 'mousepad' } }]);
  rig.clock.advance(1_000);
  expect(tasksIn(rig)).toMatchObject({
    total: 3,
    byStatus: { success: 1, failed: 1, awaiting_confirmation: 1, pending: 0, running: 0, cancelled: 0 },
  });
});

it('counts a task under its status of now, and reads no task for that', async () => {
  const rig = startServices();
  const { taskId } = await submittedTask(rig, [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }]);
  const second = await submittedTask(rig, [screenshot]);
  const after = () => tasksIn(rig).byStatus;
  Object.assign(rig.store.tasks, {
    live() {
      throw new Error('no task may be read');
    },
  });
  expect(after()).toMatchObject({ running: 1, awaiting_confirmation: 1, pending: 0 });
  await answerStep(rig, taskId, 'a', done());
  rig.services.tasks.cancel('ann', second.taskId);
  rig.clock.advance(1_000);
  expect(after()).toMatchObject({ running: 1, awaiting_confirmation: 0, cancelled: 1 });
  await answerStep(rig, taskId, 'b', done());
  rig.clock.advance(1_000);
  expect(after()).toMatchObject({ running: 0, success: 1, cancelled: 1 });
});

it('counts the tasks that an earlier run left', async () => {
  const rig = startServices();
  await submittedTask(rig, [{ id: 'a' }]);
  expect(tasksIn(rig.crashAndRestart()).total).toBe(1);
});

it('counts actions that have not ended under their status of now', async () => {
  const rig = startServices();
  const now = () => rig.services.guardian.telemetry({ kind: 'nobody' }, { lengthMs: 3_600_000 }).actions.byStatus;
  for (let count = 0; count < 18; count += 1)
    await rig.submitted({ parameters: { durationMs: 1 }, timeoutMs: 600_000 });
  await rig.submitted({ actionType: 'TakeScreenshot', parameters: {} });
  expect(now()).toMatchObject({ running: 16, queued: 2, awaiting_confirmation: 1 });
  await rig.agent.answer(done(), rig.agent.sent[0]);
  await answerPrompt(rig, 'deny');
  expect(now()).toMatchObject({ running: 16, queued: 1, awaiting_confirmation: 0 });
  expect(startedAgain(rig)).toMatchObject({ running: 1, queued: 0, awaiting_confirmation: 0 });
});

/** The same after a crash and a start, which ends what ran and sends what waited. */
function startedAgain(rig: Rig) {
  const after = rig.crashAndRestart();
  return after.services.guardian.telemetry({ kind: 'nobody' }, { lengthMs: 3_600_000 }).actions.byStatus;
}

it('tells the median and the 95th and 99th percentile of how long actions took', async () => {
  const rig = startServices();
  // 100 actions of 10, 20 … 1,000 ms: the quantiles of rank are 500, 950 and 990 ms, told within 2 %.
  for (let durationMs = 10; durationMs <= 1_000; durationMs += 10) {
    await rig.submitted({ actionType: 'DescribeScreen' });
    await rig.clock.advance(durationMs);
    await rig.agent.answer(done());
  }
  const { durationMs } = rig.services.guardian.telemetry({ kind: 'nobody' }, { lengthMs: 3_600_000 }).actions;
  const near = (expected: number, told: number | null) => Math.abs((told ?? 0) - expected) <= expected * 0.02;
  expect([near(500, durationMs.p50), near(950, durationMs.p95), near(990, durationMs.p99)]).toEqual([true, true, true]);
});

function tasksIn({ services }: Rig) {
  return services.guardian.telemetry({ kind: 'nobody' }, { lengthMs: 3_600_000 }).tasks;
}
