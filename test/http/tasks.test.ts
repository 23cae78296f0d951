import { expect, test } from 'vitest';
import { startRig } from './rig.ts';

const step = (targetDeviceId: string, id: string, dependsOn?: string[]) => {
  return { id, actionType: 'Wait', targetDeviceId, parameters: {}, ...(dependsOn === undefined ? {} : { dependsOn }) };
};

async function submitted() {
  const rig = await startRig();
  const deviceId = await rig.registerDevice('ann');
  const body = { steps: [step(deviceId, 'a'), step(deviceId, 'b', ['a'])] };
  const post = (over: object = {}, headers: Record<string, string> = {}) =>
    rig.call('POST /api/tee/tasks', { userId: 'ann', body: { ...body, ...over }, headers });
  return { rig, post, deviceId };
}

test('a task is answered 202 with its record and where it is', async () => {
  const { rig, post } = await submitted();
  const answer = await post();
  expect(answer).toMatchObject({ status: 202, body: { status: 'pending', progress: { done: 0, total: 2 } } });
  const location = String(answer.headers.get('location'));
  expect(location).toBe(`/api/tee/tasks/${Object(answer.body).taskId}`);
  expect((await rig.call(`GET ${location}`, { userId: 'ann' })).body).toEqual(answer.body);
  expect(await rig.call(`GET ${location}`, { userId: 'bob' })).toMatchObject({
    status: 404,
    body: { code: 'task_not_found' },
  });
});

test('with Prefer: wait, a task that has ended is answered 200', async () => {
  const { post } = await submitted();
  const answer = await post({}, { prefer: 'wait=5' });
  expect(answer).toMatchObject({ status: 200, body: { status: 'success' } });
  expect(answer.headers.get('preference-applied')).toBe('wait=5');
});

test('a graph that makes no sense is 422, an unknown member 400, and a dry run 200', async () => {
  const { post, deviceId } = await submitted();
  const twice = { steps: [step(deviceId, 'a'), step(deviceId, 'a')] };
  expect(await post(twice)).toMatchObject({ status: 422, body: { code: 'task_graph_invalid' } });
  expect(await post({ step: [] })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(await post({ steps: [] })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(await post({ dryRun: true })).toMatchObject({ status: 200, body: { dryRun: true } });
});

test('a task is cancelled with 202, and one that has ended with 409', async () => {
  const { rig, post } = await submitted();
  const { taskId } = Object((await post()).body);
  const cancel = () => rig.call(`POST /api/tee/tasks/${taskId}/cancel`, { userId: 'ann' });
  expect(await cancel()).toMatchObject({ status: 202, body: { status: 'cancelled' } });
  expect(await cancel()).toMatchObject({ status: 409, body: { code: 'already_terminal' } });
});

test("the list is the caller's own", async () => {
  const { rig, post } = await submitted();
  const { body } = await post();
  expect((await rig.call('GET /api/tee/tasks', { userId: 'ann' })).body).toEqual({ items: [body], nextCursor: null });
  expect((await rig.call('GET /api/tee/tasks', { userId: 'bob' })).body).toEqual({ items: [], nextCursor: null });
});

test('a step in doubt is resolved by the person alone, whose word is one of three', async () => {
  const rig = await startRig();
  const line = 'POST /api/console/tasks/tsk_x/steps/a/resolve';
  const origin = { origin: rig.url };
  const session = await rig.call('POST /api/console/session', {
    headers: origin,
    body: { code: rig.services.oneUseCode },
  });
  const headers = { ...origin, authorization: `Bearer ${Object(session.body).key}` };
  const body = { resolution: 'happened' };
  const refused = { status: 403, body: { code: 'approval_requires_person' } };
  expect(await rig.call(line, { userId: 'ann', body })).toMatchObject(refused);
  expect(await rig.call(line, { headers, body })).toMatchObject({ status: 404, body: { code: 'task_not_found' } });
  expect(await rig.call(line, { headers, body: { resolution: 'perhaps' } })).toMatchObject({ status: 400 });
  expect(await rig.call('GET /api/console/tasks', { headers })).toMatchObject({ status: 200, body: { items: [] } });
});
