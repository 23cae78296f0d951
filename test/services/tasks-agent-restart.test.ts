import { expect, test } from 'vitest';
import { RESOLVE_PATHS } from '../../src/contract/link.ts';
import { done, notDone, type Rig, startServices } from './rig.ts';
import { answerStep, settle, stepsNow, submittedTask } from './tasks-rig.ts';

const read = { id: 'read', dependsOn: ['first'], actionType: 'ReadFile', parameters: { path: '/home/ann/notes.txt' } };

const questions = ({ agent }: Rig) => agent.sent.filter(({ actionType }) => actionType === RESOLVE_PATHS);

/** A task whose second step names a path, at the moment when that step may begin and the agent is being started again. */
async function atTheRestart() {
  const rig = startServices();
  const submitting = submittedTask(rig, [{ id: 'first' }, read]);
  await settle();
  await rig.agent.answer(notDone());
  const { taskId: id } = await submitting;
  await settle();
  // An answer about a path is old after two seconds.
  rig.clock.advance(2_500);
  rig.agent.become('starting');
  await answerStep(rig, id, 'first', done());
  await settle();
  return { rig, id, asked: questions(rig).length };
}

test('a step whose path has to be looked up waits for an agent that is starting, and is looked up when it is there', async () => {
  const { rig, id, asked } = await atTheRestart();
  expect(stepsNow(rig, id)).toEqual({ first: 'success', read: 'pending' });
  rig.clock.advance(5_000);
  await settle();
  expect([stepsNow(rig, id).read, questions(rig).length]).toEqual(['pending', asked]);
  rig.agent.become('online');
  await settle();
  expect([stepsNow(rig, id).read, questions(rig).length]).toEqual(['pending', asked + 1]);
});

test('a step waits no longer than ten seconds for an agent that does not come, and is then judged without it', async () => {
  const { rig, id } = await atTheRestart();
  rig.clock.advance(10_000);
  await settle();
  await settle();
  expect(stepsNow(rig, id)).toEqual({ first: 'success', read: 'awaiting_confirmation' });
});
