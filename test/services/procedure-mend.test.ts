import { hash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { RESOLVE_TARGETS } from '../../src/contract/link.ts';
import type { ProcedureSubmission } from '../../src/contract/procedure.ts';
import { RUN_BREAK_MS } from '../../src/contract/run.ts';
import type { ScreenElement } from '../../src/contract/screen.ts';
import type { Received } from '../../src/services/agent/port.ts';
import type { Context } from '../../src/services/context.ts';
import { createMissPictures } from '../../src/services/procedures/misses.ts';
import { missOf } from '../../src/services/procedures/person.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import type { TaskRow } from '../../src/store/records/tasks.ts';
import { control, handsOf, submitOn } from './hands.ts';
import { answerLook } from './looks.ts';
import { done, notDone, type Rig, startServices } from './rig.ts';
import { answerPrompt, answerStep, settle, stepsNow, submittedTask } from './tasks-rig.ts';

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

/** A run, which the person allowed or not, at the step that looks for its control. */
async function begun(rig: Rig, { procedure = PRESS, isApproved = true } = {}): Promise<string> {
  const { digest } = kept(rig, procedure) as { digest: string };
  const targetDeviceId = handsOf(rig);
  const approval = { userId: 'ann', digest, targetDeviceId, days: 1, runs: 1 };
  if (isApproved) rig.services.console.procedures.approve('Press', approval);
  const body = { procedure: 'Press', parameters: {}, targetDeviceId };
  const gone = new AbortController().signal;
  const answer = await rig.services.procedures.run({ userId: 'ann', body, waitMs: 0, gone });
  if (isRefusal(answer) || answer.kind !== 'task') throw new Error(JSON.stringify(answer));
  await settle();
  return answer.task.taskId;
}

const element = (id: string, overrides: Partial<ScreenElement>): ScreenElement => ({
  id,
  role: 'button',
  name: 'Bold',
  bounds: { x: 1, y: 1, width: 9, height: 9 },
  enabled: true,
  focused: false,
  actions: [],
  windowId: 'w1',
  parentId: null,
  depth: 1,
  ...overrides,
});

const DESKTOP = {
  displays: [],
  frontmostApp: null,
  apps: [],
  text: [],
  focusedElement: null,
  frameId: 'f1',
  complete: true,
  degradedReasons: [],
  windows: [
    { id: 'w1', app: 'Mousepad', title: 'notes.txt' },
    { id: 'w2', app: 'Files', title: 'Home' },
  ].map((window) => ({
    ...window,
    pid: 7,
    bounds: { x: 0, y: 0, width: 90, height: 90 },
    focused: false,
    onScreen: true,
    zIndex: 0,
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

const MOUSEPAD = {
  id: 'w1',
  app: 'Mousepad',
  pid: 7,
  title: 'notes.txt',
  bounds: { x: 0, y: 0, width: 90, height: 90 },
};
const SHOT = { width: 90, height: 90, format: 'jpeg', scale: 1, bounds: MOUSEPAD.bounds, displays: [] };

let pictures = 0;

/** A picture as the agent sends it. */
function picture(role?: 'before' | 'after'): Received {
  pictures += 1;
  const bytes = Buffer.from(`picture ${pictures}`);
  const announced = {
    id: `art_${String(pictures).padStart(26, '0')}`,
    mediaType: 'image/jpeg' as const,
    width: 90,
    height: 90,
    sizeBytes: bytes.length,
    sha256: hash('sha256', bytes),
    ...(role !== undefined && { role }),
  };
  return { announced, bytes };
}

/** The agent looks at this desktop: it describes it, finds the window, and takes a picture. */
async function look(rig: Rig, { desktop = DESKTOP, shot = picture() }: { desktop?: object; shot?: Received } = {}) {
  await settle();
  await rig.agent.answer(done({ data: desktop }));
  if (rig.agent.sent.at(-1)?.actionType === RESOLVE_TARGETS) await answerLook(rig, MOUSEPAD);
  await settle();
  const asked = rig.agent.sent.at(-1);
  if (asked?.actionType !== 'TakeScreenshot') return undefined;
  await rig.agent.answer(done({ data: SHOT, attachments: [shot] }));
  await settle();
  return asked;
}

/** What the person is told where the agent looks at this desktop. */
async function mend(rig: Rig, taskId: string) {
  const before = rig.agent.sent.length;
  const answer = rig.services.console.procedures.mend(taskId, true);
  await settle();
  if (rig.agent.sent.length > before) await look(rig);
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
    stepId: 'bold',
    isExpectation: false,
    wanted: 'button "Bold" of Mousepad',
    problem: expect.stringContaining(GONE.message),
    look: {
      picture: { mediaType: 'image/jpeg', base64: expect.any(String), region: MOUSEPAD.bounds },
      controls: [
        {
          target: { ...strong, nth: 1 },
          words: 'button "Strong" (number 1 of equal ones) of Mousepad',
          bounds: { x: 1, y: 1, width: 9, height: 9 },
        },
        { target: { ...strong, nth: 2 } },
        { target: { app: 'Mousepad', role: 'textbox', name: 'Body' } },
        { target: { app: 'Files', role: 'button', name: 'Up' }, words: 'button "Up" of Files' },
      ],
    },
  });
  expect(rig.agent.sent.at(-1)?.requester).toBeUndefined();
});

test('a run that missed has the picture of it, and the one of when the step last worked', async () => {
  const rig = startServices();
  const first = await begun(rig);
  await answerLook(rig, control());
  await settle();
  const worked = picture('before');
  await answerStep(rig, first, 'bold', done({ attachments: [worked] }));
  const second = await begun(rig);
  await answerLook(rig, notDone(GONE));
  const missed = picture();
  expect(await look(rig, { shot: missed })).toMatchObject({ parameters: { windowId: 'w1' } });
  const told = () => rig.services.console.procedures.mend(second, false);
  await expect.poll(told).toMatchObject({
    stepId: 'bold',
    worked: { id: worked.announced.id },
    missed: { id: missed.announced.id },
  });
  expect(await told()).not.toHaveProperty('look');
  expect(rig.store.artifacts.find('ann', missed.announced.id)).toBeUndefined();
});

test('where the app has no window, the picture is of the display, and no dashboard is in it; a window of its browser is in none', async () => {
  const rig = startServices();
  const { sessions } = rig.services.console;
  const session = sessions.open(rig.services.createSignInCode());
  if (isRefusal(session)) throw new Error('expected a session');
  sessions.shownIn(session.key, { pids: [MOUSEPAD.pid], names: ['Mousepad'] });
  const taskId = await begun(rig);
  await answerLook(rig, notDone(GONE));
  expect(await look(rig)).toBeUndefined();
  void rig.services.console.procedures.mend(taskId, true);
  expect(await look(rig, { desktop: { ...DESKTOP, windows: [], elements: [] } })).toMatchObject({
    dashboards: { pids: [7] },
  });
});

test('no picture of a miss is kept where the person keeps none', async () => {
  const rig = startServices();
  rig.services.console.settings.put({ promptExpiryMs: 120_000, keepsEvidence: false });
  await begun(rig);
  await answerLook(rig, notDone(GONE));
  await settle();
  expect(rig.agent.sent.map(({ actionType }) => actionType)).not.toContain('DescribeScreen');
});

test('no picture is taken of a run that the person did not allow, nor of a miss of a control for signing in', async () => {
  const [step] = PRESS.steps;
  const signIn = { ...PRESS, steps: [{ ...step, target: { ...BOLD, name: 'Sign in' } }] as typeof PRESS.steps };
  for (const run of [{ isApproved: false }, { procedure: { ...signIn, may: { critical: ['bold'], minutes: 5 } } }]) {
    const rig = startServices();
    const taskId = await begun(rig, run);
    for (let turn = 0; turn < 2 && stepsNow(rig, taskId).bold !== 'failed'; turn += 1) {
      await answerLook(rig, notDone(GONE));
      await settle();
    }
    expect(stepsNow(rig, taskId)).toMatchObject({ bold: 'failed' });
    expect(rig.agent.sent.map(({ actionType }) => actionType)).not.toContain('DescribeScreen');
  }
});

test('a store that cannot be read when a run has missed ends nothing else, and is told in the log', async () => {
  const rig = startServices();
  const taskId = await begun(rig);
  await answerLook(rig, notDone(GONE));
  await settle();
  const task = rig.store.tasks.findById(taskId);
  if (task?.procedure === undefined) throw new Error('no task');
  const told: string[] = [];
  const log = { info: vi.fn(), error: vi.fn(), warn: (_facts: unknown, message: string) => told.push(message) };
  const find = () => {
    throw new Error('disk I/O error');
  };
  const context = { store: rig.store, log } as unknown as Context;
  const parts = { keepsEvidence: () => true, find } as unknown as Parameters<typeof createMissPictures>[1];
  createMissPictures(context, parts)({ ...task, procedure: { ...task.procedure, grantId: 'grt_1' } });
  await settle();
  expect(told).toEqual([expect.stringMatching(/picture/u)]);
});

test.each([
  [
    'WriteFile',
    { path: '/home/ann/a.txt', contents: 'a' },
    { file: '/home/ann/a.txt' },
    /^No control tells whether a file/u,
  ],
  ['RunScript', { interpreter: 'sh', script: 'exit 1' }, { exitCode: 0 }, /^No control tells how a script ends/u],
])(
  'a missed expectation of %s offers no controls and says what to do',
  async (actionType, parameters, expected, advice) => {
    const rig = startServices();
    const step = { id: 'bold', actionType, parameters, expect: expected };
    const row = kept(rig, { ...PRESS, steps: [step] });
    if (isRefusal(row)) throw new Error(JSON.stringify(row));
    const missedId = 'file' in expected ? 'bold:expect' : 'bold';
    const task = await submittedTask(rig, [{ id: missedId }]);
    const stored = rig.store.tasks.findById(task.taskId);
    if (stored === undefined) throw new Error('no task');
    const failure = { code: 'script_failed', message: 'It missed.', retryable: false } as const;
    const failed: TaskRow = {
      ...stored,
      procedure: {
        name: 'Press',
        digest: row.digest,
        grantId: undefined,
        untilMs: 0,
        critical: [],
        most: {},
        folders: {},
      },
      steps: stored.steps.map((each) => ({ ...each, status: 'failed', error: failure })),
    };
    expect(missOf(failed, () => ({ ...row, procedure: { ...PRESS, steps: [step] }, changedAtMs: 0 }))).toMatchObject({
      advice: expect.stringMatching(advice),
    });
  },
);

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
