import { describe, expect } from 'vitest';
import { MAX_TASK_BYTES } from '../../src/contract/task.ts';
import { done, notDone, startServices, test, trusting } from './rig.ts';
import { answerStep, sentSteps, settle, stepsNow, submitTask, submittedTask, taskNow } from './tasks-rig.ts';

const quit = (appName: string) => ({ actionType: 'QuitApp', parameters: { appName } });

describe('runIf', () => {
  const after = { dependsOn: ['a'] };
  const conditions = [
    { id: 'a' },
    { id: 'success', ...after },
    { id: 'failure', ...after, runIf: 'failure' as const },
    { id: 'always', ...after, runIf: 'always' as const },
  ];

  test.each([
    ['succeeded', done(), { success: 'running', failure: 'skipped', always: 'running' }],
    ['failed', notDone(), { success: 'skipped', failure: 'running', always: 'running' }],
  ])('lets run what is for it when the step before has %s, and skips the rest', async (_, outcome, expected) => {
    const rig = startServices();
    const { taskId } = await submittedTask(rig, conditions);
    await answerStep(rig, taskId, 'a', outcome);
    const { a, ...others } = stepsNow(rig, taskId);
    expect(others).toEqual(expected);
  });

  test('under stop, what is for any case still runs after an unrelated failure', async ({ rig }) => {
    const steps = [{ id: 'a' }, { id: 'b' }, { id: 'tidy', dependsOn: ['b'], runIf: 'always' as const }];
    const { taskId } = await submittedTask(rig, steps);
    await answerStep(rig, taskId, 'a', notDone());
    await answerStep(rig, taskId, 'b', done());
    expect(stepsNow(rig, taskId)).toEqual({ a: 'failed', b: 'success', tidy: 'running' });
  });
});

describe('a timeout', () => {
  test('ends a step that takes too long: the agent is told, and its word decides', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'a', timeoutMs: 1_000 }]);
    expect(rig.agent.sent).toMatchObject([{ deadlineMs: 1_000 }]);
    rig.clock.advance(3_000);
    expect(rig.agent.cancelled).toMatchObject([{ reason: 'timeout' }]);
    await answerStep(rig, taskId, 'a', notDone({ code: 'timeout', message: 'Too slow.' }));
    expect(taskNow(rig, taskId)).toMatchObject({ status: 'failed', steps: [{ error: { code: 'timeout' } }] });
  });

  test('is thirty seconds where the step names none', async ({ rig }) => {
    await submittedTask(rig, [{ id: 'a' }]);
    expect(rig.agent.sent).toMatchObject([{ deadlineMs: 30_000 }]);
  });

  test('leaves in doubt what may happen only once, when the agent says nothing after it', async () => {
    const rig = trusting();
    const { taskId } = await submittedTask(rig, [{ id: 'quit', ...quit('mousepad'), timeoutMs: 1_000 }]);
    rig.clock.advance(3_000 + 7_500);
    await settle();
    expect(taskNow(rig, taskId)).toMatchObject({ status: 'needs_attention', steps: [{ status: 'unknown' }] });
    expect(sentSteps(rig)).toEqual(['quit']);
  });

  test('does not count while the step waits for a place among sixteen', async ({ rig }) => {
    for (let index = 0; index < 16; index += 1) void rig.submit({ parameters: { durationMs: 0 } });
    const { taskId } = await submittedTask(rig, [{ id: 'a', timeoutMs: 1_000 }]);
    rig.clock.advance(20_000);
    expect(stepsNow(rig, taskId)).toEqual({ a: 'pending' });
    await rig.agent.answer(done(), rig.agent.sent[0]);
    expect(stepsNow(rig, taskId)).toEqual({ a: 'running' });
    expect(rig.agent.cancelled).toEqual([]);
  });
});

describe('at once', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));

  test('run four steps of each task and sixteen actions in all, those of nobody in particular included', async () => {
    const rig = startServices();
    void rig.submit({ parameters: { durationMs: 0 } });
    const tasks = [];
    for (let index = 0; index < 5; index += 1) tasks.push(await submittedTask(rig, five));
    expect(rig.agent.sent).toHaveLength(16);
    const running = tasks.map(({ taskId }) => {
      return Object.values(stepsNow(rig, taskId)).filter((status) => status === 'running').length;
    });
    expect(running).toEqual([4, 4, 4, 3, 0]);
    await rig.agent.answer(done(), rig.agent.sent[0]);
    expect(rig.agent.sent).toHaveLength(17);
  });

  test('what may happen only once goes beside reads, and not beside its like from another task', async () => {
    const rig = trusting();
    const steps = [{ id: 'quit', ...quit('mousepad') }, { id: 'read' }];
    const first = await submittedTask(rig, steps);
    const second = await submittedTask(rig, steps);
    expect(stepsNow(rig, first.taskId)).toEqual({ quit: 'running', read: 'running' });
    expect(stepsNow(rig, second.taskId)).toEqual({ quit: 'pending', read: 'running' });
    await answerStep(rig, first.taskId, 'quit', done());
    expect(stepsNow(rig, second.taskId)).toEqual({ quit: 'running', read: 'running' });
  });

  test('an action by itself waits for the once step of a task', async () => {
    const rig = trusting();
    const { taskId } = await submittedTask(rig, [{ id: 'quit', ...quit('mousepad') }]);
    const alone = await rig.submitted(quit('evince'));
    expect(alone.status).toBe('queued');
    await answerStep(rig, taskId, 'quit', done());
    expect(rig.services.actions.get('ann', alone.actionId)).toMatchObject({ status: 'running' });
  });
});

test('a reference to a step that need not have ended is refused, and one to a distant ancestor is not', async () => {
  const rig = startServices();
  const steps = (dependsOn: string[]) => [
    { id: 'a', actionType: 'OpenApp', parameters: { appName: 'mousepad' } },
    { id: 'b', dependsOn: ['a'] },
    { id: 'c', dependsOn, parameters: { durationMs: { $from: 'a.data.readyInMs' } } },
  ];
  expect(await submitTask(rig, steps([]))).toMatchObject({
    refused: 'task_graph_invalid',
    facts: { fault: 'reference_not_ancestor' },
    errors: [{ pointer: '/steps/2/parameters/durationMs' }],
  });
  const { taskId } = await submittedTask(rig, steps(['b']));
  await answerStep(rig, taskId, 'a', done({ data: { readyInMs: 7 } }));
  await answerStep(rig, taskId, 'b', done());
  expect(rig.agent.sent.at(-1)).toMatchObject({ parameters: { durationMs: 7 } });
});

test('a Wait goes to the agent like any action: with its class, its time and a digest, and can be called off', async () => {
  const rig = startServices();
  const { taskId } = await submittedTask(rig, [{ id: 'wait', parameters: { durationMs: 5_000 }, timeoutMs: 9_000 }]);
  expect(rig.agent.sent).toMatchObject([
    {
      actionType: 'Wait',
      attempt: 1,
      parameters: { durationMs: 5_000 },
      effectClass: 'pure',
      deadlineMs: 9_000,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
  rig.services.tasks.cancel('ann', taskId);
  expect(rig.agent.cancelled).toMatchObject([{ reason: 'requested' }]);
});

describe('the size of a task', () => {
  /** Steps of so many bytes as JSON, which no action type would take. */
  function stepsOf(sizeBytes: number) {
    const steps = (text: string) => [
      { id: 'a', actionType: 'Wait', targetDeviceId: 'dev', parameters: { durationMs: 0 } },
      {
        id: 'b',
        actionType: 'OpenApp',
        targetDeviceId: 'dev',
        parameters: { appName: { $from: 'a.data.x' }, text },
        dependsOn: ['a'],
      },
    ];
    return steps('x'.repeat(sizeBytes - JSON.stringify(steps('')).length));
  }

  test('is refused beyond 256 KiB, with the limit and what to do, and not at it', async ({ rig }) => {
    const onDesk = (sizeBytes: number) => {
      const idBytes = rig.deviceId.length - 'dev'.length;
      return stepsOf(sizeBytes - 2 * idBytes).map((step) => ({ ...step, targetDeviceId: rig.deviceId }));
    };
    expect(await submitTask(rig, onDesk(MAX_TASK_BYTES + 1))).toMatchObject({
      refused: 'task_too_large',
      detail: expect.stringMatching(/262144 bytes \(256 KiB\).*262145.*several tasks/),
      facts: { fault: 'too_many_bytes', sizeBytes: 262_145, maxBytes: 262_144 },
    });
    expect(rig.agent.sent).toEqual([]);
    expect(await submitTask(rig, onDesk(MAX_TASK_BYTES))).toMatchObject({ refused: 'parameters_invalid' });
  });

  test('is what it has as it is stored, however short it was written', async ({ rig }) => {
    const parameters = { numbers: Array.from({ length: 50_000 }, () => 1e20) };
    expect(await submitTask(rig, [{ id: 'a', parameters }])).toMatchObject({ refused: 'task_too_large' });
  });
});

describe('what a step brings beside its references', () => {
  const shot = (parameters: object) => [
    { id: 'look', actionType: 'DescribeScreen', parameters: {} },
    { id: 'shot', actionType: 'TakeScreenshot', dependsOn: ['look'], parameters: { ...parameters } },
  ];
  const width = { $from: 'look.data.width' };

  test.each([
    ['a property nobody knows', { maxWidth: width, junk: 'x' }, '/steps/1/parameters/junk'],
    [
      'a property nobody knows inside of another',
      { region: { x: width, 'a/b': 1 } },
      '/steps/1/parameters/region/a~1b',
    ],
    ['a value that does not fit', { maxWidth: width, quality: 'best' }, '/steps/1/parameters/quality'],
    ['a text that is too long', { maxWidth: width, display: 'x'.repeat(65) }, '/steps/1/parameters/display'],
  ])('is refused with the whole task where it is %s', async (_what, parameters, pointer) => {
    const rig = startServices();
    for (const body of [{}, { dryRun: true }]) {
      expect(await submitTask(rig, shot(parameters), { body })).toMatchObject({
        refused: 'parameters_invalid',
        errors: [{ pointer }],
      });
    }
    expect(rig.agent.sent).toEqual([]);
  });

  test.each([{ maxWidth: width }, { maxWidth: width, quality: 7 }, { region: { x: width, y: 1 } }, width])(
    'is taken where it fits: %j',
    async (parameters) => {
      expect(await submitTask(startServices(), shot(parameters))).toMatchObject({ kind: 'task' });
    },
  );

  test('is refused where a reference is longer than any result is deep', async () => {
    const from = `look.${'a.'.repeat(250)}b`;
    expect(await submitTask(startServices(), shot({ maxWidth: { $from: from } }))).toMatchObject({
      refused: 'task_graph_invalid',
      facts: { fault: 'reference_malformed' },
    });
  });
});
