import { describe, expect } from 'vitest';
import type { ScreenChange } from '../../../src/services/lifecycle/screen-lock.ts';
import { decide, firstPrompt } from '../answers.ts';
import { fillDisk } from '../full-disk.ts';
import { done, fillDesktop, type Rig, test } from '../rig.ts';
import { answerPrompt, answerStep, sentSteps, settle, stepsNow, submittedTask, taskNow } from '../tasks-rig.ts';

const screenshot = { actionType: 'TakeScreenshot', parameters: {} };
const wait = { actionType: 'Wait', parameters: { durationMs: 5 } };
const describeScreen = { actionType: 'DescribeScreen', parameters: {} };

const now = (rig: Rig, actionId: string) => rig.services.actions.get('ann', actionId);
const screenKinds = (rig: Rig) => rig.kinds().filter((kind) => kind.startsWith('screen.'));

/** As many actions run as may run at once. */
async function fillSlots(rig: Rig): Promise<void> {
  for (let count = 0; count < 16; count += 1) expect((await rig.submitted(wait)).status).toBe('running');
}

describe.each<[ScreenChange, ScreenChange, string]>([
  ['locked', 'unlocked', 'The screen was locked before a person answered; nothing was done.'],
  ['suspended', 'resumed', 'The computer was suspended before a person answered; nothing was done.'],
])('while it is %s', (leave, comeBack, details) => {
  test('what waited for the person has expired, and stays so', async ({ rig }) => {
    const { actionId } = await rig.submitted(screenshot);
    const prompt = firstPrompt(rig);
    rig.services.screen(leave);
    expect(now(rig, actionId)).toMatchObject({ status: 'expired', details });
    rig.services.screen(comeBack);
    expect(decide(rig, 'allow', {}, prompt)).toMatchObject({ refused: 'confirmation_expired' });
    expect(rig.agent.sent).toEqual([]);
  });

  test('nothing is taken, not even what asks nobody; afterwards it is', async ({ rig }) => {
    rig.services.screen(leave);
    expect(await rig.submit(wait)).toMatchObject({ refused: 'paused', detail: expect.stringContaining('locked') });
    expect(await rig.submit(screenshot)).toMatchObject({ refused: 'paused' });
    const task = { userId: 'ann', gone: new AbortController().signal, body: { steps: [] } };
    expect(await rig.services.tasks.submit(task)).toMatchObject({ refused: 'paused' });
    expect(rig.store.actions.live()).toEqual([]);
    rig.services.screen(comeBack);
    expect((await rig.submitted(wait)).status).toBe('running');
  });

  test('what runs goes on, and its end is recorded', async ({ rig }) => {
    const { actionId } = await rig.submitted(wait);
    rig.services.screen(leave);
    expect(rig.agent.cancelled).toEqual([]);
    await rig.agent.answer(done());
    expect(now(rig, actionId)).toMatchObject({ status: 'success' });
  });
});

test('what was taken and not sent when the screen was locked is never sent', async ({ rig }) => {
  await fillSlots(rig);
  const queued = await rig.submitted(wait);
  expect(queued.status).toBe('queued');
  rig.services.screen('locked');
  await rig.agent.answer(done());
  rig.services.screen('unlocked');
  expect(now(rig, queued.actionId)).toMatchObject({ status: 'expired' });
  expect(rig.agent.sent).toHaveLength(16);
});

test('what waited for the agent when the screen was locked is refused when it comes', async ({ rig }) => {
  rig.agent.become('starting');
  const answer = rig.submit(wait);
  rig.services.screen('locked');
  rig.agent.become('online');
  expect(await answer).toMatchObject({ refused: 'paused' });
  expect(rig.agent.sent).toEqual([]);
});

test('a task stands still while the screen is locked and goes on by itself afterwards', async ({ rig }) => {
  const { taskId } = await submittedTask(rig, [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }]);
  rig.services.screen('locked');
  await answerStep(rig, taskId, 'a', done());
  await settle();
  expect(stepsNow(rig, taskId)).toEqual({ a: 'success', b: 'pending' });
  rig.services.screen('unlocked');
  await settle();
  expect(sentSteps(rig)).toEqual(['a', 'b']);
});

test('a plan that waits for its answer has expired, and is not asked about again', async ({ rig }) => {
  const { taskId } = await submittedTask(rig, [{ id: 'shot', ...screenshot }]);
  expect(rig.services.console.confirmations.list()).toHaveLength(1);
  rig.services.screen('locked');
  expect(rig.services.console.confirmations.list()).toEqual([]);
  rig.services.screen('unlocked');
  await settle();
  expect(stepsNow(rig, taskId)).toEqual({ shot: 'expired' });
  expect([rig.services.console.confirmations.list(), rig.agent.sent]).toEqual([[], []]);
});

test('a step that waits for its turn keeps it, unless a person had allowed it by itself', async ({ rig }) => {
  const { taskId } = await submittedTask(
    rig,
    [
      { id: 'first', ...wait },
      { id: 'free', ...describeScreen, dependsOn: ['first'] },
      { id: 'planned', ...screenshot, dependsOn: ['first'] },
      { id: 'alone', ...screenshot, dependsOn: ['first'], parameters: { maxWidth: { $from: 'first.data.width' } } },
    ],
    { onFailure: 'continue' },
  );
  await answerPrompt(rig, 'allow');
  const firstSent = rig.agent.sent[0];
  await fillDesktop(rig);
  await rig.agent.answer(done({ data: { width: 640 } }), firstSent);
  await settle();
  await answerPrompt(rig, 'allow');
  const actions = () =>
    taskNow(rig, taskId).steps.map(({ actionId }) => rig.store.actions.findById(String(actionId))?.status);
  expect(actions()).toEqual(['success', 'queued', 'queued', 'queued']);
  rig.services.screen('locked');
  await rig.agent.answer(done());
  await settle();
  expect(actions()).toEqual(['success', 'queued', 'queued', 'expired']);
  rig.clock.advance(10 * 60_000);
  expect(actions()).toEqual(['success', 'queued', 'queued', 'expired']);
  rig.services.screen('unlocked');
  await settle();
  expect(actions()).toEqual(['success', 'queued', 'running', 'expired']);
});

test('a computer that wakes up locked stays shut until it is unlocked too', async ({ rig }) => {
  for (const change of ['locked', 'suspended', 'resumed'] as const) rig.services.screen(change);
  expect(await rig.submit(wait)).toMatchObject({ refused: 'paused' });
  expect(screenKinds(rig)).toEqual(['screen.locked']);
  rig.services.screen('unlocked');
  expect((await rig.submitted(wait)).status).toBe('running');
  expect(screenKinds(rig)).toEqual(['screen.locked', 'screen.unlocked']);
});

test('on a full disk nothing goes on until what waited is recorded as expired', async ({ rig }) => {
  const { actionId } = await rig.submitted(screenshot);
  fillDisk(rig);
  rig.services.screen('locked');
  rig.services.screen('unlocked');
  expect(now(rig, actionId)).toMatchObject({ status: 'awaiting_confirmation' });
  expect(await rig.submit(wait)).toMatchObject({ refused: 'paused' });
  rig.store.limitPages(1_000_000);
  rig.clock.advance(1_000);
  expect(now(rig, actionId)).toMatchObject({ status: 'expired' });
  expect(screenKinds(rig)).toEqual(['screen.locked', 'screen.unlocked']);
  expect((await rig.submitted(wait)).status).toBe('running');
});

test('the emergency stop outlasts the lock', async ({ rig }) => {
  rig.services.screen('locked');
  rig.services.console.pause();
  rig.services.screen('unlocked');
  expect(await rig.submit(wait)).toMatchObject({ refused: 'paused', detail: expect.stringContaining('stopped') });
});
