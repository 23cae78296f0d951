import { expect } from 'vitest';
import { type Rig, startServices, test } from '../rig.ts';
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

test('the status lists the latest twenty unfinished actions and tasks', async ({ rig }) => {
  const ids = await submittedMany(rig);
  expect(listed(rig).map(([, id]) => id)).toEqual(ids.toReversed().slice(0, 20));
});

test('a task that needs an answer stays in the list behind twenty newer ones', async ({ rig }) => {
  rig.services.console.profiles.assign('ann', 'trusted');
  const quit = { actionType: 'QuitApp', parameters: { appName: 'mousepad' }, timeoutMs: 1_000 };
  const { taskId } = await submittedTask(rig, [{ id: 'quit', ...quit }]);
  rig.clock.advance(3_000 + 7_500);
  await settle();
  await submittedMany(rig);
  const last = listed(rig).at(-1);
  expect([listed(rig).length, last?.[1], last?.[4]]).toEqual([20, taskId, 'needs_attention']);
});

/** Two actions, then nineteen tasks. Answers their ids. */
async function submittedMany(rig: Rig): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < 21; count += 1) {
    ids.push(count < 2 ? (await rig.submitted(WAIT)).actionId : (await submittedTask(rig, [{ id: 'wait' }])).taskId);
    rig.clock.advance(1);
  }
  return ids;
}

function listed({ services }: Rig) {
  return services.console
    .status()
    .underWay.map(({ kind, id, userId, title, status }) => [kind, id, userId, title, status]);
}
