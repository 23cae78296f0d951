import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import { LARGE_BYTES } from '../../src/services/actions/large-data.ts';
import { done, type Rig, startServices, test } from './rig.ts';
import { type Step, submittedTask, taskNow } from './tasks-rig.ts';

const LOOK: Step = { id: 'look', actionType: 'DescribeScreen', parameters: {} };
const NEXT: Step = { id: 'next', dependsOn: ['look'], parameters: { durationMs: { $from: 'look.data.nothing' } } };

/** In which turns of the event loop, counted from the agent's report on, the result was stored and read. */
async function turnsOf(rig: Rig, sizeBytes: number) {
  const { taskId } = await submittedTask(rig, [LOOK, NEXT], { onFailure: 'continue' });
  const [sent] = rig.agent.sent;
  if (sent === undefined) throw new Error('nothing was sent to the agent');
  const { update, findById } = rig.store.actions;
  const turns = { stored: -1, read: -1 };
  let turn = 0;
  Object.assign(rig.store.actions, {
    update(...args: Parameters<typeof update>) {
      if (args[1].data !== undefined) turns.stored = turn;
      return update(...args);
    },
    findById(id: string) {
      if (id === sent.actionId) turns.read = turn;
      return findById(id);
    },
  });
  const countTurn = () => {
    turn += 1;
    if (turn < 20) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const data = { text: 'x'.repeat(sizeBytes - '{"text":""}'.length) };
  rig.agent.listener.finished({ actionId: sent.actionId, attempt: sent.attempt }, done({ data }));
  while (turn < 20) await nextTurn();
  expect(taskNow(rig, taskId).steps.map(({ status }) => status)).toEqual(['success', 'failed']);
  return turns;
}

test('a large result is received, made JSON, stored and read in four turns of the event loop', async () => {
  const { stored, read } = await turnsOf(startServices(), LARGE_BYTES + 1);
  expect(stored).toBeGreaterThan(1);
  expect(read).toBeGreaterThan(stored);
});

test('any other result is stored and read at once', async () => {
  expect(await turnsOf(startServices(), LARGE_BYTES)).toEqual({ stored: 0, read: 0 });
});

test('an action whose large result is about to be stored ends as reported, although the agent is lost meanwhile', async () => {
  const rig = startServices();
  const { actionId } = await rig.submitted({ actionType: 'DescribeScreen', parameters: {} });
  const [sent] = rig.agent.sent;
  const data = { text: 'x'.repeat(LARGE_BYTES) };
  rig.agent.listener.finished({ actionId, attempt: sent?.attempt ?? 0 }, done({ data }));
  rig.agent.listener.lost();
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(rig.store.actions.findById(actionId)).toMatchObject({ status: 'success', data });
});
