import { expect, test } from 'vitest';
import { ALL, done, notDone, type Rig, startServices } from './rig.ts';
import { answerPrompt, answerStep, type Step, settle, stepsNow, submittedTask, taskNow } from './tasks-rig.ts';

const quitApp = (appName: string) => ({ actionType: 'QuitApp', parameters: { appName } });

test('a task whose plan the person denied is no failed task', async () => {
  const rig = startServices();
  const { taskId } = await submittedTask(rig, [{ id: 'quit', ...quitApp('mousepad') }]);
  await answerPrompt(rig, 'deny');
  expect(taskNow(rig, taskId).status).toBe('failed');
  expect(countersOf(rig)).toMatchObject({ planDenied: 1, taskFailed: 0 });
  const { tasks } = rig.services.guardian.telemetry({ kind: 'person' }, { lengthMs: 3_600_000 });
  expect(tasks).toMatchObject({ total: 1, byStatus: { failed: 1 } });
});

test('a task that was denied and also failed by itself is a failed task', async () => {
  const rig = startServices();
  rig.agent.become('online');
  const steps: Step[] = [{ id: 'quit', ...quitApp('mousepad') }, { id: 'wait' }];
  const { taskId } = await submittedTask(rig, steps, { onFailure: 'continue' });
  await answerPrompt(rig, 'deny');
  await answerStep(rig, taskId, 'wait', notDone());
  expect(taskNow(rig, taskId).status).toBe('failed');
  expect(countersOf(rig)).toMatchObject({ planDenied: 0, taskFailed: 1 });
});

test('an action at high risk counts as executed when it has ended, and not if the agent says that nothing was changed', async () => {
  const rig = startServices();
  rig.agent.become('online');
  const executed: number[] = [];
  for (const outcome of [done(), notDone({ sideEffect: 'unknown' }), notDone({ sideEffect: 'none' })]) {
    await rig.submitted({ actionType: 'OpenApp', parameters: { appName: `xterm` } });
    await answerPrompt(rig, 'allow');
    executed.push(countersOf(rig).executedHigh);
    await rig.agent.answer(outcome);
    executed.push(countersOf(rig).executedHigh);
  }
  expect(executed).toEqual([0, 1, 1, 2, 2, 2]);
  expect(countersOf(rig)).toMatchObject({ executed: 3, executedElevated: 3, executedWithoutEffect: 1 });
});

test('a step whose capability is missing when it is its turn counts as one refused request', async () => {
  const rig = startServices();
  rig.agent.become('online');
  const capabilities = { ...ALL, canOpenApps: false };
  const { device } = rig.services.devices.register('ann', { type: 'linux', name: 'Weak', capabilities });
  const open = {
    actionType: 'OpenApp',
    targetDeviceId: device.deviceId,
    parameters: { appName: { $from: 'look.data.app' } },
  };
  const steps: Step[] = [
    { id: 'look', actionType: 'DescribeScreen', parameters: {} },
    { id: 'open', dependsOn: ['look'], ...open },
  ];
  const { taskId } = await submittedTask(rig, steps);
  await answerStep(rig, taskId, 'look', done({ data: { app: 'mousepad' } }));
  await settle();
  expect(stepsNow(rig, taskId)).toEqual({ look: 'success', open: 'blocked' });
  expect(countersOf(rig)).toMatchObject({ requested: 1, requestRefused: 1 });
});

test('the share of tasks that a person intervened in moves when the person cancels one, and not when its requester does', async () => {
  const rig = startServices();
  rig.agent.become('online');
  const taskIds: string[] = [];
  for (let count = 0; count < 5; count += 1) taskIds.push((await submittedTask(rig, [{ id: 'wait' }])).taskId);
  const [first = '', second = ''] = taskIds;
  rig.services.console.tasks.cancelByPerson(first);
  rig.services.tasks.cancel('ann', second);
  for (const taskId of [first, second])
    await answerStep(rig, taskId, 'wait', notDone({ cancelled: true, sideEffect: 'none' }));
  expect([first, second].map((taskId) => taskNow(rig, taskId).status)).toEqual(['cancelled', 'cancelled']);
  expect(countersOf(rig)).toMatchObject({
    cancelRequested: 2,
    cancelledByPerson: 1,
    taskCancelled: 2,
    taskIntervened: 1,
  });
  rig.clock.advance(1_000);
  const { items } = rig.services.guardian.metrics({ lengthMs: 3_600_000 }, ['human_intervention_rate']);
  expect(items).toMatchObject([{ value: 0.2, sampleSize: 5 }]);
});

test('a task of which the person cancels one step counts as intervened in once, and one whose requester does so does not', async () => {
  const rig = startServices();
  rig.agent.become('online');
  const ofPerson = await submittedTask(rig, [{ id: 'one' }, { id: 'two' }], { onFailure: 'continue' });
  const ofRequester = await submittedTask(rig, [{ id: 'one' }]);
  const actionOf = (taskId: string, id: string) =>
    String(rig.store.tasks.findById(taskId)?.steps.find((step) => step.id === id)?.actionId);
  rig.services.console.actions.cancelByPerson(actionOf(ofPerson.taskId, 'one'));
  rig.services.actions.cancel('ann', actionOf(ofRequester.taskId, 'one'));
  await answerStep(rig, ofPerson.taskId, 'one', notDone({ cancelled: true, sideEffect: 'none' }));
  await answerStep(rig, ofRequester.taskId, 'one', notDone({ cancelled: true, sideEffect: 'none' }));
  await answerStep(rig, ofPerson.taskId, 'two', done());
  await settle();
  expect(countersOf(rig)).toMatchObject({ cancelledByPerson: 1, taskIntervened: 1 });
});

test('the emergency stop counts once for each task and each action of no task', async () => {
  const rig = startServices();
  rig.agent.become('online');
  await submittedTask(rig, [{ id: 'one' }, { id: 'two' }]);
  await rig.submitted({ actionType: 'Wait', parameters: { durationMs: 5 } });
  rig.services.console.pause();
  await settle();
  expect(countersOf(rig)).toMatchObject({ cancelRequested: 3, cancelledByPerson: 2 });
});

function countersOf({ store, clock }: Rig) {
  const nowMs = clock.nowMs();
  return store.recording.recorded({ fromMs: 0, toMs: nowMs + 60_000 }, nowMs).rollup.counters;
}
