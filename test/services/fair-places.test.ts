import { describe, expect } from 'vitest';
import type { ActionSubmission } from '../../src/contract/action.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { actionIn, done, fillDesktop, type Rig, startServices, test } from './rig.ts';
import { answerPrompt, answerStep, settle, stepsNow, submitTask, submittedTask } from './tasks-rig.ts';

const look = { actionType: 'DescribeScreen', parameters: {}, timeoutMs: 600_000 };
const wait = { actionType: 'Wait', parameters: { durationMs: 60_000 }, timeoutMs: 600_000 };
const screenshot = { actionType: 'TakeScreenshot', parameters: {} };
const TWO_MINUTES = 120_000;

/** Submits as another user with a device of its own, and answers the status of the action or why it was refused. */
async function submitAs(rig: Rig, userId: string, body: Partial<ActionSubmission>): Promise<string> {
  const answer = await rig.submit({ ...body, targetDeviceId: rig.deviceOf(userId) }, { userId, waitMs: 0 });
  return isRefusal(answer) ? answer.refused : actionIn(answer).action.status;
}

const typesSent = (rig: Rig) => rig.agent.sent.map(({ actionType }) => actionType);
const become = (rig: Rig, userId: string) => rig.services.console.profiles.assign(userId, 'assist');

describe('A12: the step of an allowed plan', () => {
  const plan = [
    { id: 'first', ...wait },
    { id: 'shot', ...screenshot, dependsOn: ['first'] },
  ];

  /** The plan was allowed, every place was taken, and then the first step ended. */
  async function planned(): Promise<{ rig: Rig; taskId: string }> {
    const rig = startServices();
    const { taskId } = await submittedTask(rig, plan);
    await answerPrompt(rig, 'allow');
    await fillDesktop(rig);
    await answerStep(rig, taskId, 'first', done());
    return { rig, taskId };
  }

  test('is sent on its plan when a place becomes free within two minutes of its turn', async () => {
    const { rig, taskId } = await planned();
    rig.clock.advance(TWO_MINUTES - 1);
    await answerFirst(rig);
    expect(stepsNow(rig, taskId)).toEqual({ first: 'success', shot: 'running' });
    expect(rig.services.console.confirmations.list()).toEqual([]);
  });

  test('asks by itself when its turn has not come within two minutes', async () => {
    const { rig, taskId } = await planned();
    rig.clock.advance(TWO_MINUTES);
    await settle();
    expect(stepsNow(rig, taskId)).toEqual({ first: 'success', shot: 'awaiting_confirmation' });
    await answerFirst(rig);
    expect(typesSent(rig)).not.toContain('TakeScreenshot');
    await answerPrompt(rig, 'allow');
    expect(stepsNow(rig, taskId)).toEqual({ first: 'success', shot: 'running' });
  });

  test('asks by itself when the machine slept for longer, and no timer ran', async () => {
    const { rig, taskId } = await planned();
    rig.clock.setWallClock(rig.clock.nowMs() + TWO_MINUTES);
    await answerFirst(rig);
    await settle();
    expect(stepsNow(rig, taskId)).toEqual({ first: 'success', shot: 'awaiting_confirmation' });
    expect(typesSent(rig)).not.toContain('TakeScreenshot');
  });

  test('asks by itself when the other steps of its task left it no place for two minutes', async ({ rig }) => {
    const waits = ['a', 'b', 'c', 'd'].map((id) => ({ id, ...wait }));
    const { taskId } = await submittedTask(rig, [...waits, { id: 'shot', ...screenshot }]);
    await answerPrompt(rig, 'allow');
    expect(stepsNow(rig, taskId)).toMatchObject({ shot: 'pending' });
    rig.clock.advance(TWO_MINUTES);
    await answerStep(rig, taskId, 'a', done());
    await settle();
    expect(stepsNow(rig, taskId)).toMatchObject({ shot: 'awaiting_confirmation' });
    expect(typesSent(rig)).not.toContain('TakeScreenshot');
  });

  test('runs on its plan hours later where a step before it took so long', async ({ rig }) => {
    const { taskId } = await submittedTask(rig, plan);
    await answerPrompt(rig, 'allow');
    rig.clock.setWallClock(rig.clock.nowMs() + 3 * 3_600_000);
    await answerStep(rig, taskId, 'first', done());
    await settle();
    expect(stepsNow(rig, taskId)).toEqual({ first: 'success', shot: 'running' });
  });
});

/** The first action that fills the desktop ends. */
async function answerFirst(rig: Rig): Promise<void> {
  const params = rig.agent.sent.find(({ actionType }) => actionType === 'DescribeScreen');
  await rig.agent.answer(done(), params);
  await settle();
}

describe('A12: places', () => {
  test('of actions on the desktop are not taken by Waits', async ({ rig }) => {
    for (let count = 0; count < 40; count += 1) await rig.submitted(wait);
    expect(rig.agent.sent).toHaveLength(16);
    expect((await rig.submitted(look)).status).toBe('running');
  });

  test.each([
    ['actions', look],
    ['Waits', wait],
  ])('of %s are sixteen for made-up ids, and four more for requesters that the person knows', async (_of, body) => {
    const rig = startServices();
    become(rig, 'known');
    for (let id = 0; id < 16; id += 1) expect(await submitAs(rig, `made-up-${id}`, body)).toBe('running');
    expect(await submitAs(rig, 'made-up-16', body)).toBe('queued');
    const known: string[] = [];
    for (let count = 0; count < 5; count += 1) known.push(await submitAs(rig, 'known', body));
    expect(known).toEqual(['running', 'running', 'running', 'running', 'queued']);
  });

  test('that are reserved take an allowed action of any requester', async ({ rig }) => {
    const { actionId } = await rig.submitted(screenshot);
    for (let id = 0; id < 17; id += 1) await submitAs(rig, `made-up-${id}`, look);
    await answerPrompt(rig, 'allow');
    expect(rig.services.actions.get('ann', actionId)).toMatchObject({ status: 'running' });
  });

  test('go to an allowed action before all that came earlier', async ({ rig }) => {
    // The person knows both, and by turns it would be that of bob, of whom nothing runs.
    become(rig, 'bob');
    await fillDesktop(rig);
    expect(await submitAs(rig, 'bob', look)).toBe('queued');
    await rig.submitted(screenshot);
    await answerPrompt(rig, 'allow');
    await answerFirst(rig);
    expect(typesSent(rig).at(-1)).toBe('TakeScreenshot');
  });
});

describe('a requester is known', () => {
  const isKnown = (rig: Rig, userId: string) => rig.services.isKnown(userId);

  test('once the person has allowed something it asked for, and stays so over a restart', async ({ rig }) => {
    await rig.submitted(screenshot);
    expect(isKnown(rig, 'ann')).toBe(false);
    await answerPrompt(rig, 'allow');
    expect(isKnown(rig, 'ann')).toBe(true);
    expect(isKnown(rig.crashAndRestart(), 'ann')).toBe(true);
  });

  test('once the person has given it a key or a profile of its own', ({ rig }) => {
    rig.services.console.requesters.createKey('ann');
    become(rig, 'bob');
    become(rig, '*');
    expect(['ann', 'bob', 'eve'].map((userId) => isKnown(rig, userId))).toEqual([true, true, false]);
  });

  test('neither by age, nor by low-risk actions, nor by a denial', async ({ rig }) => {
    await rig.submitted(look);
    await rig.submitted(screenshot);
    await answerPrompt(rig, 'deny');
    rig.clock.setWallClock(rig.clock.nowMs() + 365 * 86_400_000);
    expect(isKnown(rig, 'ann')).toBe(false);
  });
});

test('made-up ids fill a hundred prompts, and a known requester can still ask twenty-five times', {
  timeout: 60_000,
}, async () => {
  const rig = startServices();
  become(rig, 'known');
  const ask = (userId: string, width: number) =>
    submitAs(rig, userId, { actionType: 'TakeScreenshot', parameters: { maxWidth: width } });
  for (let count = 0; count < 100; count += 1)
    expect(await ask(`made-up-${count % 4}`, 100 + count)).toBe('awaiting_confirmation');
  expect(await ask('made-up-4', 100)).toBe('too_many_pending');
  const known: string[] = [];
  for (let count = 0; count < 26; count += 1) known.push(await ask('known', 100 + count));
  expect(known).toEqual([...Array.from({ length: 25 }, () => 'awaiting_confirmation'), 'too_many_pending']);
  const steps = [{ id: 'shot', ...screenshot, targetDeviceId: rig.deviceOf('made-up-4') }];
  expect(await submitTask(rig, steps, { userId: 'made-up-4' })).toMatchObject({ refused: 'too_many_pending' });
});
