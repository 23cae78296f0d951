import { expect, test } from 'vitest';
import { isRefusal } from '../../src/services/refusal.ts';
import { tooMuchUnfinished } from '../../src/services/tasks/unfinished-limits.ts';
import { startServices } from './rig.ts';
import { submitTask } from './tasks-rig.ts';

const nothing = { steps: 0, bytes: 0 };

test('ten thousand unfinished steps of one user are taken, and not one more until some have ended', async () => {
  const rig = startServices();
  const hundred = Array.from({ length: 100 }, (_, index) => ({ id: `s${index}` }));
  const taken: string[] = [];
  for (let count = 0; count < 100; count += 1) {
    const answer = await submitTask(rig, hundred);
    if (isRefusal(answer) || answer.kind !== 'task') throw new Error(`task ${count} was not taken`);
    taken.push(answer.task.taskId);
  }
  expect(await submitTask(rig, [{ id: 'one' }])).toMatchObject({
    refused: 'too_many_pending',
    retryAfterSeconds: 30,
    detail: expect.stringMatching(/10000 steps of this user.*at most 10000 of a user and 80000 in all/),
  });
  rig.services.tasks.cancel('ann', String(taken[99]));
  expect(await submitTask(rig, hundred)).toMatchObject({ kind: 'task' });
}, 60_000);

test('eighty thousand unfinished steps are taken of made-up ids in all, and a hundred thousand with those of known requesters', () => {
  const of = (steps: number, inAll: number, isKnown: boolean) =>
    tooMuchUnfinished(steps, { ofUser: nothing, inAll: { steps: inAll, bytes: 0 }, isKnown })?.refused;
  expect([of(100, 79_900, false), of(101, 79_900, false)]).toEqual([undefined, 'too_many_pending']);
  expect([of(100, 99_900, true), of(101, 99_900, true)]).toEqual([undefined, 'too_many_pending']);
});

test('the limits on bytes hold beside them', () => {
  const mebibyte = 1024 * 1024;
  const of = (ofUser: number, inAll: number, isKnown = false) => {
    const load = { ofUser: { steps: 1, bytes: ofUser }, inAll: { steps: 1, bytes: inAll }, isKnown };
    return tooMuchUnfinished(1, load)?.refused;
  };
  const refused = 'too_many_pending';
  expect([of(16 * mebibyte - 1, 64 * mebibyte - 1), of(16 * mebibyte, 0)]).toEqual([undefined, refused]);
  expect([of(0, 64 * mebibyte), of(0, 80 * mebibyte - 1, true), of(0, 80 * mebibyte, true)]).toEqual([
    refused,
    undefined,
    refused,
  ]);
});
