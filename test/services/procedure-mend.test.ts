import { expect, test } from 'vitest';
import type { ProcedureSubmission } from '../../src/contract/procedure.ts';
import { RUN_BREAK_MS } from '../../src/contract/run.ts';
import type { ScreenElement } from '../../src/contract/screen.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { control, handsOf, submitOn } from './hands.ts';
import { answerLook } from './looks.ts';
import { done, notDone, type Rig, startServices } from './rig.ts';
import { answerPrompt, answerStep, settle, stepsNow } from './tasks-rig.ts';

const BOLD = { app: 'Mousepad', role: 'button', name: 'Bold' };

/** One click, and what must be true then. */
const PRESS: ProcedureSubmission = {
  name: 'Press',
  parameters: {},
  steps: [{ id: 'bold', actionType: 'Click', target: BOLD, parameters: {}, expect: { element: { name: 'Saved' } } }],
  may: { critical: [], minutes: 5 },
};

const GONE = { code: 'target_gone', message: 'Nothing on the screen answers to it.' } as const;

const kept = (rig: Rig, procedure = PRESS) => rig.services.procedures.keep('ann', procedure);

/** A run that the person allowed, at the step that looks for its control. */
async function begun(rig: Rig): Promise<string> {
  const { digest } = kept(rig) as { digest: string };
  const targetDeviceId = handsOf(rig);
  rig.services.console.procedures.approve('Press', { userId: 'ann', digest, targetDeviceId, days: 1, runs: 1 });
  const body = { procedure: 'Press', parameters: {}, targetDeviceId };
  const gone = new AbortController().signal;
  const answer = await rig.services.procedures.run({ userId: 'ann', body, waitMs: 0, gone });
  if (isRefusal(answer) || answer.kind !== 'task') throw new Error(JSON.stringify(answer));
  await settle();
  return answer.task.taskId;
}

const element = (id: string, overrides: Partial<ScreenElement>): ScreenElement => ({
  ...{ id, role: 'button', name: 'Bold', bounds: { x: 1, y: 1, width: 9, height: 9 }, enabled: true, focused: false },
  ...{ actions: [], windowId: 'w1', parentId: null, depth: 1, ...overrides },
});

const DESKTOP = {
  ...{ displays: [], frontmostApp: null, apps: [], text: [], focusedElement: null, frameId: 'f1' },
  ...{ complete: true, degradedReasons: [] },
  windows: [
    { id: 'w1', app: 'Mousepad', title: 'notes.txt' },
    { id: 'w2', app: 'Files', title: 'Home' },
  ].map((window) => ({
    ...{ ...window, pid: 7, bounds: { x: 0, y: 0, width: 90, height: 90 }, focused: false, onScreen: true, zIndex: 0 },
  })),
  elements: [
    element('e1', { windowId: 'w2', name: 'Up' }),
    element('e2', { role: 'textbox', name: 'Body' }),
    element('e3', { name: 'Strong' }),
    element('e4', { name: 'Strong' }),
    element('e5', { name: ' ' }),
    element('e6', { name: 'Unseen', bounds: null }),
  ],
};

/** What the person is told where the agent looks at this desktop. */
async function mend(rig: Rig, taskId: string) {
  const answer = rig.services.console.procedures.mend(taskId);
  const look = rig.agent.sent.findLast(({ actionType }) => actionType === 'DescribeScreen');
  if (look !== undefined) await rig.agent.answer(done({ data: DESKTOP }), look);
  return answer;
}

test('a run whose control is gone tells its step, what it looked for and the controls that are there, equal ones by number', async () => {
  const rig = startServices();
  const taskId = await begun(rig);
  await answerLook(rig, notDone(GONE));
  await settle();
  expect(stepsNow(rig, taskId)).toEqual({ bold: 'failed', 'bold:expect': 'skipped' });
  const strong = { ...BOLD, name: 'Strong' };
  expect(await mend(rig, taskId)).toMatchObject({
    procedure: { name: 'Press', version: 1 },
    ...{ stepId: 'bold', isExpectation: false, wanted: 'button "Bold" of Mousepad' },
    problem: expect.stringContaining(GONE.message),
    controls: [
      { target: { ...strong, nth: 1 }, words: 'button "Strong" (number 1 of equal ones) of Mousepad' },
      { target: { ...strong, nth: 2 } },
      { target: { app: 'Mousepad', role: 'textbox', name: 'Body' } },
      { target: { app: 'Files', role: 'button', name: 'Up' } },
    ],
  });
  expect(rig.agent.sent.at(-1)?.requester).toBeUndefined();
});

test('N54: a procedure that was mended runs only with a new approval, and its earlier run is mended no more', async () => {
  const rig = startServices();
  const taskId = await begun(rig);
  await answerLook(rig, notDone(GONE));
  await settle();
  kept(rig, { ...PRESS, steps: PRESS.steps.map((step) => ({ ...step, target: { ...BOLD, name: 'Strong' } })) });
  expect(rig.services.procedures.intents('ann')).toEqual([]);
  expect(await mend(rig, taskId)).toMatchObject({ refused: 'confirmation_stale' });
});

test('a run whose expectation failed tells what was expected', async () => {
  const rig = startServices();
  const taskId = await begun(rig);
  await answerLook(rig, control());
  await settle();
  await answerStep(rig, taskId, 'bold', done());
  await settle();
  await answerStep(rig, taskId, 'bold:expect', notDone({ code: 'timeout', message: 'It did not appear.' }));
  await settle();
  expect(await mend(rig, taskId)).toMatchObject({ stepId: 'bold', isExpectation: true, wanted: 'control “Saved”' });
});

test('a task that is no procedure, one without a miss and an agent that does not answer leave nothing to mend', async () => {
  const rig = startServices();
  const taskId = await begun(rig);
  expect(await mend(rig, taskId)).toMatchObject({ refused: 'not_found' });
  expect(await mend(rig, 'tsk_01ARZ3NDEKTSV4RRFFQ69G5FAV')).toMatchObject({ refused: 'task_not_found' });
  await answerLook(rig, notDone(GONE));
  await settle();
  rig.agent.become('offline');
  expect(await mend(rig, taskId)).toMatchObject({ refused: 'device_offline' });
});

/** The same press as an action of its own, which the person allows. */
async function press(rig: Rig): Promise<string> {
  const { actionId } = await submitOn(rig, { actionType: 'Click', parameters: { elementId: 'e1' } });
  await answerPrompt(rig, 'allow');
  await settle();
  await rig.agent.answer(done());
  await settle();
  return actionId;
}

test('steps that the person allowed in three runs of a week are counted, until a procedure does them', async () => {
  const rig = startServices();
  const hint = (id: string) => rig.services.console.procedures.hint(id);
  await press(rig);
  rig.clock.setWallClock(rig.clock.nowMs() + 7 * 24 * 3_600_000);
  let latest = '';
  for (let count = 1; count <= 3; count += 1) {
    latest = await press(rig);
    expect(await hint(latest)).toEqual({ steps: 1, times: count });
    rig.clock.setWallClock(rig.clock.nowMs() + 2 * RUN_BREAK_MS);
  }
  kept(rig);
  expect(await hint(latest)).toEqual({ steps: 0, times: 0 });
  expect(await hint('act_01ARZ3NDEKTSV4RRFFQ69G5FAV')).toMatchObject({ refused: 'action_not_found' });
});
