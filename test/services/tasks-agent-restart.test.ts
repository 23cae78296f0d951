import { expect, test } from 'vitest';
import { answerLook, looksOf } from './looks.ts';
import { done, notDone, startServices } from './rig.ts';
import { answerStep, settle, stepsNow, submittedTask } from './tasks-rig.ts';

const read = { id: 'read', dependsOn: ['first'], actionType: 'ReadFile', parameters: { path: '/home/ann/notes.txt' } };

/** A task whose second step names a path, at the moment when that step may begin and the agent is being started again. */
async function atTheRestart() {
  const rig = startServices();
  const submitting = submittedTask(rig, [{ id: 'first' }, read]);
  await settle();
  await answerLook(rig, notDone());
  const { taskId: id } = await submitting;
  await settle();
  rig.agent.become('starting');
  await answerStep(rig, id, 'first', done());
  await settle();
  return { rig, id, asked: looksOf(rig).length };
}

test('a step whose path has to be looked up waits for an agent that is starting, and is looked up when it is there', async () => {
  const { rig, id, asked } = await atTheRestart();
  expect(stepsNow(rig, id)).toEqual({ first: 'success', read: 'pending' });
  rig.clock.advance(5_000);
  await settle();
  expect([stepsNow(rig, id).read, looksOf(rig).length]).toEqual(['pending', asked]);
  rig.agent.become('online');
  await settle();
  expect([stepsNow(rig, id).read, looksOf(rig).length]).toEqual(['pending', asked + 1]);
});

test('a step waits ten seconds for an agent that does not come, three more times, and then fails without a prompt', async () => {
  const { rig, id } = await atTheRestart();
  for (let waits = 0; waits < 4; waits += 1) {
    expect(stepsNow(rig, id)).toEqual({ first: 'success', read: 'pending' });
    rig.clock.advance(10_000);
    await settle();
    await settle();
  }
  expect(stepsNow(rig, id)).toEqual({ first: 'success', read: 'failed' });
  expect(rig.services.console.confirmations.list()).toEqual([]);
});
