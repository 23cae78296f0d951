import { expect, test } from 'vitest';
import { type Rig, startServices } from '../rig.ts';
import { settle, submittedTask } from '../tasks-rig.ts';

const WAIT = { actionType: 'Wait', parameters: { durationMs: 5 } };

test('the status lists what has not ended, the newest first: tasks without their actions, and no prompt of an action', async () => {
  const rig = startServices();
  rig.agent.become('online');
  const { actionId } = await rig.submitted(WAIT);
  await rig.submitted({ actionType: 'TakeScreenshot', parameters: {} });
  rig.clock.advance(1_000);
  const { taskId } = await submittedTask(rig, [{ id: 'wait' }], { name: 'Tidy up' });
  expect(listed(rig)).toEqual([
    ['task', taskId, 'ann', 'Tidy up', 'running'],
    ['action', actionId, 'ann', 'Wait for 5 ms', 'running'],
  ]);
  rig.services.console.tasks.cancelByPerson(taskId);
  rig.services.console.actions.cancelByPerson(actionId);
  expect(listed(rig).map(([, id]) => id)).toEqual([taskId, actionId]);
});

test('the status lists the latest twenty unfinished actions and tasks', async () => {
  const rig = startServices();
  for (let count = 0; count < 21; count += 1) {
    await submittedTask(rig, [{ id: 'wait' }], { name: `Task ${count}` });
    rig.clock.advance(1);
  }
  const names = listed(rig).map(([, , , title]) => title);
  expect([names.length, names[0], names.at(-1)]).toEqual([20, 'Task 20', 'Task 1']);
});

test('a task that needs an answer stays in the list behind twenty newer ones', async () => {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', 'trusted');
  const quit = { actionType: 'QuitApp', parameters: { appName: 'mousepad' }, timeoutMs: 1_000 };
  const { taskId } = await submittedTask(rig, [{ id: 'quit', ...quit }]);
  rig.clock.advance(3_000 + 7_500);
  await settle();
  for (let count = 0; count < 21; count += 1) {
    await submittedTask(rig, [{ id: 'wait' }], { name: `Task ${count}` });
    rig.clock.advance(1);
  }
  const last = listed(rig).at(-1);
  expect([listed(rig).length, last?.[1], last?.[4]]).toEqual([20, taskId, 'needs_attention']);
});

function listed({ services }: Rig) {
  return services.console
    .status()
    .underWay.map(({ kind, id, userId, title, status }) => [kind, id, userId, title, status]);
}
