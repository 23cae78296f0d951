import { expect, test } from 'vitest';
import { done, type Rig, startServices } from './rig.ts';
import { answerStep, type Step, settle, submittedTask, taskNow } from './tasks-rig.ts';

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
