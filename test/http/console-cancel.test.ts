import { expect, vi } from 'vitest';
import { PATIENCE } from '../runner/patience.ts';
import { connectAgent, register, SCREENSHOT, submitted, test, type WholeRig } from './whole-rig.ts';

const ANN = { 'x-user-id': 'ann' };
const UNKNOWN = 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV';

test('the person cancels an action of any requester, once, and the journal says who did', async ({ rig }) => {
  await connectAgent(rig);
  const person = await rig.signIn();
  const { actionId } = await submitted(rig, SCREENSHOT);
  const cancel = (id: unknown) => rig.call(`POST /api/console/actions/${id}/cancel`, { headers: person });
  expect(await cancel(actionId)).toMatchObject({ status: 202, body: { actionId, status: 'cancelled' } });
  expect(await cancel(actionId)).toMatchObject({ status: 409, body: { code: 'already_terminal', actionId } });
  expect(await cancel(UNKNOWN)).toMatchObject({ status: 404, body: { code: 'action_not_found' } });
  expect(cancels(rig)).toEqual([['action.cancel_requested', 'ann', { by: 'person' }]]);
});

test('the person cancels a running action, and the agent is told', async ({ rig }) => {
  const agent = await connectAgent(rig);
  const person = await rig.signIn();
  const held = submitted(rig, { actionType: 'Wait', parameters: { durationMs: 60_000 } });
  const [actionId] = (await agent.asked()).split('/');
  const reply = await rig.call(`POST /api/console/actions/${actionId}/cancel`, { headers: person });
  expect(reply).toMatchObject({ status: 202, body: { status: 'running' } });
  await vi.waitUntil(() => agent.cancelled().includes(String(actionId)), PATIENCE);
  rig.clock.advance(7_500);
  expect(await held).toMatchObject({ status: 'failed' });
});

test('the person cancels a task of any requester, once, and its actions end with it', async ({ rig }) => {
  await connectAgent(rig);
  const person = await rig.signIn();
  const targetDeviceId = await register(rig);
  const steps = [{ id: 'shot', ...SCREENSHOT, targetDeviceId }];
  const { body: task } = await rig.call('POST /api/tee/tasks', { headers: ANN, body: { steps } });
  const cancel = (id: unknown) => rig.call(`POST /api/console/tasks/${id}/cancel`, { headers: person });
  expect(await cancel(task.taskId)).toMatchObject({ status: 202, body: { taskId: task.taskId, status: 'cancelled' } });
  expect(await cancel(task.taskId)).toMatchObject({ status: 409, body: { code: 'already_terminal' } });
  expect(await cancel('tsk_01ARZ3NDEKTSV4RRFFQ69G5FAV')).toMatchObject({
    status: 404,
    body: { code: 'task_not_found' },
  });
  expect(cancels(rig)).toEqual([
    ['task.cancel_requested', 'ann', { taskId: task.taskId, because: 'requested', by: 'person' }],
  ]);
});

function cancels(rig: WholeRig) {
  const rows = rig.store.journal.readAfter(0, 1_000).filter(({ kind }) => kind.endsWith('.cancel_requested'));
  return rows.map(({ kind, userId, metadata }) => [kind, userId, metadata]);
}
