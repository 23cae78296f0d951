import { expect } from 'vitest';
import { ALL, type Rig, startServices, test } from './rig.ts';

/** A prompt of a requester about a part of the screen. */
async function ask(rig: Rig, userId: string, x = 0): Promise<string> {
  const { id } = rig.services.devices.register(userId, { type: 'linux', name: 'Desk', capabilities: ALL }).device;
  const parameters = { region: { x, y: 0, width: 10, height: 10 } };
  await rig.submit({ targetDeviceId: id, actionType: 'TakeScreenshot', parameters }, { userId, waitMs: 0 });
  rig.clock.advance(1);
  const found = rig.store.confirmations.pending().findLast((row) => row.userId === userId);
  return found?.id ?? 'none';
}

const statusOf = (rig: Rig, id: string) => rig.store.confirmations.find(id)?.status;
const firstUser = (rig: Rig) => rig.services.console.confirmations.list()[0]?.prompt.requester.userId;

test('P1: the time to answer runs only while the prompt is the first of the queue', async ({ rig }) => {
  const first = await ask(rig, 'ann');
  const second = await ask(rig, 'ann', 1);
  rig.clock.advance(89_997);
  expect([statusOf(rig, first), statusOf(rig, second)]).toEqual(['pending', 'pending']);
  rig.clock.advance(1);
  expect([statusOf(rig, first), statusOf(rig, second)]).toEqual(['expired', 'pending']);
  rig.clock.advance(89_999);
  expect(statusOf(rig, second)).toBe('pending');
  rig.clock.advance(1);
  expect(statusOf(rig, second)).toBe('expired');
});

test('P1: a prompt that is pushed back keeps the time that it had left', async ({ rig }) => {
  const stranger = await ask(rig, 'stranger');
  rig.clock.advance(29_999);
  rig.services.console.requesters.createKey('known');
  const known = await ask(rig, 'known');
  expect(firstUser(rig)).toBe('known');
  rig.clock.advance(89_999);
  expect([statusOf(rig, known), statusOf(rig, stranger)]).toEqual(['expired', 'pending']);
  rig.clock.advance(59_999);
  expect(statusOf(rig, stranger)).toBe('pending');
  rig.clock.advance(1);
  expect(statusOf(rig, stranger)).toBe('expired');
});

test('a prompt ends after ten minutes in any case', async ({ rig }) => {
  rig.services.console.requesters.createKey('known');
  const stranger = await ask(rig, 'stranger');
  for (let count = 0; count < 6; count += 1) {
    await ask(rig, 'known', count);
    await ask(rig, 'known', count + 100);
  }
  rig.clock.advance(599_986);
  expect([firstUser(rig), statusOf(rig, stranger)]).toEqual(['known', 'pending']);
  rig.clock.advance(1);
  expect(statusOf(rig, stranger)).toBe('expired');
});

test('the page is told the latest end of a prompt that is not first', async ({ rig }) => {
  const startMs = rig.clock.nowMs();
  await ask(rig, 'ann');
  await ask(rig, 'ann', 1);
  const ends = () => rig.services.console.confirmations.list().map(({ expiresAt }) => Date.parse(expiresAt) - startMs);
  expect(ends()).toEqual([90_000, 600_001]);
  rig.clock.advance(89_998);
  expect(ends()).toEqual([180_000]);
});

test('P1: strangers with critical prompts do not use up the time of a known requester', async ({ rig }) => {
  for (let count = 0; count < 20; count += 1)
    await rig.submit({ actionType: 'OpenApp', parameters: { appName: 'xterm' } }, { userId: 'ann', waitMs: 0 });
  rig.services.console.profiles.assign('bob', 'assist');
  const own = await ask(rig, 'bob');
  expect(firstUser(rig)).toBe('bob');
  rig.clock.advance(80_000);
  expect(statusOf(rig, own)).toBe('pending');
});

test('P3: the person gets two more minutes for a prompt, and ten in all', async ({ rig }) => {
  const id = await ask(rig, 'ann');
  const { extend } = rig.services.console.confirmations;
  rig.clock.advance(60_000);
  expect(extend(id)).toMatchObject({ id, status: 'pending' });
  rig.clock.advance(149_998);
  expect(statusOf(rig, id)).toBe('pending');
  for (let count = 0; count < 5; count += 1) extend(id);
  rig.clock.advance(600_000 - 60_000 - 149_998 - 2);
  expect(statusOf(rig, id)).toBe('pending');
  rig.clock.advance(1);
  expect(statusOf(rig, id)).toBe('expired');
  expect(extend(id)).toMatchObject({ refused: 'confirmation_expired' });
});

test('more time is journaled, and changes neither the nonce nor the moment from which it can be allowed', async () => {
  const rig = startServices();
  const id = await ask(rig, 'ann');
  const { shown, extend } = rig.services.console.confirmations;
  const before = shown(id);
  const after = extend(id);
  if ('refused' in before || 'refused' in after) throw new Error('the prompt waits');
  const { nonce, shownAt, answerableAt } = before;
  expect(after).toMatchObject({ nonce, shownAt, answerableAt });
  expect(Date.parse(after.expiresAt) - Date.parse(before.expiresAt)).toBe(120_000);
  expect(rig.kinds()).toContain('confirmation.extended');
});

test('after the machine was suspended, prompts whose time is over end within half a minute', async ({ rig }) => {
  const first = await ask(rig, 'ann');
  const second = await ask(rig, 'ann', 1);
  rig.clock.setWallClock(rig.clock.nowMs() + 3_600_000);
  rig.clock.advance(30_000);
  expect([statusOf(rig, first), statusOf(rig, second)]).toEqual(['expired', 'expired']);
});

test('a clock that is set back gives a prompt no more time', async ({ rig }) => {
  const only = await ask(rig, 'ann');
  rig.clock.setWallClock(rig.clock.nowMs() - 3_600_000);
  rig.clock.advance(89_998);
  expect(statusOf(rig, only)).toBe('pending');
  rig.clock.advance(1);
  expect(statusOf(rig, only)).toBe('expired');
});
