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

function tasksIn({ services }: Rig) {
  return services.guardian.telemetry({ kind: 'nobody' }, { lengthMs: 3_600_000 }).tasks;
}
