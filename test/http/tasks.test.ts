import { expect } from 'vitest';
import { signIn, startRig, test } from './rig.ts';

const step = (targetDeviceId: string, id: string, dependsOn?: string[]) => {
  return { id, actionType: 'Wait', targetDeviceId, parameters: {}, dependsOn };
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

test('a task over 256 KiB is 413 and told the limit and what to do', async () => {
  const { rig, post, deviceId } = await submitted();
  const large = { steps: [{ ...step(deviceId, 'a'), parameters: { text: 'x'.repeat(256 * 1024) } }] };
  expect(await post(large)).toMatchObject({
    status: 413,
    body: { code: 'payload_too_large', maxBytes: 262_144, detail: expect.stringMatching(/256 KiB.*sent as several/) },
  });
  expect((await rig.call('GET /api/tee/tasks', { userId: 'ann' })).body).toMatchObject({ items: [] });
});

test.each([
  ['a condition that is none', { runIf: 'sometimes' }],
  ['six attempts', { retry: { maxAttempts: 6 } }],
  ['a pause of more than a minute', { retry: { maxAttempts: 2, backoffMs: 60_001 } }],
  ['a timeout of more than ten minutes', { timeoutMs: 600_001 }],
  ['no time at all', { timeoutMs: 0 }],
])('a step with %s is 400', async (_, over) => {
  const { post, deviceId } = await submitted();
  expect(await post({ steps: [{ ...step(deviceId, 'a'), ...over }] })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', errors: [{ pointer: expect.stringMatching(/^\/steps\/0\//) }] },
  });
});

test('the longest timeout, the most attempts and each condition are taken', async () => {
  const { post, deviceId } = await submitted();
  const steps = ['success', 'failure', 'always'].map((runIf) => {
    return { ...step(deviceId, runIf), runIf, timeoutMs: 600_000, retry: { maxAttempts: 5, backoffMs: 60_000 } };
  });
  for (const onFailure of ['stop', 'continue']) expect(await post({ steps, onFailure })).toMatchObject({ status: 202 });
  expect(await post({ onFailure: 'retry' })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
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

test('a step in doubt is resolved by the person alone, whose word is one of three', async ({ rig }) => {
  const line = 'POST /api/console/tasks/tsk_x/steps/a/resolve';
  const headers = await signIn(rig);
  const body = { resolution: 'happened' };
  const refused = { status: 403, body: { code: 'approval_requires_person' } };
  expect(await rig.call(line, { userId: 'ann', body })).toMatchObject(refused);
  expect(await rig.call(line, { headers, body })).toMatchObject({ status: 404, body: { code: 'task_not_found' } });
  expect(await rig.call(line, { headers, body: { resolution: 'perhaps' } })).toMatchObject({ status: 400 });
  expect(await rig.call('GET /api/console/tasks', { headers })).toMatchObject({ status: 200, body: { items: [] } });
  expect(await rig.call('GET /api/console/tasks?status=needs_attention,stuck', { headers })).toMatchObject({
    status: 200,
    body: { items: [], notices: [expect.stringContaining('stuck')] },
  });
});
