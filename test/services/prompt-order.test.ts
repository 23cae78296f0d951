import { expect } from 'vitest';
import { isRefusal } from '../../src/services/refusal.ts';
import { decide, firstPrompt, show } from './answers.ts';
import { ALL, type Rig, startServices, test } from './rig.ts';

/** Prompts of a requester about screenshots, each with a place of its own on the screen. */
async function ask(rig: Rig, userId: string, count: number): Promise<void> {
  const { id } = rig.services.devices.register(userId, { type: 'linux', name: 'Desk', capabilities: ALL }).device;
  for (let x = 0; x < count; x += 1) {
    const parameters = { region: { x, y: 0, width: 10, height: 10 } };
    const answer = await rig.submit(
      { targetDeviceId: id, actionType: 'TakeScreenshot', parameters },
      { userId, waitMs: 0 },
    );
    if (isRefusal(answer)) throw new Error(`expected a prompt, got ${answer.refused}`);
    // The ids of prompts begin with their time.
    rig.clock.advance(1);
  }
}

const marks = (rig: Rig) =>
  rig.services.console.confirmations.list().map(({ prompt }) => prompt.requester.isStranger === true);

const users = (rig: Rig) => rig.services.console.confirmations.list().map(({ prompt }) => prompt.requester.userId);

/** The person sees the first prompt and answers it. Answers with the user id of its requester. */
function answerFirst(rig: Rig, decision: 'allow' | 'deny' = 'allow', undoable = false): string {
  const { prompt } = firstPrompt(rig);
  show(rig, 1_000);
  expect(decide(rig, decision, { undoable })).not.toHaveProperty('refused');
  return prompt.requester.userId;
}

function answered(rig: Rig, count: number): string[] {
  return Array.from({ length: count }, () => answerFirst(rig));
}

test('many prompts of one requester do not hide the only prompt of another', async ({ rig }) => {
  for (const user of ['flooder', 'bob']) rig.services.console.profiles.assign(user, 'assist');
  await ask(rig, 'flooder', 20);
  await ask(rig, 'bob', 1);
  expect(users(rig).slice(0, 3)).toEqual(['flooder', 'bob', 'flooder']);
  expect(answered(rig, 3)).toEqual(['flooder', 'bob', 'flooder']);
});

test('who comes while another has had its turns is next', async ({ rig }) => {
  for (const user of ['flooder', 'bob']) rig.services.console.profiles.assign(user, 'assist');
  await ask(rig, 'flooder', 5);
  answered(rig, 2);
  await ask(rig, 'bob', 2);
  expect(answered(rig, 5)).toEqual(['bob', 'flooder', 'bob', 'flooder', 'flooder']);
});

test('a requester with a key is first, then one that the person has dealt with, then all others', async ({ rig }) => {
  rig.services.console.profiles.assign('known', 'assist');
  rig.services.console.requesters.createKey('locked');
  for (const user of ['stranger', 'known', 'locked']) await ask(rig, user, 1);
  expect(users(rig)).toEqual(['locked', 'known', 'stranger']);
});

test('prompts of strangers come after those of known requesters, and each stranger has its turn', async ({ rig }) => {
  rig.services.console.profiles.assign('known', 'assist');
  for (const user of ['made-up-1', 'made-up-2', 'made-up-3']) await ask(rig, user, 2);
  await ask(rig, 'known', 3);
  expect(users(rig)).toEqual([
    ...['known', 'known', 'known'],
    ...['made-up-1', 'made-up-2', 'made-up-3', 'made-up-1', 'made-up-2', 'made-up-3'],
  ]);
});

test('a higher risk comes first, whose turn it is', async ({ rig }) => {
  await ask(rig, 'bob', 1);
  await rig.submitted({ actionType: 'OpenApp', parameters: { appName: 'xterm' } });
  expect(users(rig)).toEqual(['ann', 'bob']);
});

test('P1: a prompt of medium risk of a known requester comes before the critical ones of strangers', async () => {
  const rig = startServices();
  rig.services.console.profiles.assign('bob', 'assist');
  await rig.submitted({ actionType: 'OpenApp', parameters: { appName: 'xterm' } });
  await ask(rig, 'bob', 1);
  expect(users(rig)).toEqual(['bob', 'ann']);
});

test('P1: all prompts of strangers are denied at once, and no other', async ({ rig }) => {
  rig.services.console.profiles.assign('bob', 'assist');
  for (const user of ['made-up-1', 'made-up-2', 'bob']) await ask(rig, user, 2);
  expect(marks(rig)).toEqual([false, false, true, true, true, true]);
  expect(rig.services.console.confirmations.denyStrangers()).toBe(4);
  expect(users(rig)).toEqual(['bob', 'bob']);
  const ended = rig.store.actions.live().map(({ userId }) => userId);
  expect(ended).toEqual(['bob', 'bob']);
});

test('P1: a stranger whose three prompts are denied so is paused', async ({ rig }) => {
  await ask(rig, 'flooder', 3);
  rig.services.console.confirmations.denyStrangers();
  expect(rig.store.users.find('flooder')?.pausedBecause).toBeDefined();
});

test('an undone denial gives its turn back', async ({ rig }) => {
  for (const user of ['ann', 'bob']) rig.services.console.profiles.assign(user, 'assist');
  await ask(rig, 'ann', 1);
  await ask(rig, 'bob', 1);
  const [first] = rig.services.console.confirmations.list();
  expect(answerFirst(rig, 'deny', true)).toBe('ann');
  expect(users(rig)).toEqual(['bob']);
  rig.services.console.confirmations.undo(String(first?.id));
  expect(users(rig)).toEqual(['ann', 'bob']);
});

test('a stranger that was answered comes after the other strangers', async ({ rig }) => {
  for (const user of ['made-up-1', 'made-up-2']) await ask(rig, user, 2);
  expect(answerFirst(rig, 'deny')).toBe('made-up-1');
  expect(users(rig)).toEqual(['made-up-2', 'made-up-1', 'made-up-2']);
});

test('once nothing waits, nobody is owed a turn', async ({ rig }) => {
  for (const user of ['ann', 'bob']) rig.services.console.profiles.assign(user, 'assist');
  await ask(rig, 'ann', 1);
  expect(answerFirst(rig)).toBe('ann');
  expect(users(rig)).toEqual([]);
  rig.clock.advance(1);
  for (const user of ['ann', 'bob']) await ask(rig, user, 1);
  expect(users(rig)).toEqual(['ann', 'bob']);
});
