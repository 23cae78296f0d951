import { expect } from 'vitest';
import type { ResolvedPath } from '../../src/contract/files.ts';
import { decide } from './answers.ts';
import { MOUSEPAD } from './hands.ts';
import { answerLook } from './looks.ts';
import { done, type Rig, startServices, test } from './rig.ts';
import {
  answerPrompt,
  answerStep,
  type Step,
  settle,
  stepsNow,
  submitTask,
  submittedTask,
  taskNow,
} from './tasks-rig.ts';

const FOLDER = { device: '1', inode: '1' };

function fileAt(path: string, inode: string | undefined, more: Partial<ResolvedPath> = {}): ResolvedPath {
  const known = { path, realPath: path, folder: FOLDER };
  return inode === undefined
    ? { ...known, kind: 'missing', ...more }
    : { ...known, kind: 'file', identity: { device: '1', inode }, ...more };
}

const AS_ASKED = { sizeBytes: 12, changedNs: '1000' };
const OLD = '/home/ann/work/old.txt';
const THESIS = '/home/ann/work/thesis';
const trash = { actionType: 'TrashFile', parameters: { path: OLD } };
const wait: Step = { id: 'wait', parameters: { durationMs: 5_000 } };

/** A plan that the person allowed, whose first step runs. `found`: what the agent finds at the paths of the plan. */
async function allowedPlan(rig: Rig, steps: readonly Step[], found: readonly ResolvedPath[]): Promise<string> {
  const submitted = submitTask(rig, steps);
  await settle();
  await answerLook(rig, ...found);
  const answer = await submitted;
  if (!('kind' in answer) || answer.kind !== 'task') throw new Error(`expected a task: ${JSON.stringify(answer)}`);
  await settle();
  await answerPrompt(rig, 'allow');
  return answer.task.taskId;
}

async function found(rig: Rig, ...files: readonly ResolvedPath[]): Promise<void> {
  await settle();
  await answerLook(rig, ...files);
  await settle();
}

/** A plan that became void is looked at once more, for a prompt of its own. */
async function foundTwice(rig: Rig, file: ResolvedPath): Promise<void> {
  await found(rig, file);
  await found(rig, file);
}

test.each([
  ['another file', fileAt(OLD, '8', AS_ASKED)],
  ['a folder', fileAt(OLD, '9', { kind: 'folder' })],
  ['the same file, longer,', fileAt(OLD, '7', { ...AS_ASKED, sizeBytes: 13 })],
  ['the same file, written into,', fileAt(OLD, '7', { ...AS_ASKED, changedNs: '1001' })],
])('F16: a step of an allowed plan asks again where %s lies at its path by then', async (_what, now) => {
  const rig = startServices();
  const taskId = await allowedPlan(
    rig,
    [wait, { id: 'trash', ...trash, dependsOn: ['wait'] }],
    [fileAt(OLD, '7', AS_ASKED)],
  );
  await answerStep(rig, taskId, 'wait', done());
  await foundTwice(rig, now);
  expect(stepsNow(rig, taskId)).toMatchObject({ trash: 'awaiting_confirmation' });
  expect(taskNow(rig, taskId).steps[1]?.attempts).toBe(1);
});

test('F16: a step that was asked about a path without a file asks again where a file lies there by then', async () => {
  const rig = startServices();
  const taskId = await allowedPlan(
    rig,
    [wait, { id: 'trash', ...trash, dependsOn: ['wait'] }],
    [fileAt(OLD, undefined)],
  );
  await answerStep(rig, taskId, 'wait', done());
  await foundTwice(rig, fileAt(OLD, '9'));
  expect(stepsNow(rig, taskId)).toMatchObject({ trash: 'awaiting_confirmation' });
});

test('F16: the same file, and one that an earlier step of the plan makes or moves there, need no other yes', async () => {
  const rig = startServices();
  const move = { actionType: 'MoveFile', parameters: { from: THESIS, to: OLD } };
  const steps = [
    { id: 'move', ...move },
    { id: 'trash', ...trash, dependsOn: ['move'] },
  ];
  const taskId = await allowedPlan(rig, steps, [fileAt(THESIS, '9'), fileAt(OLD, undefined)]);
  await found(rig, fileAt(THESIS, '9'), fileAt(OLD, undefined));
  await answerStep(rig, taskId, 'move', done());
  await found(rig, fileAt(OLD, '9'));
  expect(stepsNow(rig, taskId)).toEqual({ move: 'success', trash: 'running' });
});

test('A29: an access that the person took back comes by no later step of the plan that gave it', async ({ rig }) => {
  rig.agent.apps.set('Mousepad', done({ data: MOUSEPAD }));
  const ask = { actionType: 'RequestAccess', parameters: { apps: ['Mousepad'], allow: 'input', minutes: 5 } };
  const answer = await submitTask(rig, [
    { id: 'first', ...ask },
    { ...wait, dependsOn: ['first'] },
    { id: 'again', ...ask, dependsOn: ['wait'] },
  ]);
  if (!('kind' in answer) || answer.kind !== 'task') throw new Error(`expected a task: ${JSON.stringify(answer)}`);
  const { taskId } = answer.task;
  await answerPrompt(rig, 'allow');
  await settle();
  await answerStep(rig, taskId, 'first', done());
  const { grants } = rig.services.console;
  const [access] = grants.list();
  rig.clock.advance(1_000);
  grants.revoke(String(access?.id));
  rig.clock.advance(1_000);
  await answerStep(rig, taskId, 'wait', done());
  await settle();
  expect(stepsNow(rig, taskId)).toMatchObject({ wait: 'success', again: 'awaiting_confirmation' });
  expect(grants.list()).toEqual([]);
});

test.each([
  ['', {}],
  [' and may still undo', { undoable: true }],
])('A29: what the person denied since%s runs by no plan that they allowed before', async (_when, how) => {
  const rig = startServices();
  const quit = { actionType: 'QuitApp', parameters: { appName: 'mousepad' } };
  const { taskId } = await submittedTask(rig, [
    wait,
    { id: 'quit', ...quit, dependsOn: ['wait'] },
    { id: 'shot', actionType: 'TakeScreenshot', parameters: {}, dependsOn: ['quit'] },
  ]);
  await answerPrompt(rig, 'allow');
  rig.clock.advance(1_000);
  expect(await rig.submitted(quit)).toMatchObject({ status: 'awaiting_confirmation' });
  expect(decide(rig, 'deny', how)).not.toHaveProperty('refused');
  await answerStep(rig, taskId, 'wait', done());
  await settle();
  expect(stepsNow(rig, taskId)).toMatchObject({ wait: 'success', quit: 'denied' });
  expect(rig.agent.sent.filter(({ actionType }) => actionType === 'QuitApp')).toEqual([]);
});
