import { describe, expect } from 'vitest';
import { isRefusal } from '../../src/services/refusal.ts';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { auditJournal } from '../../src/store/journal/audit.ts';
import { parsedPage } from './page-items.ts';
import { done, notDone, type Rig, startServices, test } from './rig.ts';
import {
  answerPrompt,
  answerStep,
  sentSteps,
  settle,
  stepOf,
  stepsNow,
  submitTask,
  submittedTask,
  taskNow,
} from './tasks-rig.ts';

const openApp = { actionType: 'OpenApp', parameters: { appName: 'mousepad' } };
const quitApp = (appName: string) => ({ actionType: 'QuitApp', parameters: { appName } });
const screenshot = { actionType: 'TakeScreenshot', parameters: {} };
const shotAsWide = {
  actionType: 'TakeScreenshot',
  parameters: { maxWidth: { $from: 'look.data.width' } },
  dependsOn: ['look'],
};
/** Asks by itself, since what it is to do is known only when the step before it has ended. */
const quitWhatIsOpen = {
  actionType: 'QuitApp',
  parameters: { appName: { $from: 'look.data.app' } },
  dependsOn: ['look'],
};

describe('a task', () => {
  test('runs a step after the steps it depends on, asks where it must, and ends', async ({ rig }) => {
    const task = await submittedTask(rig, [
      { id: 'open', ...openApp },
      { id: 'shot', ...screenshot, dependsOn: ['open'] },
    ]);
    expect(task).toMatchObject({
      status: 'running',
      name: 'OpenApp, TakeScreenshot',
      progress: { done: 0, total: 2 },
      steps: [
        { id: 'open', status: 'running', attempts: 1, risk: { level: 'low' } },
        { id: 'shot', status: 'pending', attempts: 0, dependsOn: ['open'], risk: { level: 'medium' } },
      ],
    });
    await answerStep(rig, task.taskId, 'open', done());
    expect(taskNow(rig, task.taskId)).toMatchObject({ status: 'awaiting_confirmation', progress: { done: 1 } });
    expect(rig.agent.sent).toHaveLength(1);
    await answerPrompt(rig, 'allow');
    await answerStep(rig, task.taskId, 'shot', done());
    expect(taskNow(rig, task.taskId)).toMatchObject({ status: 'success', progress: { done: 2, total: 2 } });
    expect(rig.kinds().filter((kind) => kind.startsWith('task.'))).toEqual([
      'task.submitted',
      'task.plan_asked',
      'task.step_changed',
      'task.started',
      'task.step_changed',
      'task.step_changed',
      'task.plan_allowed',
      ...Array<string>(3).fill('task.step_changed'),
      'task.ended',
    ]);
    const [end] = rig.store.journal.readAfter(0, 1_000).slice(-1);
    expect(end).toMatchObject({ kind: 'task.ended', metadata: { status: 'success', workedMs: 0, succeeded: 2 } });
    expect(auditJournal(dataDirectoryAt(rig.store.path))).toMatchObject({ valid: true });
  });

  test('names itself, the step and what else will ask in the prompt of a step that asks by itself', async ({ rig }) => {
    const { taskId } = await submittedTask(
      rig,
      [
        { id: 'look', actionType: 'DescribeScreen', parameters: {} },
        { id: 'first', ...quitWhatIsOpen },
        { id: 'second', ...quitWhatIsOpen, dependsOn: ['first'] },
        { id: 'last', dependsOn: ['second'] },
      ],
      { name: 'Quit twice' },
    );
    await answerStep(rig, taskId, 'look', done({ data: { app: 'mousepad' } }));
    expect(rig.services.console.confirmations.list()).toMatchObject([
      {
        action: { stepId: 'first' },
        prompt: {
          requester: { via: 'task' },
          task: { name: 'Quit twice', step: 2, of: 4, alsoAsks: ['quit app (second)'] },
        },
      },
    ]);
  });

  test('answers the finished record to a caller that waits for it', async ({ rig }) => {
    const answer = submitTask(rig, [{ id: 'only' }], { waitMs: 60_000 });
    await settle();
    await rig.agent.answer(done());
    expect(await answer).toMatchObject({ kind: 'task', replayed: false, task: { status: 'success' } });
  });

  test('is explained and not stored on a dry run', async ({ rig }) => {
    const steps = [
      { id: 'open', ...openApp },
      { id: 'shot', ...screenshot },
    ];
    expect(
      await submitTask(rig, steps, { body: { steps: steps.map((step) => stepOf(rig, step)), dryRun: true } }),
    ).toMatchObject({
      kind: 'dryRun',
      dryRun: {
        steps: [
          { id: 'open', verdict: 'allow' },
          { id: 'shot', verdict: 'ask' },
        ],
      },
    });
    expect(await parsedPage(rig.services.tasks.list('ann', {}, { limit: 10 }))).toEqual({
      items: [],
      nextCursor: null,
    });
  });

  test('is not found by another user', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'a' }]);
    expect(rig.services.tasks.get('bob', taskId)).toMatchObject({ refused: 'task_not_found' });
    expect(rig.services.tasks.cancel('bob', taskId)).toMatchObject({ refused: 'task_not_found' });
  });
});

describe('a grant for this task', () => {
  const twice = [
    { id: 'look', actionType: 'DescribeScreen', parameters: {} },
    { id: 'one', ...shotAsWide },
    { id: 'two', ...shotAsWide, dependsOn: ['look', 'one'] },
  ];
  const submitTwice = async (rig: Rig) => {
    const { taskId } = await submittedTask(rig, twice);
    await answerStep(rig, taskId, 'look', done({ data: { width: 800 } }));
    return taskId;
  };

  test('lets the same through in later steps of the task, and ends with the task', async ({ rig }) => {
    const taskId = await submitTwice(rig);
    await answerPrompt(rig, 'allow', 'task');
    expect(rig.services.console.grants.list()).toMatchObject([
      { scope: 'task', literal: expect.stringContaining('until this task ends') },
    ]);
    await answerStep(rig, taskId, 'one', done());
    expect(stepsNow(rig, taskId)).toEqual({ look: 'success', one: 'success', two: 'running' });
    await answerStep(rig, taskId, 'two', done());
    expect(taskNow(rig, taskId)).toMatchObject({ status: 'success' });
    expect(rig.services.console.grants.list()).toEqual([]);
  });

  test('serves neither another task nor an action by itself', async ({ rig }) => {
    await submitTwice(rig);
    await answerPrompt(rig, 'allow', 'task');
    const other = await submitTwice(rig);
    expect(stepsNow(rig, other)).toEqual({ look: 'success', one: 'awaiting_confirmation', two: 'pending' });
    const alone = await rig.submitted({ ...screenshot, parameters: { maxWidth: 800 } });
    expect(alone.status).toBe('awaiting_confirmation');
  });
});

describe('a task is refused whole', () => {
  test.each([
    [
      'a cycle',
      [
        { id: 'a', dependsOn: ['b'] },
        { id: 'b', dependsOn: ['a'] },
      ],
      'task_graph_invalid',
      /a → b → a/,
    ],
    ['an unknown step', [{ id: 'a', dependsOn: ['x'] }], 'task_graph_invalid', /"x"/],
    ['a hundred and one steps', Array.from({ length: 101 }, (_, n) => ({ id: `s${n}` })), 'task_too_large', /101/],
    ['an unknown type', [{ id: 'a' }, { id: 'b', actionType: 'Fly' }], 'unknown_action_type', /Step "b".*Fly/],
    ['wrong parameters', [{ id: 'a', parameters: { durationMs: 'long' } }], 'parameters_invalid', /durationMs/],
    ['a device that is not there', [{ id: 'a', targetDeviceId: 'dev_none' }], 'device_not_found', /dev_none/],
  ])('for %s, and nothing of it is stored or sent', async (_, steps, refused, detail) => {
    const rig = startServices();
    expect(await submitTask(rig, steps)).toMatchObject({ refused, detail: expect.stringMatching(detail) });
    expect([rig.agent.sent, rig.kinds().filter((kind) => kind.startsWith('task.'))]).toEqual([[], []]);
  });
});

describe('order', () => {
  test('four independent steps run side by side, and the fifth when one has ended', async ({ rig }) => {
    const { taskId } = await submittedTask(
      rig,
      ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id })),
    );
    expect(sentSteps(rig)).toEqual(['a', 'b', 'c', 'd']);
    await answerStep(rig, taskId, 'c', done());
    expect(sentSteps(rig)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a failure stops what has not begun, except for what is there for failures', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [
      { id: 'a' },
      { id: 'b', dependsOn: ['a'] },
      { id: 'undo', dependsOn: ['a'], runIf: 'failure' },
    ]);
    await answerStep(rig, taskId, 'a', notDone());
    expect(stepsNow(rig, taskId)).toEqual({ a: 'failed', b: 'skipped', undo: 'running' });
    await answerStep(rig, taskId, 'undo', done());
    expect(taskNow(rig, taskId)).toMatchObject({
      status: 'failed',
      steps: [{ error: { code: 'app_not_found' } }, {}, {}],
    });
  });

  test('under continue, branches that have nothing to do with a failure go on', async ({ rig }) => {
    const steps = [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }, { id: 'c' }, { id: 'd', dependsOn: ['c'] }];
    const { taskId } = await submittedTask(rig, steps, { onFailure: 'continue' });
    await answerStep(rig, taskId, 'a', notDone());
    await answerStep(rig, taskId, 'c', done());
    expect(stepsNow(rig, taskId)).toEqual({ a: 'failed', b: 'skipped', c: 'success', d: 'running' });
  });

  test('a no from the person ends the step as denied and the task as failed', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [
      { id: 'shot', ...screenshot },
      { id: 'next', dependsOn: ['shot'] },
    ]);
    await answerPrompt(rig, 'deny');
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'denied', next: 'skipped' });
    expect(taskNow(rig, taskId).status).toBe('failed');
  });

  test('a step waits for a person longer than its timeout, which begins when it is sent', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'shot', ...screenshot, timeoutMs: 5_000 }]);
    rig.clock.advance(60_000);
    await answerPrompt(rig, 'allow');
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'running' });
    rig.clock.advance(6_999);
    expect(rig.agent.cancelled).toEqual([]);
    rig.clock.advance(1);
    expect(rig.agent.cancelled).toMatchObject([{ reason: 'timeout' }]);
  });
});

describe('a retry', () => {
  const retry = { maxAttempts: 3, backoffMs: 1_000 };

  test('comes after the pause, which doubles, and has an action of its own', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'open', ...openApp, retry }]);
    await answerStep(rig, taskId, 'open', notDone());
    expect(taskNow(rig, taskId)).toMatchObject({ status: 'pending', steps: [{ status: 'pending', attempts: 1 }] });
    rig.clock.advance(999);
    expect(rig.agent.sent).toHaveLength(1);
    rig.clock.advance(1);
    expect(rig.agent.sent).toHaveLength(2);
    await answerStep(rig, taskId, 'open', notDone());
    rig.clock.advance(1_999);
    expect(rig.agent.sent).toHaveLength(2);
    rig.clock.advance(1);
    await answerStep(rig, taskId, 'open', done());
    expect(taskNow(rig, taskId)).toMatchObject({ status: 'success', steps: [{ attempts: 3 }] });
    expect(new Set(rig.agent.sent.map(({ actionId }) => actionId)).size).toBe(3);
  });

  test('is not made beyond the number that was asked for', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'open', ...openApp, retry: { maxAttempts: 2, backoffMs: 0 } }]);
    await answerStep(rig, taskId, 'open', notDone());
    rig.clock.advance(0);
    await answerStep(rig, taskId, 'open', notDone());
    expect(taskNow(rig, taskId)).toMatchObject({ status: 'failed', steps: [{ status: 'failed', attempts: 2 }] });
  });

  test('of a step that may happen only once is refused', async ({ rig }) => {
    expect(await submitTask(rig, [{ id: 'quit', ...quitApp('xterm'), retry }])).toMatchObject({
      refused: 'task_graph_invalid',
      facts: { fault: 'retry_of_once' },
    });
  });
});

describe('references', () => {
  const describeIt = { id: 'look', actionType: 'DescribeScreen', parameters: {} };
  const opening = { actionType: 'OpenApp', dependsOn: ['look'], parameters: { appName: { $from: 'look.data.app' } } };

  test('resolve to what the step found, which raises the risk and is shown in the prompt', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [describeIt, { id: 'open', ...opening }]);
    await answerStep(rig, taskId, 'look', done({ data: { app: 'mousepad' } }));
    expect(rig.services.console.confirmations.list()).toMatchObject([
      {
        prompt: {
          arguments: '{"appName":"mousepad"}',
          risk: { level: 'medium', reasons: [expect.any(String), expect.stringContaining('look.data.app')] },
        },
      },
    ]);
    await answerPrompt(rig, 'allow');
    expect(rig.agent.sent.at(-1)).toMatchObject({ parameters: { appName: 'mousepad' } });
  });

  test('to a number that something done answered with raise nothing', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [
      { id: 'open', ...openApp },
      { id: 'wait', dependsOn: ['open'], parameters: { durationMs: { $from: 'open.data.readyInMs' } } },
    ]);
    await answerStep(rig, taskId, 'open', done({ data: { readyInMs: 20 } }));
    expect(rig.agent.sent.at(-1)).toMatchObject({ parameters: { durationMs: 20 } });
    expect(taskNow(rig, taskId).steps[1]?.risk.level).toBe('low');
  });

  test('that lead to nothing, or to what the type does not take, fail the step and send nothing', async () => {
    for (const data of [{}, { app: 7 }]) {
      const rig = startServices();
      const { taskId } = await submittedTask(rig, [describeIt, { id: 'open', ...opening }]);
      await answerStep(rig, taskId, 'look', done({ data }));
      expect(taskNow(rig, taskId)).toMatchObject({
        status: 'failed',
        steps: [{ status: 'success' }, { status: 'failed', attempts: 0, error: { code: 'invalid_target' } }],
      });
      expect(rig.agent.sent).toHaveLength(1);
    }
  });
});

describe('cancelling a task', () => {
  test('ends at once what has not begun or only asks, and tells the agent of the rest', async ({ rig }) => {
    const steps = [{ id: 'run' }, { id: 'ask', ...screenshot }, { id: 'next', dependsOn: ['run'] }];
    const { taskId } = await submittedTask(rig, steps);
    expect(rig.services.tasks.cancel('ann', taskId)).toMatchObject({ taskId, status: 'running' });
    expect(stepsNow(rig, taskId)).toEqual({ run: 'running', ask: 'cancelled', next: 'cancelled' });
    expect(rig.services.tasks.cancel('ann', taskId)).toMatchObject({ status: 'running' });
    expect(rig.agent.cancelled).toMatchObject([{ reason: 'requested' }]);
    await answerStep(rig, taskId, 'run', notDone({ cancelled: true }));
    expect(taskNow(rig, taskId)).toMatchObject({ status: 'cancelled', progress: { done: 3, total: 3 } });
    expect(rig.services.tasks.cancel('ann', taskId)).toMatchObject({ refused: 'already_terminal' });
  });

  test('leaves as success what had been done all the same', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'run' }]);
    rig.services.tasks.cancel('ann', taskId);
    await answerStep(rig, taskId, 'run', done());
    expect(taskNow(rig, taskId).status).toBe('success');
  });

  test('ends the wait for another attempt', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [
      { id: 'open', ...openApp, retry: { maxAttempts: 5, backoffMs: 1_000 } },
    ]);
    await answerStep(rig, taskId, 'open', notDone());
    expect(rig.services.tasks.cancel('ann', taskId)).toMatchObject({ status: 'cancelled' });
    rig.clock.advance(60_000);
    expect(rig.agent.sent).toHaveLength(1);
  });

  test('is what the emergency stop does to every task', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'run' }, { id: 'next', dependsOn: ['run'] }]);
    rig.services.console.pause();
    await answerStep(rig, taskId, 'run', notDone({ cancelled: true }));
    rig.services.console.resume();
    await settle();
    expect(stepsNow(rig, taskId)).toEqual({ run: 'cancelled', next: 'cancelled' });
    expect(rig.agent.sent).toHaveLength(1);
  });
});

describe('an Idempotency-Key', () => {
  test('gives the same task again, and refuses another under it', async ({ rig }) => {
    const first = await submitTask(rig, [{ id: 'a' }], { idempotencyKey: 'k' });
    const again = await submitTask(rig, [{ id: 'a' }], { idempotencyKey: 'k' });
    expect(isRefusal(first)).toBe(false);
    expect(again).toEqual({ ...first, replayed: true });
    expect(await submitTask(rig, [{ id: 'b' }], { idempotencyKey: 'k' })).toMatchObject({
      refused: 'idempotency_key_reused',
    });
    expect(rig.agent.sent).toHaveLength(1);
  });

  test('stands for one request, be it of a task or of an action', async ({ rig }) => {
    const wait = { actionType: 'Wait', parameters: { durationMs: 0 } };
    const refused = { refused: 'idempotency_key_reused' };
    await submitTask(rig, [{ id: 'a' }], { idempotencyKey: 'of a task' });
    expect(await rig.submit(wait, { idempotencyKey: 'of a task' })).toMatchObject(refused);
    await rig.submit(wait, { idempotencyKey: 'of an action', waitMs: 0 });
    expect(await submitTask(rig, [{ id: 'a' }], { idempotencyKey: 'of an action' })).toMatchObject(refused);
  });

  test('of an action that is still being answered is none for a task', async ({ rig }) => {
    const action = rig.submit(openApp, { idempotencyKey: 'k' });
    expect(await submitTask(rig, [{ id: 'a' }], { idempotencyKey: 'k' })).toMatchObject({
      refused: 'idempotency_in_progress',
    });
    await rig.agent.answer(done());
    expect(await action).toMatchObject({ kind: 'action' });
  });
});

describe('what a task has to share', () => {
  test('steps that may happen only once go one at a time, standalone actions included', async ({ rig }) => {
    rig.services.console.profiles.assign('ann', 'trusted');
    const alone = rig.submit(quitApp('gedit'));
    await rig.sent();
    const { taskId } = await submittedTask(rig, [
      { id: 'one', ...quitApp('mousepad') },
      { id: 'two', ...quitApp('evince') },
    ]);
    expect(sentSteps(rig)).toEqual(['undefined']);
    expect(stepsNow(rig, taskId)).toEqual({ one: 'pending', two: 'pending' });
    await rig.agent.answer(done(), rig.agent.sent[0]);
    expect(await alone).toMatchObject({ action: { status: 'success' } });
    expect(stepsNow(rig, taskId)).toEqual({ one: 'running', two: 'pending' });
    await answerStep(rig, taskId, 'one', done());
    expect(stepsNow(rig, taskId)).toEqual({ one: 'success', two: 'running' });
  });

  test('a step that would ask waits while too many prompts of this user wait', async ({ rig }) => {
    const asked = [];
    for (let index = 0; index < 25; index += 1)
      asked.push(await rig.submitted({ ...screenshot, parameters: { display: `d${index}` } }));
    const look = { id: 'look', actionType: 'DescribeScreen', parameters: {} };
    const { taskId } = await submittedTask(rig, [look, { id: 'shot', ...shotAsWide }]);
    await answerStep(rig, taskId, 'look', done({ data: { width: 800 } }));
    expect(stepsNow(rig, taskId)).toEqual({ look: 'success', shot: 'pending' });
    rig.services.actions.cancel('ann', String(asked[0]?.actionId));
    rig.clock.advance(2_000);
    expect(stepsNow(rig, taskId)).toEqual({ look: 'success', shot: 'awaiting_confirmation' });
  });

  test('the rules of the moment: a step is judged when it is its turn', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'a' }, { id: 'open', ...openApp, dependsOn: ['a'] }]);
    rig.services.console.profiles.assign('ann', 'observe');
    await answerStep(rig, taskId, 'a', done());
    expect(stepsNow(rig, taskId)).toEqual({ a: 'success', open: 'blocked' });
    expect(taskNow(rig, taskId).status).toBe('failed');
  });
});

test('a day after a task has ended, what its steps were to do is forgotten', async ({ rig }) => {
  const { taskId } = await submittedTask(rig, [{ id: 'a' }]);
  await answerStep(rig, taskId, 'a', done());
  const parameters = () => rig.store.tasks.findById(taskId)?.steps[0]?.parameters;
  rig.clock.advance(60_000);
  expect(parameters()).toEqual({ durationMs: 0 });
  rig.clock.setWallClock(rig.clock.nowMs() + 25 * 3_600_000);
  rig.clock.advance(60_000);
  expect(parameters()).toBeUndefined();
});
