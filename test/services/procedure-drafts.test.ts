import { expect, test } from 'vitest';
import { RUN_BREAK_MS } from '../../src/contract/run.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { handsOf, submitOn } from './hands.ts';
import { done, type Rig, startServices } from './rig.ts';
import { answerPrompt, answerStep, settle, submittedTask } from './tasks-rig.ts';

const UNKNOWN_TASK = 'tsk_01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** An app is opened and a button in it clicked. Answers the ids of both actions. */
async function work(rig: Rig, appName: string): Promise<[string, string]> {
  const open = await submitOn(rig, { actionType: 'OpenApp', parameters: { appName } });
  await rig.agent.answer(done());
  const click = await submitOn(rig, { actionType: 'Click', parameters: { elementId: 'e1' } });
  await answerPrompt(rig, 'allow');
  await settle();
  await rig.agent.answer(done());
  await settle();
  return [open.actionId, click.actionId];
}

async function task(rig: Rig, appName: string): Promise<string> {
  const { taskId } = await submittedTask(rig, [
    { id: 'open', actionType: 'OpenApp', targetDeviceId: handsOf(rig), parameters: { appName } },
  ]);
  await answerStep(rig, taskId, 'open', done());
  return taskId;
}

const draft = (rig: Rig, source: object) => rig.services.procedures.draft('ann', { name: 'Bold', ...source });

const ALIKE = {
  draft: {
    parameters: { appName: { type: 'text' } },
    steps: [
      { actionType: 'OpenApp', parameters: { appName: { $parameter: 'appName' } } },
      { actionType: 'Click', target: { name: 'Bold' } },
    ],
  },
  faults: [],
};

test('two ways of doing that lie in one run are told apart by their last actions or by their first, in either order', async () => {
  const rig = startServices();
  const [open, click] = await work(rig, 'Mousepad');
  const [, clickAgain] = await work(rig, 'Mousepad 2');
  await submitOn(rig, { actionType: 'OpenApp', parameters: { appName: 'Later' } });
  await rig.agent.answer(done());
  expect(await draft(rig, { runOf: click, comparedWith: clickAgain })).toMatchObject(ALIKE);
  expect(await draft(rig, { runOf: clickAgain, comparedWith: click })).toMatchObject(ALIKE);
  const none = await draft(rig, { runOf: open, comparedWith: clickAgain });
  expect(none).toMatchObject({ refused: 'validation_failed' });
  expect(isRefusal(none) && none.detail).toContain('the last action of each');
  expect(await draft(rig, { runOf: click, comparedWith: click })).toMatchObject({ refused: 'validation_failed' });
});

test('two ways of doing in one run are told apart by their first actions', async () => {
  const rig = startServices();
  const [open] = await work(rig, 'Mousepad');
  const [openAgain] = await work(rig, 'Mousepad 2');
  expect(await draft(rig, { runOf: open, comparedWith: openAgain })).toMatchObject(ALIKE);
});

test('after a break the two are runs of their own, compared as a whole', async () => {
  const rig = startServices();
  const [open] = await work(rig, 'Mousepad');
  rig.clock.setWallClock(rig.clock.nowMs() + 2 * RUN_BREAK_MS);
  const [, clickAgain] = await work(rig, 'Mousepad 2');
  expect(await draft(rig, { runOf: open, comparedWith: clickAgain })).toMatchObject(ALIKE);
});

test('two tasks are compared; one that is not there, or the same again, is none to compare with', async () => {
  const rig = startServices();
  const [taskId, comparedWith] = [await task(rig, 'Mousepad'), await task(rig, 'Calculator')];
  expect(await draft(rig, { taskId, comparedWith })).toMatchObject({
    draft: { parameters: { appName: { type: 'text' } } },
    faults: [],
  });
  expect(await draft(rig, { taskId, comparedWith: UNKNOWN_TASK })).toMatchObject({ refused: 'validation_failed' });
  expect(await draft(rig, { taskId, comparedWith: taskId })).toMatchObject({ refused: 'validation_failed' });
});

test('what is not there is told with whose actions and tasks were looked through', async () => {
  const rig = startServices();
  const runOf = 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV';
  expect(await draft(rig, { runOf })).toEqual({
    refused: 'action_not_found',
    detail: `There is no action ${runOf} among those of ann.`,
  });
  expect(await draft(rig, { taskId: UNKNOWN_TASK })).toEqual({
    refused: 'validation_failed',
    detail: `There is no task ${UNKNOWN_TASK} among those of ann.`,
  });
});
