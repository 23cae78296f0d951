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
