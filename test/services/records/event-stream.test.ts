import { expect } from 'vitest';
import { done, type Rig, test } from '../rig.ts';
import { answerStep, submittedTask } from '../tasks-rig.ts';

function eventsOf(rig: Rig, userId: string, afterId = 0) {
  return rig.services.events.read(afterId, { userId, limit: 100 }).events;
}

test('whoever has a device is told when it goes offline and comes back, and is told once', ({ rig }) => {
  rig.services.devices.register('bob', { type: 'linux', name: 'His', capabilities: {} });
  rig.agent.become('online');
  const afterId = rig.services.events.latestId();
  rig.agent.become('offline');
  rig.agent.become('starting');
  rig.agent.become('online');
  rig.agent.report({ automation: 'granted' });
  for (const userId of ['ann', 'bob']) {
    const told = eventsOf(rig, userId, afterId).map(({ kind, metadata }) => ({ kind, metadata }));
    expect(told).toEqual([
      { kind: 'device.offline', metadata: {} },
      { kind: 'device.online', metadata: {} },
    ]);
  }
});

test('what happens to the action of a step names the step and its task', async ({ rig }) => {
  const { taskId } = await submittedTask(rig, [{ id: 'look' }]);
  await answerStep(rig, taskId, 'look', done());
  const ofActions = eventsOf(rig, 'ann').filter(({ kind }) => kind.startsWith('action.'));
  expect(ofActions.map(({ kind }) => kind)).toEqual(['action.requested', 'action.dispatched', 'action.succeeded']);
  for (const { metadata } of ofActions) expect(metadata).toMatchObject({ taskId, stepId: 'look' });
});

test('so does the wish to cancel it', async ({ rig }) => {
  const { taskId } = await submittedTask(rig, [{ id: 'look' }]);
  rig.services.tasks.cancel('ann', taskId);
  const asked = eventsOf(rig, 'ann').find(({ kind }) => kind === 'action.cancel_requested');
  expect(asked?.metadata).toEqual({ taskId, stepId: 'look', by: 'requester', withTask: true });
});

test('an action of its own names neither', async ({ rig }) => {
  await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 0 } });
  for (const { metadata } of eventsOf(rig, 'ann').filter(({ kind }) => kind.startsWith('action.')))
    expect(Object.keys(metadata)).not.toEqual(expect.arrayContaining(['taskId']));
});
