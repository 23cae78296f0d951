import { expect, test } from 'vitest';
import { connectAgent, SCREENSHOT, startWhole } from './whole-rig.ts';

const SECOND_MS = 1_000;

/** Three tasks, a second apart. The last one was cancelled. */
async function withTasks() {
  const rig = await startWhole();
  await connectAgent(rig);
  const person = await rig.signIn();
  async function submit(userId: string, name: string): Promise<string> {
    const headers = { 'x-user-id': userId };
    const device = { type: 'linux', name: 'Desk', capabilities: { canCaptureScreen: true } };
    const { body } = await rig.call('POST /api/tee/devices/register', { headers, body: device });
    const steps = [{ id: 'only', ...SCREENSHOT, targetDeviceId: body.id }];
    const task = await rig.call('POST /api/tee/tasks', { headers, body: { name, steps } });
    if (task.status !== 202) throw new Error(JSON.stringify(task.body));
    rig.clock.advance(SECOND_MS);
    return String(task.body.taskId);
  }
  await submit('ann', 'first');
  await submit('bob', 'second');
  await rig.call(`POST /api/console/tasks/${await submit('bob', 'third')}/cancel`, { headers: person });
  const named = async (query: string) => {
    const { status, body } = await rig.call(`GET /api/console/tasks${query}`, { headers: person });
    return [status, Object(body).items?.map(({ name }: { name: string }) => name) ?? body.code];
  };
  return { rig, named };
}

test('the person lists the tasks of every requester, the newest first', async () => {
  const { named } = await withTasks();
  expect(await named('')).toEqual([200, ['third', 'second', 'first']]);
});

test.each([
  ['a requester', '?requester=bob', ['third', 'second']],
  ['a requester without tasks', '?requester=carla', []],
  ['a status', '?status=cancelled', ['third']],
  ['a requester and a status', '?requester=ann&status=cancelled', []],
])('the tasks are filtered by %s', async (_, query, names) => {
  const { named } = await withTasks();
  expect(await named(query)).toEqual([200, names]);
});

test('the tasks are filtered by time, and an unreadable time is refused', async () => {
  const { rig, named } = await withTasks();
  const since = new Date(rig.clock.nowMs() - 2.5 * SECOND_MS).toISOString();
  expect(await named(`?since=${since}`)).toEqual([200, ['third', 'second']]);
  expect(await named('?since=yesterday')).toEqual([400, 'validation_failed']);
});

test('a task that was denied or expired is found as such, and not as one that failed', async () => {
  const { rig, named } = await withTasks();
  const person = await rig.signIn();
  await rig.call('POST /api/console/users/ann/deny-all', { headers: person });
  expect([await named('?status=denied'), await named('?status=expired')]).toEqual([
    [200, ['first']],
    [200, []],
  ]);
  rig.clock.advance(11 * 60_000);
  expect([
    await named('?status=expired'),
    await named('?status=denied,cancelled'),
    await named('?status=failed'),
  ]).toEqual([
    [200, ['second']],
    [200, ['third', 'first']],
    [200, []],
  ]);
  // The requester's own list has the statuses of the interface only.
  const headers = { 'x-user-id': 'ann' };
  expect((await rig.call('GET /api/tee/tasks?status=failed', { headers })).body).toMatchObject({
    items: [{ name: 'first' }],
  });
});

test('a filtered list goes on from its cursor', async () => {
  const { rig } = await withTasks();
  const headers = await rig.signIn();
  const { body } = await rig.call('GET /api/console/tasks?requester=bob&limit=1', { headers });
  expect(body).toMatchObject({ items: [{ name: 'third' }], nextCursor: expect.any(String) });
  const next = await rig.call(`GET /api/console/tasks?requester=bob&limit=1&cursor=${body.nextCursor}`, { headers });
  expect(next.body).toMatchObject({ items: [{ name: 'second' }] });
});
