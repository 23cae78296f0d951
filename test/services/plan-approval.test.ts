import { describe, expect, vi } from 'vitest';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { auditJournal } from '../../src/store/journal/audit.ts';
import { actionOf } from '../http/confirmation-queue.ts';
import { decide, hold, onlyPrompt, show } from './answers.ts';
import { parsedPage } from './page-items.ts';
import { done, notDone, type Rig, startServices, test } from './rig.ts';
import {
  answerPrompt,
  answerStep,
  type Step,
  sentSteps,
  settle,
  stepsNow,
  submitTask,
  submittedTask,
  taskNow,
} from './tasks-rig.ts';

const openApp = { actionType: 'OpenApp', parameters: { appName: 'mousepad' } };
const openTerminal = { actionType: 'OpenApp', parameters: { appName: 'xterm' } };
const quitApp = (appName: string) => ({ actionType: 'QuitApp', parameters: { appName } });
const screenshot = { actionType: 'TakeScreenshot', parameters: {} };
const look = { id: 'look', actionType: 'DescribeScreen', parameters: {} };
const opening = { actionType: 'OpenApp', dependsOn: ['look'], parameters: { appName: { $from: 'look.data.app' } } };

/** Asks by itself, because its arguments come from an earlier step. */
const quitWhatIsOpen = {
  actionType: 'QuitApp',
  dependsOn: ['look'],
  parameters: { appName: { $from: 'look.data.app' } },
};

const two: Step[] = [
  { id: 'shot', ...screenshot },
  { id: 'quit', ...quitApp('mousepad'), dependsOn: ['shot'] },
];

function countersOf(rig: Rig) {
  return rig.store.recording.recorded({ fromMs: 0, toMs: rig.clock.nowMs() + 60_000 }, rig.clock.nowMs()).rollup
    .counters;
}

describe('a task with steps that need a yes', () => {
  test('reads the whole plan a few times, however many of its steps begin to wait', async ({ rig }) => {
    const wholeReads = vi.spyOn(rig.store.confirmations, 'findByTask');
    const steps = Array.from({ length: 100 }, (_, n) => ({ id: `s${n}`, ...quitApp(`app-${n}`) }));
    const { taskId } = await submittedTask(rig, steps);
    await settle();
    expect(new Set(Object.values(stepsNow(rig, taskId)))).toEqual(new Set(['awaiting_confirmation']));
    expect(wholeReads.mock.calls.length).toBeLessThan(10);
  });

  test('asks once for all of them when it is submitted, and runs what needs none meanwhile', async ({ rig }) => {
    const { taskId } = await submittedTask(
      rig,
      [
        { id: 'open', ...openApp },
        { id: 'shot', ...screenshot, dependsOn: ['open'], retry: { maxAttempts: 2 } },
        { id: 'quit', ...quitApp('mousepad'), dependsOn: ['shot'] },
        look,
        { id: 'next', ...opening },
      ],
      { name: 'Look and leave', reason: 'for the report' },
    );
    expect(sentSteps(rig)).toEqual(['open', 'look']);
    const prompt = onlyPrompt(rig);
    expect(prompt).toMatchObject({
      scopes: [{ scope: 'once', grant: expect.any(String) }],
      presenceRequired: false,
      kind: 'plan',
      plan: {
        taskId,
        steps: [
          { id: 'open', consent: 'none', sentence: 'Open the app “mousepad”' },
          {
            id: 'shot',
            consent: 'asked',
            device: 'Desk',
            dependsOn: ['open'],
            arguments: '{}',
            changes: expect.stringMatching(/./),
            risk: { level: 'medium' },
            history: 'First time',
            maxAttempts: 2,
          },
          { id: 'quit', consent: 'asked', arguments: '{"appName":"mousepad"}', maxAttempts: 1 },
          { id: 'look', consent: 'none' },
          { id: 'next', consent: 'later', arguments: '{"appName":{"$from":"look.data.app"}}' },
        ],
      },
      prompt: {
        requester: { userId: 'ann', via: 'task' },
        sentence: 'Take screenshot, quit 1 app',
        arguments: '[{},{"appName":"mousepad"}]',
        risk: { level: 'medium' },
        task: { name: 'Look and leave', step: 2, of: 5, alsoAsks: ['open app (next)'] },
        reason: 'for the report',
      },
    });
    expect(prompt).not.toHaveProperty('action');
    const waits = { confirmation: { id: prompt.id, expiresAt: prompt.expiresAt } };
    expect(taskNow(rig, taskId).steps).toMatchObject([{}, waits, waits, {}, {}]);
    expect(taskNow(rig, taskId).steps.map(({ confirmation }) => confirmation?.id)).toEqual([
      undefined,
      prompt.id,
      prompt.id,
      undefined,
      undefined,
    ]);
  });

  test('does every one of them on that one answer, in order', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, two);
    expect(taskNow(rig, taskId)).toMatchObject({
      status: 'awaiting_confirmation',
      steps: [{ status: 'awaiting_confirmation', attempts: 0 }, { status: 'pending' }],
    });
    await answerPrompt(rig, 'allow');
    await answerStep(rig, taskId, 'shot', done());
    await answerStep(rig, taskId, 'quit', done());
    expect(taskNow(rig, taskId).status).toBe('success');
    expect([sentSteps(rig), rig.services.console.confirmations.list()]).toEqual([['shot', 'quit'], []]);
    expect(rig.store.confirmations.findByTask(taskId)).toMatchObject({
      status: 'allowed',
      steps: [
        { stepId: 'shot', actionId: taskNow(rig, taskId).steps[0]?.actionId, consumedAtMs: expect.any(Number) },
        { stepId: 'quit', actionId: taskNow(rig, taskId).steps[1]?.actionId, consumedAtMs: expect.any(Number) },
      ],
    });
    expect(auditJournal(dataDirectoryAt(rig.store.path))).toMatchObject({ valid: true });
  });

  test('answers the task to the person who decides', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, two);
    expect(decide(rig, 'deny')).toMatchObject({ taskId, status: 'failed' });
  });

  test('is one prompt and one answer to Guardian, and nothing of it runs without a decision', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, two);
    await answerPrompt(rig, 'allow');
    await answerStep(rig, taskId, 'shot', done());
    await answerStep(rig, taskId, 'quit', done());
    expect(countersOf(rig)).toMatchObject({
      prompted: 1,
      promptCalled: 1,
      promptShown: 1,
      promptAllowed: 1,
      promptAllowedElevated: 1,
      executedElevated: 2,
      executedByGrant: 0,
      executedUndecided: 0,
    });
  });

  test('is refused when too many prompts of this user wait', async ({ rig }) => {
    for (let index = 0; index < 25; index += 1)
      await rig.submitted({ ...screenshot, parameters: { display: `d${index}` } });
    expect(await submitTask(rig, two)).toMatchObject({ refused: 'too_many_pending' });
    expect(await submittedTask(rig, [{ id: 'a' }])).toMatchObject({ status: 'running' });
    expect(await parsedPage(rig.services.tasks.list('ann', {}, { limit: 10 }))).toMatchObject({
      items: [{ steps: [{ id: 'a' }] }],
    });
  });

  test('lets steps that need no yes pass those that wait, however many wait', async ({ rig }) => {
    const shots = [1, 2, 3, 4, 5].map((width) => {
      return { id: `shot${width}`, ...screenshot, parameters: { maxWidth: 100 * width } };
    });
    const { taskId } = await submittedTask(rig, [...shots, { id: 'free' }, { id: 'after', dependsOn: ['free'] }]);
    await answerStep(rig, taskId, 'free', done());
    expect(sentSteps(rig)).toEqual(['free', 'after']);
    expect(Object.values(stepsNow(rig, taskId)).filter((status) => status === 'awaiting_confirmation')).toHaveLength(5);
  });
});

describe('the answer to a plan', () => {
  test('is held to the highest risk among its steps', async ({ rig }) => {
    await submittedTask(rig, [
      { id: 'shot', ...screenshot },
      { id: 'terminal', ...openTerminal },
    ]);
    const { id, presenceRequired, prompt } = onlyPrompt(rig);
    expect([presenceRequired, prompt.risk.level]).toEqual([true, 'high']);
    const allow = () => decide(rig, 'allow', { presence: 'hold' });
    expect(allow()).toMatchObject({ refused: 'confirmation_not_ready' });
    show(rig, 1_999);
    expect(allow()).toMatchObject({ refused: 'confirmation_not_ready' });
    rig.clock.advance(1);
    expect(allow()).toMatchObject({ refused: 'confirmation_not_ready', detail: expect.stringContaining('hold') });
    hold(rig);
    expect(allow()).toMatchObject({ taskId: expect.any(String) });
    expect(rig.store.confirmations.find(id)).toMatchObject({ status: 'allowed', presence: 'hold' });
  });

  test.each(['task', 'minutes15', 'untilQuit', 'always'] as const)('is never for %s', async (scope) => {
    const rig = startServices();
    await submittedTask(rig, two);
    show(rig);
    expect(decide(rig, 'allow', { scope })).toMatchObject({ refused: 'validation_failed' });
  });

  test('counts for this very plan only, and only once', async ({ rig }) => {
    await submittedTask(rig, two);
    const prompt = onlyPrompt(rig);
    show(rig);
    for (const other of [{ nonce: 'x' }, { actionDigest: '0'.repeat(64) }])
      expect(decide(rig, 'allow', other)).toMatchObject({ refused: 'confirmation_stale' });
    expect(decide(rig, 'allow')).toMatchObject({ status: 'running' });
    expect(decide(rig, 'allow', {}, prompt)).toMatchObject({ refused: 'confirmation_resolved' });
  });

  test('no ends every step it was asked for as denied, and is remembered for each', async ({ rig }) => {
    const steps = [...two, { id: 'free' }, { id: 'after', dependsOn: ['free'] }];
    const { taskId } = await submittedTask(rig, steps, { onFailure: 'continue' });
    await answerPrompt(rig, 'deny');
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'denied', quit: 'denied', free: 'running', after: 'pending' });
    expect(taskNow(rig, taskId)).toMatchObject({
      progress: { done: 2, total: 4, byStatus: { denied: 2, running: 1, pending: 1 } },
      steps: [
        { id: 'shot', details: 'The person denied it; nothing was done.' },
        { id: 'quit', details: 'The person denied it; nothing was done.' },
        { id: 'free' },
        { id: 'after' },
      ],
    });
    expect(countersOf(rig)).toMatchObject({ prompted: 1, promptDenied: 1, promptAllowed: 0 });
    expect((await rig.submitted(quitApp('mousepad'))).status).toBe('denied');
    expect((await rig.submitted({ ...screenshot, parameters: { quality: 33 } })).status).toBe('denied');
    const again = await submittedTask(rig, two);
    expect([again.status, rig.services.console.confirmations.list()]).toEqual(['failed', []]);
  });

  test('no is one denial to the breaker', async ({ rig }) => {
    for (const app of ['a', 'b']) {
      await submittedTask(rig, [
        { id: 'one', ...quitApp(`${app}1`) },
        { id: 'two', ...quitApp(`${app}2`) },
      ]);
      await answerPrompt(rig, 'deny');
    }
    expect(await submittedTask(rig, [{ id: 'a' }])).toMatchObject({ status: 'running' });
    await submittedTask(rig, [{ id: 'one', ...quitApp('c') }]);
    await answerPrompt(rig, 'deny');
    expect(await submitTask(rig, [{ id: 'a' }])).toMatchObject({ refused: 'requester_paused' });
  });

  test('that does not come in time is no: every step it was asked for has expired', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, two);
    const { id } = onlyPrompt(rig);
    rig.clock.advance(90_000);
    await settle();
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'expired', quit: 'expired' });
    expect(rig.services.console.confirmations.shown(id)).toMatchObject({ refused: 'confirmation_expired' });
    expect(countersOf(rig)).toMatchObject({ prompted: 1, promptExpired: 1 });
  });

  test('is not waited for any more when the task is cancelled', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, two);
    rig.services.tasks.cancel('ann', taskId);
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'cancelled', quit: 'cancelled' });
    expect(rig.services.console.confirmations.list()).toEqual([]);
    expect(rig.kinds()).toContain('task.plan_withdrawn');
    expect(countersOf(rig)).toMatchObject({ prompted: 1, promptExpired: 0 });
  });

  test('is not waited for any more when no step needs it: a failure before them ends the task', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'a' }, { id: 'shot', ...screenshot, dependsOn: ['a'] }]);
    await answerStep(rig, taskId, 'a', notDone());
    expect([stepsNow(rig, taskId), rig.services.console.confirmations.list()]).toEqual([
      { a: 'failed', shot: 'skipped' },
      [],
    ]);
  });

  test('is withdrawn at an emergency stop', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, two);
    rig.services.console.pause();
    rig.services.console.resume();
    await settle();
    expect([stepsNow(rig, taskId), rig.services.console.confirmations.list(), rig.agent.sent]).toEqual([
      { shot: 'cancelled', quit: 'cancelled' },
      [],
      [],
    ]);
  });

  test('is withdrawn when the requester is paused', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, two);
    rig.services.console.requesters.pause('ann');
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'cancelled', quit: 'cancelled' });
  });
});

test('a prompt for a plan names only the risks of its riskiest steps', async ({ rig }) => {
  await submittedTask(rig, [
    { id: 'shot', ...screenshot },
    { id: 'terminal', ...openTerminal },
  ]);
  expect(onlyPrompt(rig).prompt.risk).toEqual({
    level: 'high',
    reasons: ['xterm is a terminal, and controls more than itself.'],
  });
});

describe('a step that ends without success says why', () => {
  const why = (rig: Rig, taskId: string) =>
    taskNow(rig, taskId).steps.map(({ id, status, details }) => [id, status, details]);

  test('when nobody answered, and when an earlier step did not succeed', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [
      { id: 'shot', ...screenshot },
      { id: 'free', dependsOn: ['shot'] },
    ]);
    await rig.clock.advance(90_000);
    expect(why(rig, taskId)).toEqual([
      ['shot', 'expired', 'Nobody answered in time; nothing was done.'],
      ['free', 'skipped', 'An earlier step of the task did not succeed, so this step did not run; nothing was done.'],
    ]);
  });

  test('when the daemon was restarted, also after another restart', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'shot', ...screenshot }]);
    const restarted = rig.crashAndRestart();
    const details = 'The daemon was restarted before the person answered; nothing was done.';
    expect(why(restarted, taskId)).toEqual([['shot', 'expired', details]]);
    expect(why(restarted.crashAndRestart(), taskId)).toEqual([['shot', 'expired', details]]);
  });

  test('when it asked alone and was denied', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [look, { id: 'next', ...quitWhatIsOpen }]);
    await answerStep(rig, taskId, 'look', done({ data: { app: 'mousepad' } }));
    await answerPrompt(rig, 'deny');
    expect(why(rig, taskId)).toEqual([
      ['look', 'success', undefined],
      ['next', 'denied', 'The person denied it; nothing was done.'],
    ]);
  });

  test('when the task was cancelled, and when a step for failures was not needed', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [look, { id: 'after', dependsOn: ['look'] }]);
    rig.services.tasks.cancel('ann', taskId);
    expect(why(rig, taskId)[1]).toEqual([
      'after',
      'cancelled',
      'The task was cancelled before this step began; nothing was done.',
    ]);
    const other = await submittedTask(rig, [look, { id: 'repair', dependsOn: ['look'], runIf: 'failure' }]);
    await answerStep(rig, other.taskId, 'look', done());
    expect(why(rig, other.taskId)[1]).toEqual([
      'repair',
      'skipped',
      'This step runs only after a failure, and no step before it failed; nothing was done.',
    ]);
  });
});

describe('an approved plan', () => {
  test('serves another attempt of a step that is harmless to repeat', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [
      { id: 'shot', ...screenshot, retry: { maxAttempts: 2, backoffMs: 1_000 } },
    ]);
    await answerPrompt(rig, 'allow');
    await answerStep(rig, taskId, 'shot', notDone());
    rig.clock.advance(1_000);
    expect(sentSteps(rig)).toEqual(['shot', 'shot']);
    expect(countersOf(rig)).toMatchObject({ prompted: 1, executedElevated: 2, executedUndecided: 0 });
  });

  test('lets a step that may happen only once happen once: to try it again is asked anew', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, [{ id: 'quit', ...quitApp('mousepad') }]);
    await answerPrompt(rig, 'allow');
    rig.agent.listener.lost();
    await settle();
    expect(stepsNow(rig, taskId)).toEqual({ quit: 'unknown' });
    rig.services.console.tasks.resolveStep(taskId, 'quit', 'again');
    expect(stepsNow(rig, taskId)).toEqual({ quit: 'awaiting_confirmation' });
    expect(actionOf(onlyPrompt(rig))).toMatchObject({ stepId: 'quit' });
    expect(sentSteps(rig)).toEqual(['quit']);
  });

  test('is void when the rules change: what has not begun asks by itself', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, two);
    await answerPrompt(rig, 'allow');
    rig.services.console.profiles.assign('bob', 'observe');
    await answerStep(rig, taskId, 'shot', done());
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'success', quit: 'awaiting_confirmation' });
    expect(onlyPrompt(rig)).toMatchObject({ action: { stepId: 'quit' } });
    expect(rig.kinds()).toContain('task.plan_voided');
    await answerPrompt(rig, 'allow');
    await answerStep(rig, taskId, 'quit', done());
    expect(taskNow(rig, taskId).status).toBe('success');
    expect(countersOf(rig)).toMatchObject({ prompted: 2, promptAllowed: 2, executedElevated: 2, executedUndecided: 0 });
  });

  test('is void when the rules change before what it let through was sent', async ({ rig }) => {
    rig.agent.become('starting');
    const { taskId } = await submittedTask(rig, two);
    await answerPrompt(rig, 'allow');
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'pending', quit: 'pending' });
    rig.services.console.profiles.assign('bob', 'observe');
    await settle();
    expect(stepsNow(rig, taskId)).toEqual({ shot: 'awaiting_confirmation', quit: 'pending' });
    rig.agent.become('online');
    await settle();
    expect(rig.agent.sent).toEqual([]);
    expect(onlyPrompt(rig)).toMatchObject({ action: { stepId: 'shot' } });
  });

  test('does not outlive the daemon: what was not sent asks by itself', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, two);
    await answerPrompt(rig, 'allow');
    await answerStep(rig, taskId, 'shot', done());
    const during = rig.crashAndRestart();
    await settle();
    // It may happen only once and was sent, so nobody knows.
    expect(stepsNow(during, taskId)).toEqual({ shot: 'success', quit: 'unknown' });
    const other = await submittedTask(during, [
      { id: 'one', ...quitApp('one') },
      { id: 'two', ...quitApp('two'), dependsOn: ['one'] },
    ]);
    during.agent.become('starting');
    await answerPrompt(during, 'allow');
    const after = during.crashAndRestart();
    await settle();
    expect(stepsNow(after, other.taskId)).toEqual({ one: 'awaiting_confirmation', two: 'pending' });
    expect(after.agent.sent).toEqual([]);
    expect(onlyPrompt(after)).toMatchObject({ action: { stepId: 'one' } });
    expect(auditJournal(dataDirectoryAt(after.store.path))).toMatchObject({ valid: true });
  });

  test('that waits for its answer has expired after a restart', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, two);
    const after = rig.crashAndRestart();
    await settle();
    expect([stepsNow(after, taskId), after.services.console.confirmations.list()]).toEqual([
      { shot: 'expired', quit: 'expired' },
      [],
    ]);
  });
});

test.each([
  [8 * 3_600_000 - 60_000, { a: 'success', shot: 'running' }],
  [8 * 3_600_000, { a: 'success', shot: 'awaiting_confirmation' }],
])('a plan that was allowed %i ms ago lets its steps through, or has them ask anew', async (agoMs, expected) => {
  const rig = startServices();
  const { taskId } = await submittedTask(rig, [
    { id: 'a', timeoutMs: 600_000 },
    { id: 'shot', ...screenshot, dependsOn: ['a'] },
  ]);
  await answerPrompt(rig, 'allow');
  rig.clock.setWallClock(rig.clock.nowMs() + agoMs);
  await answerStep(rig, taskId, 'a', done());
  expect(stepsNow(rig, taskId)).toEqual(expected);
});

test('a plan that waits is void when the rules change: each step asks by itself, or needs no yes any more', async () => {
  const rig = startServices();
  const { taskId } = await submittedTask(rig, [
    { id: 'shot', ...screenshot },
    { id: 'terminal', ...openTerminal },
  ]);
  const { id } = onlyPrompt(rig);
  rig.services.console.profiles.assign('ann', 'trusted');
  await settle();
  expect(stepsNow(rig, taskId)).toEqual({ shot: 'running', terminal: 'awaiting_confirmation' });
  expect(onlyPrompt(rig)).toMatchObject({ action: { stepId: 'terminal' } });
  expect(rig.services.console.confirmations.shown(id)).toMatchObject({ refused: 'confirmation_expired' });
});

test('a step that a grant lets through when it is its turn does not wait for the plan, which is then asked about no more', async () => {
  const rig = startServices();
  await rig.submitted(screenshot);
  const { taskId } = await submittedTask(rig, [{ id: 'a' }, { id: 'shot', ...screenshot, dependsOn: ['a'] }]);
  await answerPrompt(rig, 'allow', 'minutes15');
  expect(onlyPrompt(rig)).toMatchObject({ plan: { taskId } });
  await answerStep(rig, taskId, 'a', done());
  expect([stepsNow(rig, taskId), rig.services.console.confirmations.list()]).toEqual([
    { a: 'success', shot: 'running' },
    [],
  ]);
});

test('a list of prompts looks each history up once, however many steps they have', async ({ rig }) => {
  const shots = Array.from({ length: 50 }, (_, index) => ({ id: `shot${index}`, ...screenshot }));
  for (let plans = 0; plans < 3; plans += 1)
    await submittedTask(rig, [...shots, { id: 'quit', ...quitApp('mousepad') }]);
  const { allowedBefore } = rig.store.confirmations;
  let lookedUp = 0;
  Object.assign(rig.store.confirmations, {
    allowedBefore(userId: string, actionType: string) {
      lookedUp += 1;
      return allowedBefore(userId, actionType);
    },
  });
  expect([rig.services.console.confirmations.list().length, lookedUp]).toEqual([3, 2]);
});

test('who waits for the person is told by one look at what is pending, however many have ever asked', async () => {
  const rig = startServices();
  for (const userId of ['eve', 'bob'])
    rig.services.devices.register(userId, { type: 'linux', name: 'Desk', capabilities: {} });
  await submittedTask(rig, two);
  const { pendingHeads } = rig.store.confirmations;
  let looks = 0;
  Object.assign(rig.store.confirmations, {
    pendingHeads() {
      looks += 1;
      return pendingHeads();
    },
    pending: () => expect.unreachable('the steps of plans are not needed to count them'),
  });
  const { requesters } = rig.services.console.status();
  expect([requesters.map(({ userId, waiting }) => [userId, waiting]), looks]).toEqual([
    [
      ['ann', 1],
      ['bob', 0],
      ['eve', 0],
    ],
    1,
  ]);
});

test('an approved plan does not cover a step whose risk has risen since: the step asks by itself', async ({ rig }) => {
  const { taskId } = await submittedTask(rig, [
    { id: 'shot', ...screenshot },
    { id: 'quit', ...quitApp('Harmless Notes'), dependsOn: ['shot'] },
  ]);
  rig.clock.advance(52_000);
  await answerPrompt(rig, 'allow');
  const risks = [{ level: 'high', reason: '“Harmless Notes” leads to “xterm”, which is a terminal.' }];
  rig.agent.apps.set('Harmless Notes', done({ data: { appName: 'Harmless Notes', risks } }));
  // The answer about the app of before, a minute ago, is no longer fresh. The screenshot has not taken too long.
  rig.clock.advance(8_000);
  await answerStep(rig, taskId, 'shot', done());
  await settle();
  await settle();
  expect(stepsNow(rig, taskId)).toMatchObject({ shot: 'success', quit: 'awaiting_confirmation' });
  expect(onlyPrompt(rig)).toMatchObject({ kind: 'action' });
  expect(onlyPrompt(rig).prompt.risk.level).not.toBe('medium');
  expect(rig.kinds()).toContain('task.plan_voided');
});
