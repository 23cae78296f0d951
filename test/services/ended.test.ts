import { expect } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { Refusal } from '../../src/services/refusal.ts';
import type { Wait } from '../../src/services/requester-services.ts';
import { nextTurn } from '../../src/services/work/turns.ts';
import { done, type Rig, startServices, test } from './rig.ts';
import { answerStep, submittedTask } from './tasks-rig.ts';

const describeScreen = { actionType: 'DescribeScreen', parameters: {} };
const LONG_MS = 60_000;

function waiting<Answer>(answer: Promise<Answer>) {
  const seen: Answer[] = [];
  void answer.then((given) => seen.push(given));
  return { seen, settle: () => new Promise(setImmediate) };
}

function ended(rig: Rig, actionId: string, wait: { waitMs?: number; gone?: AbortSignal; userId?: string }) {
  const { waitMs = LONG_MS, gone = new AbortController().signal, userId = 'ann' } = wait;
  return waiting<Action | Refusal>(rig.services.actions.ended(userId, actionId, { waitMs, gone }));
}

test('a caller that waits for an action is answered when the action ends', async ({ rig }) => {
  const { actionId } = await rig.submitted(describeScreen);
  const call = ended(rig, actionId, {});
  await call.settle();
  expect(call.seen).toEqual([]);
  await rig.agent.answer(done());
  await call.settle();
  expect(call.seen).toMatchObject([{ actionId, status: 'success' }]);
});

test('a caller that does not wait, or whose wait is over, or who has gone is answered with the action as it is', async () => {
  const rig = startServices();
  const { actionId } = await rig.submitted(describeScreen);
  const caller = new AbortController();
  const calls = [ended(rig, actionId, { waitMs: 0 }), ended(rig, actionId, { gone: caller.signal })];
  caller.abort();
  for (const call of calls) {
    await call.settle();
    expect(call.seen).toMatchObject([{ status: 'running' }]);
  }
  expect(await rig.services.actions.ended('ann', actionId, { waitMs: 5, gone: caller.signal })).toMatchObject({
    status: 'running',
  });
});

test('a caller does not wait for the action or task of another user', async ({ rig }) => {
  const { actionId } = await rig.submitted(describeScreen);
  const { taskId } = await submittedTask(rig, [{ id: 'look', ...describeScreen }]);
  const action = ended(rig, actionId, { userId: 'bob' });
  const task = waiting(
    rig.services.tasks.ended('bob', taskId, { waitMs: LONG_MS, gone: new AbortController().signal }),
  );
  while (task.seen.length === 0) await task.settle();
  expect([action.seen, task.seen]).toMatchObject([[{ refused: 'action_not_found' }], [{ refused: 'task_not_found' }]]);
});

test('a caller that waits for a task is answered when nothing more happens by itself', async ({ rig }) => {
  const { taskId } = await submittedTask(rig, [{ id: 'look', ...describeScreen }]);
  const call = waiting(
    rig.services.tasks.ended('ann', taskId, { waitMs: LONG_MS, gone: new AbortController().signal }),
  );
  await call.settle();
  expect(call.seen).toEqual([]);
  await answerStep(rig, taskId, 'look', done());
  // It waits for its turn before the task is read.
  while (call.seen.length === 0) await call.settle();
  expect(call.seen).toMatchObject([{ taskId, status: 'success' }]);
});

test.each([
  ['of 64 KiB is read at once', 64 * 1024, []],
  ['of one byte more waits for its turn', 64 * 1024 + 1, ['other']],
])('a result %s', async (_title, bytes, expected) => {
  const rig = startServices();
  const { actionId } = await rig.submitted(describeScreen);
  const data = 'x'.repeat(bytes - JSON.stringify('').length);
  await rig.agent.answer(done({ data }));
  expect(await servedBefore((wait) => rig.services.actions.ended('ann', actionId, wait))).toEqual(expected);
  expect(rig.services.actions.get('ann', actionId)).toMatchObject({ data });
});

test('a task waits for its turn before it is read', async ({ rig }) => {
  const { taskId } = await submittedTask(rig, [{ id: 'look', ...describeScreen }]);
  expect(await servedBefore((wait) => rig.services.tasks.ended('ann', taskId, wait))).toEqual(['other']);
});

/** Reads a record and answers who was served before it: another requester that has waited longer, or nobody. */
async function servedBefore(read: (wait: Wait) => Promise<object>): Promise<string[]> {
  const served: string[] = [];
  void nextTurn('other').then(() => served.push('other'));
  expect(await read({ waitMs: 0, gone: new AbortController().signal })).not.toHaveProperty('refused');
  return [...served];
}
