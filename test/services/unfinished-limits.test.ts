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
    detail: expect.stringMatching(/10000 steps of this user.*at most 10000 of a user and 100000 in all/),
  });
  rig.services.tasks.cancel('ann', String(taken[99]));
  expect(await submitTask(rig, hundred)).toMatchObject({ kind: 'task' });
}, 60_000);

test('a hundred thousand unfinished steps are taken in all, and not one more', () => {
  const inAll = { steps: 99_900, bytes: 0 };
  expect(tooMuchUnfinished(100, { ofUser: nothing, inAll })).toBeUndefined();
  expect(tooMuchUnfinished(101, { ofUser: nothing, inAll })).toMatchObject({ refused: 'too_many_pending' });
});

test('the limits on bytes hold beside them', () => {
  const mebibyte = 1024 * 1024;
  const of = (ofUser: number, inAll: number) =>
    tooMuchUnfinished(1, { ofUser: { steps: 1, bytes: ofUser }, inAll: { steps: 1, bytes: inAll } })?.refused;
  expect([of(16 * mebibyte - 1, 64 * mebibyte - 1), of(16 * mebibyte, 0), of(0, 64 * mebibyte)]).toEqual([
    undefined,
    'too_many_pending',
    'too_many_pending',
  ]);
});
