import { expect } from 'vitest';
import type { Confirmation } from '../../src/contract/console.ts';
import type { CallingProgram } from '../../src/contract/program.ts';
import { decide, show } from './answers.ts';
import { type Rig, startServices, test } from './rig.ts';

const screenshot = { actionType: 'TakeScreenshot', parameters: {} };

/** Asks for the same so many times, and for something else once. Answers the first prompt and the ids of all. */
async function askEqual(rig: Rig, times: number): Promise<{ first: Confirmation; ids: string[]; other: string }> {
  for (let count = 0; count < times; count += 1) await rig.submitted(screenshot);
  const { confirmation } = await rig.submitted({ ...screenshot, parameters: { format: 'png' } });
  const [first, ...rest] = rig.services.console.confirmations.list();
  if (first === undefined) throw new Error('expected a prompt');
  const ids = [first, ...rest].filter((each) => each.actionDigest === first.actionDigest).map(({ id }) => id);
  return { first, ids, other: String(confirmation?.id) };
}

const statusesOf = (rig: Rig, ids: readonly string[]) => ids.map((id) => rig.store.confirmations.find(id)?.status);

test('P3: one approval is for the equal prompts that it names, each of which is journaled, and for no other', async () => {
  const rig = startServices();
  const { first, ids, other } = await askEqual(rig, 3);
  show(rig, 1_000);
  expect(decide(rig, 'allow', { equal: ids.slice(1) }, first)).toMatchObject({ status: 'running' });
  expect(statusesOf(rig, [...ids, other])).toEqual(['allowed', 'allowed', 'allowed', 'pending']);
  expect(rig.kinds().filter((kind) => kind === 'action.allowed')).toHaveLength(3);
});

test('an equal prompt that the answer does not name waits on', async ({ rig }) => {
  const { first, ids } = await askEqual(rig, 3);
  show(rig, 1_000);
  decide(rig, 'allow', { equal: ids.slice(1, 2) }, first);
  expect(statusesOf(rig, ids)).toEqual(['allowed', 'allowed', 'pending']);
});

test('one denial of three equal prompts counts once, so that the requester is not paused', async ({ rig }) => {
  const { first, ids } = await askEqual(rig, 3);
  decide(rig, 'deny', { equal: ids.slice(1) }, first);
  expect(statusesOf(rig, ids)).toEqual(['denied', 'denied', 'denied']);
  expect(rig.services.console.status().requesters).toMatchObject([{ userId: 'ann', pausedBecause: null }]);
});

test('three denials, each of another request, still pause the requester', async ({ rig }) => {
  for (const appName of ['xterm', 'konsole', 'kitty']) {
    await rig.submitted({ actionType: 'OpenApp', parameters: { appName } });
    decide(rig, 'deny');
  }
  expect(rig.services.console.status().requesters).toMatchObject([{ pausedBecause: '3 denials in a row' }]);
});

test.each(['allow', 'deny'] as const)(
  'P3: %s: an answer that names a prompt for anything else answers nothing',
  async (decision) => {
    const rig = startServices();
    const { first, ids, other } = await askEqual(rig, 2);
    show(rig, 1_000);
    for (const wrong of [other, first.id, 'cnf_01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
      expect(decide(rig, decision, { equal: [wrong] }, first)).toMatchObject({ refused: 'confirmation_stale' });
      expect(statusesOf(rig, [...ids, other])).toEqual(['pending', 'pending', 'pending']);
    }
  },
);

test('P3: a prompt of another requester for the same is not equal', async ({ rig }) => {
  const { first } = await askEqual(rig, 1);
  await rig.submit({ ...screenshot, targetDeviceId: rig.deviceOf('bob') }, { userId: 'bob', waitMs: 0 });
  show(rig, 1_000);
  const equal = rig.store.confirmations.pending().flatMap(({ id, userId }) => (userId === 'bob' ? id : []));
  expect(equal).toHaveLength(1);
  expect(decide(rig, 'allow', { equal }, first)).toMatchObject({ refused: 'confirmation_stale' });
});

test('P3: a prompt for the same by another program under the same name is not equal, and one by another process of it is', async () => {
  const rig = startServices();
  const program = (path: string, pid: number) => async (): Promise<CallingProgram> => ({
    kind: 'program',
    uid: 1_000,
    pid,
    name: path,
    path,
    startedBy: [{ pid: pid - 1, name: 'bash', path: '/usr/bin/bash' }],
  });
  for (const [path, pid] of [
    ['/usr/bin/agent', 10],
    ['/usr/bin/agent', 20],
    ['/tmp/agent', 30],
  ] as const)
    await rig.submit(screenshot, { waitMs: 0, program: program(path, pid) });
  const [first, again, foreign] = rig.services.console.confirmations.list();
  if (first === undefined || again === undefined || foreign === undefined) throw new Error('expected three prompts');
  expect(first.actionDigest).toBe(foreign.actionDigest);
  expect([again.question === first.question, foreign.question === first.question]).toEqual([true, false]);
  show(rig, 1_000);
  expect(decide(rig, 'allow', { equal: [foreign.id] }, first)).toMatchObject({
    refused: 'confirmation_stale',
  });
  expect(decide(rig, 'allow', { equal: [again.id] }, first)).toMatchObject({ status: 'running' });
  expect(statusesOf(rig, [first.id, again.id, foreign.id])).toEqual(['allowed', 'allowed', 'pending']);
});

test('P3: the question of another action is another one', async ({ rig }) => {
  await askEqual(rig, 2);
  const [first, again, other] = rig.services.console.confirmations.list();
  expect([again?.question === first?.question, other?.question === first?.question]).toEqual([true, false]);
});

test('P3: an equal prompt by rules that changed meanwhile is not answered', async ({ rig }) => {
  const { first, ids } = await askEqual(rig, 2);
  show(rig, 1_000);
  const [, other] = ids;
  const row = rig.store.confirmations.find(String(other));
  rig.store.write('relaxed', () => rig.store.confirmations.renew(String(other), { nonce: 'n', policyVersion: 'old' }));
  expect(row?.status).toBe('pending');
  expect(decide(rig, 'allow', { equal: ids.slice(1) }, first)).toMatchObject({
    refused: 'confirmation_stale',
  });
});

test('an answer for equal prompts has the conditions of any other: shown, and for long enough', async ({ rig }) => {
  const { first, ids } = await askEqual(rig, 2);
  const equal = ids.slice(1);
  expect(decide(rig, 'allow', { equal }, first)).toMatchObject({ refused: 'confirmation_not_ready' });
  expect(statusesOf(rig, ids)).toEqual(['pending', 'pending']);
});
