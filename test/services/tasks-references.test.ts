import { expect, vi } from 'vitest';
import { isRefusal } from '../../src/services/refusal.ts';
import { PATIENCE } from '../runner/patience.ts';
import { done, type Rig, startServices, test } from './rig.ts';
import { answerPrompt, answerStep, type Step, settle, submitTask, submittedTask, taskNow } from './tasks-rig.ts';

const KIB = 1024;
const look: Step = { id: 'look', actionType: 'DescribeScreen', parameters: {} };

/** A task whose first step looks at the screen, and how often its result is read from the store afterwards. */
async function startLooking(others: readonly Step[]) {
  const rig = startServices();
  const { taskId } = await submittedTask(rig, [look, ...others], { onFailure: 'continue' });
  const actionId = taskNow(rig, taskId).steps[0]?.actionId;
  return { rig, taskId, reads: countReads(rig, actionId) };
}

function countReads({ store }: Rig, actionId: string | undefined) {
  const { findById } = store.actions;
  let count = 0;
  Object.assign(store.actions, {
    findById(id: string) {
      if (id === actionId) count += 1;
      return findById(id);
    },
  });
  return () => count;
}

test('a result that twenty steps refer to is read once when they begin together', async () => {
  const opening = Array.from({ length: 20 }, (_, n) => ({
    id: `s${n}`,
    actionType: 'OpenApp',
    dependsOn: ['look'],
    parameters: { appName: { $from: 'look.data.nothing' } },
  }));
  const { rig, taskId, reads } = await startLooking(opening);
  const before = reads();
  await answerStep(rig, taskId, 'look', done({ data: { texts: 'x'.repeat(100 * KIB) } }));
  await settle();
  expect(taskNow(rig, taskId).steps.map(({ status }) => status)).toEqual(['success', ...opening.map(() => 'failed')]);
  expect(reads() - before).toBe(1);
});

test.each([
  ['64 KiB are taken as parameters', 64 * KIB, /app/],
  ['one byte more is refused with the limit', 64 * KIB + 1, /more than 65536 bytes \(64 KiB\).*smaller part/],
])('what $from leads to is bounded: %s', async (_what, sizeBytes, message) => {
  const name = {
    id: 'open',
    actionType: 'OpenApp',
    dependsOn: ['look'],
    parameters: { appName: { $from: 'look.data.app' } },
  };
  const { rig, taskId } = await startLooking([name]);
  const app = 'x'.repeat(sizeBytes - '{"appName":""}'.length);
  await answerStep(rig, taskId, 'look', done({ data: { app } }));
  await settle();
  const [, step] = taskNow(rig, taskId).steps;
  expect(step).toMatchObject({ status: 'failed', error: { message: expect.stringMatching(message) } });
  expect(step?.error?.message.includes('65536')).toBe(sizeBytes > 64 * KIB);
});

/** Steps that each take a number from every one of these, and ask by themselves. */
function waitsFor(sources: readonly string[], count: number): Step[] {
  const [first = ''] = sources;
  return Array.from({ length: count }, (_, n) => ({
    id: `s${n}`,
    actionType: 'Wait',
    dependsOn: [...sources],
    parameters: { durationMs: { $from: `${first}.data.n` } },
  }));
}

test('a result is parsed once for a task, though its steps begin in many turns of the event loop', async () => {
  const { rig, taskId, reads } = await startLooking(waitsFor(['look'], 20));
  const before = reads();
  await answerStep(rig, taskId, 'look', done({ data: { n: 1, texts: 'x'.repeat(100 * KIB) } }));
  let begun = 0;
  for (let step = 0; step < 20; step += 1) {
    await settle();
    const asking = taskNow(rig, taskId).steps.find(({ status }) => status === 'awaiting_confirmation');
    if (asking === undefined) break;
    begun += 1;
    await answerPrompt(rig, 'allow');
    await answerStep(rig, taskId, asking.id, done());
  }
  expect([begun, reads() - before]).toEqual([20, 1]);
});

test('a result that the store has forgotten is not used any longer', async () => {
  const { rig, taskId } = await startLooking([
    ...waitsFor(['look'], 5),
    {
      id: 'last',
      actionType: 'Wait',
      dependsOn: ['s0'],
      runIf: 'always',
      parameters: { durationMs: { $from: 'look.data.n' } },
    },
  ]);
  const actionId = String(taskNow(rig, taskId).steps[0]?.actionId);
  await answerStep(rig, taskId, 'look', done({ data: { n: 1 } }));
  await settle();
  rig.store.write('relaxed', () => rig.store.actions.forgetContents([actionId], Number.MAX_SAFE_INTEGER));
  await answerPrompt(rig, 'deny');
  await settle();
  const last = taskNow(rig, taskId).steps.find(({ id }) => id === 'last');
  expect(last).toMatchObject({ status: 'failed', error: { message: expect.stringMatching(/leads to nothing/) } });
});

test('steps that refer to many results read them in slices, one at least in each', async ({ rig }) => {
  const sources = Array.from({ length: 12 }, (_, n) => ({ ...look, id: `look${n}` }));
  const opening = sources.map(({ id }, n) => ({
    id: `open${n}`,
    actionType: 'OpenApp',
    dependsOn: sources.map((source) => source.id),
    parameters: { appName: { $from: `${id}.data.nothing` } },
  }));
  const { taskId } = await submittedTask(rig, [...sources, ...opening], { onFailure: 'continue' });
  for (const { id } of sources.slice(0, -1)) await answerStep(rig, taskId, id, done({ data: {} }));
  const { findById } = rig.store.actions;
  const readsOfTurns = [0];
  Object.assign(rig.store.actions, {
    findById(id: string) {
      rig.clock.advance(3);
      readsOfTurns.push((readsOfTurns.pop() ?? 0) + 1);
      return findById(id);
    },
  });
  const [latest] = sources.slice(-1);
  await answerStep(rig, taskId, String(latest?.id), done({ data: {} }));
  while (taskNow(rig, taskId).status !== 'failed') {
    readsOfTurns.push(0);
    await settle();
  }
  const { steps } = taskNow(rig, taskId);
  expect(steps.slice(12).map(({ status }) => status)).toEqual(opening.map(() => 'failed'));
  expect(Math.max(...readsOfTurns.slice(1))).toBeLessThanOrEqual(3);
});

test.each([
  [20, 20, undefined],
  [21, 20, 1],
  [99, 20, 79],
])('of %i faults of a graph %i are listed, and the number of the others is said', async (faults, listed, more) => {
  const steps = Array.from({ length: faults }, (_, n) => ({ id: `s${n}`, dependsOn: ['nobody'] }));
  const refusal = await submitTask(startServices(), steps);
  if (!isRefusal(refusal)) throw new Error('expected a refusal');
  expect([refusal.errors?.length, refusal.facts?.moreErrors]).toEqual([listed, more]);
  expect(refusal.detail.includes(`there are ${more} more`)).toBe(more !== undefined);
});

test.each([
  ['256 KiB of values are kept for all steps', 0, 1],
  ['with one byte more, each step reads its own', 1, 4],
])('of a large result %s', async (_what, more, expected) => {
  const names = ['a', 'b', 'c', 'd'];
  const opening = names.map((name, n) => ({
    id: `s${n}`,
    actionType: 'OpenApp',
    dependsOn: n === 0 ? ['look'] : ['look', `s${n - 1}`],
    runIf: 'always' as const,
    parameters: { appName: { $from: `look.data.${name}` } },
  }));
  const { rig, taskId, reads } = await startLooking(opening);
  const before = reads();
  // With its path and its two quotes each value counts 64 KiB.
  const value = 'x'.repeat(64 * KIB - 'data.a'.length - '""'.length);
  const data = { a: `${value}${'x'.repeat(more)}`, b: value, c: value, d: value };
  await answerStep(rig, taskId, 'look', done({ data }));
  // Storing and reading a large result takes turns of the event loop of their own.
  await vi.waitFor(() => expect(taskNow(rig, taskId).finishedAt).toBeDefined(), PATIENCE);
  expect(taskNow(rig, taskId).steps.map(({ status }) => status)).toEqual(['success', ...names.map(() => 'failed')]);
  expect(reads() - before).toBe(expected);
});
