import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type RawResponse, readResponse, sendRaw } from '../raw-http.ts';
import { upgradeText } from './agent-socket-attacks.ts';
import { describeScreen, deviceOf, expectHardened, expectProblem, get, post, type Target } from './target.ts';

/** As the server has them by default. */
export type FloodLimits = {
  connections: number;
  writesPerUser: number;
  writesInAll: number;
  readsPerUser: number;
  heldPerUser: number;
  heldInAll: number;
};

/** Row H15. Each case needs a target of its own, since it uses up what the target gives in a minute. */
export function floodAttacks(startTarget: () => Promise<Target>, limits: FloodLimits): void {
  test('H15: a flood of silent connections is bounded, and health still answers', async () => {
    const target = await startTarget();
    const sockets = Array.from({ length: limits.connections + 50 }, () => quietConnection(target));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await expectHealthy(target);
    await expect.poll(() => sockets.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(limits.connections);
    for (const socket of sockets) socket.destroy();
  });

  test('H15: a flood of bodies that never end is bounded, and health still answers', async () => {
    const target = await startTarget();
    const unfinished = `${post(target, '/api/tee/actions', { userId: 'eve', headers: ['Content-Length: 9'] })}{`;
    const sockets = Array.from({ length: limits.connections + 50 }, () => quietConnection(target));
    for (const socket of sockets) socket.write(unfinished);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await expectHealthy(target);
    await expect.poll(() => sockets.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(limits.connections);
    for (const socket of sockets) socket.destroy();
  });

  test('H15: a user who writes too often is told to wait, and others are not', async () => {
    const target = await startTarget();
    const cancel = post(target, '/api/tee/actions/act_none/cancel', { userId: 'eve' });
    const statuses = await pipelined(target, cancel, limits.writesPerUser);
    expect(new Set(statuses)).toEqual(new Set([404]));
    await expectLimited(target, cancel);
    await target.wasExecuted();
    const body = await describeScreen(target, 'ann');
    expect((await sendRaw(target, post(target, '/api/tee/actions', { userId: 'ann', body }))).status).toBe(200);
    expect(await target.wasExecuted()).toBe(true);
    await expectHealthy(target);
  });

  test('H15: made-up user ids do not get around the limit on all writes', async () => {
    const target = await startTarget();
    const cancel = (user: number) => post(target, '/api/tee/actions/act_none/cancel', { userId: `eve${user}` });
    const users = Math.ceil(limits.writesInAll / limits.writesPerUser) * 3;
    const each = Math.ceil(limits.writesInAll / users);
    const statuses = [];
    for (let user = 0; user < users; user += 1) statuses.push(...(await pipelined(target, cancel(user), each)));
    expect(statuses.slice(0, limits.writesInAll - 1).filter((status) => status !== 404)).toEqual([]);
    await expectLimited(target, cancel(users + 1));
    await expectHealthy(target);
  });

  test('H15: reads are bounded, and health still answers', async () => {
    const target = await startTarget();
    const read = get(target, '/api/tee/devices', { userId: 'eve' });
    await pipelined(target, read, limits.readsPerUser);
    await expectLimited(target, read);
    await expectHealthy(target);
  });

  test('H15: calls that wait are bounded for each user and in all', async () => {
    const target = await startTarget();
    const sockets: Socket[] = [];
    const hold = async (userId: string) => {
      const parameters = { appName: 'Notes' };
      const body = JSON.stringify({
        targetDeviceId: await deviceOf(target, userId),
        actionType: 'OpenApp',
        parameters,
      });
      return post(target, '/api/tee/actions', { userId, body, headers: ['Prefer: wait=60'] });
    };
    const holdAll = async (userId: string) => {
      const bytes = await hold(userId);
      for (let count = 0; count < limits.heldPerUser; count += 1) {
        const socket = quietConnection(target);
        socket.write(bytes);
        sockets.push(socket);
      }
    };
    await holdAll('eve0');
    await expectLimitedSoon(target, await hold('eve0'));
    for (let user = 1; user < limits.heldInAll / limits.heldPerUser; user += 1) await holdAll(`eve${user}`);
    await expectLimitedSoon(target, await hold('mallory'));
    await expectHealthy(target);
    await expectServedWithoutWaiting(target);
    for (const socket of sockets) socket.destroy();
  });

  test('H15: upgrades to bad URLs leave no connection behind', async () => {
    const target = await startTarget();
    const responses: RawResponse[] = [];
    for (let round = 0; round < 10; round += 1) {
      const paths = ['/%zz', '/nowhere', '/api/tee/agent'].flatMap((path) => Array.from({ length: 10 }, () => path));
      responses.push(...(await Promise.all(paths.map((path) => sendRaw(target, upgradeText(target, { path }))))));
    }
    expect(new Set(responses.map(({ status, closed }) => `${status} ${closed}`))).toEqual(
      new Set(['400 true', '401 true']),
    );
    await expectHealthy(target);
  });
}

function quietConnection(target: Target): Socket {
  const socket = connect(target);
  // Being reset is what a flood is answered with.
  socket.on('error', () => undefined);
  return socket;
}

/** Sends the same request many times over one connection, and answers with the statuses. */
async function pipelined(target: Target, bytes: string, times: number): Promise<number[]> {
  const socket = connect(target);
  const batch = 50;
  const statuses: number[] = [];
  let rest = '';
  for (let sent = 0; sent < times; sent += batch) {
    const expected = Math.min(times, sent + batch);
    socket.write(bytes.repeat(expected - sent));
    while (statuses.length < expected) {
      const [chunk] = await once(socket, 'data');
      const text = rest + String(chunk);
      const lines = [...text.matchAll(/HTTP\/1\.1 (\d{3}) [^\r]*\r\n/g)];
      statuses.push(...lines.map((line) => Number(line[1])));
      rest = text.slice(-40).replaceAll(/HTTP\/1\.1 \d{3} [^\r]*\r\n/g, '');
    }
  }
  socket.destroy();
  return statuses;
}

async function expectHealthy(target: Target): Promise<void> {
  const response = await sendRaw(target, get(target, '/health'));
  expect(response.status).toBe(200);
  expectHardened(response);
}

async function expectLimited(target: Target, bytes: string): Promise<void> {
  const response = await sendRaw(target, bytes);
  expectProblem(response, { status: 429, code: 'rate_limited' });
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  expect(await target.wasCounted('rate_limited')).toBe(true);
}

/** The calls that fill the places are on their way when this is asked, so it is asked until they have arrived. */
async function expectLimitedSoon(target: Target, bytes: string): Promise<void> {
  const status = async () => {
    const socket = quietConnection(target);
    socket.write(bytes);
    const first = await Promise.race([readResponse(socket), delay(200, undefined)]);
    socket.destroy();
    return first?.status;
  };
  await expect.poll(status).toBe(429);
  await expectLimited(target, bytes);
}

async function expectServedWithoutWaiting(target: Target): Promise<void> {
  const body = await describeScreen(target, 'ann');
  expect((await sendRaw(target, post(target, '/api/tee/actions', { userId: 'ann', body }))).status).toBe(200);
}
