import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, vi } from 'vitest';
import { get, post } from './attacks/target.ts';
import { type Rig, type RigOptions, startRig, test } from './rig.ts';

/** For a machine with much else to do. */
const PATIENT = { timeout: 30_000 };

test(
  'requests sent ahead on one connection are handled one after the other, and answered in order',
  PATIENT,
  async () => {
    const rig = await startRig();
    const slow = slowArtifact(rig);
    const client = await open(rig);
    const devices = vi.spyOn(rig.services.devices, 'list');
    client.socket.write(slow.request + get(rig, '/api/tee/devices', { userId: 'ann' }) + get(rig, '/nowhere'));
    await slow.isAsked;
    await fetch(`${rig.url}/health`);
    expect([client.statuses(), devices.mock.calls.length]).toEqual([[], 0]);
    slow.answer();
    await expect.poll(() => client.statuses(), PATIENT).toEqual([404, 200, 404]);
  },
);

test('as many requests as the limit may be sent ahead on a connection, and one more closes it', PATIENT, async () => {
  const served = await sentAhead({ limits: { pipelined: { perConnection: 3, inAll: 100 } } }, 4);
  await expect.poll(() => served.client.statuses(), PATIENT).toEqual([200, 200, 200, 200]);
  expect(served.client.socket.closed).toBe(false);

  const cut = await sentAhead({ limits: { pipelined: { perConnection: 3, inAll: 100 } } }, 5);
  await expect.poll(() => cut.client.socket.closed, PATIENT).toBe(true);
  expect(cut.rig.services.refusals).toEqual(['rate_limited']);
});

test(
  'requests sent ahead are bounded over all connections, and a place is free again after its answer',
  PATIENT,
  async () => {
    const limits = { pipelined: { perConnection: 100, inAll: 3 } };
    const { rig, client } = await sentAhead({ limits }, 4);
    await expect.poll(() => client.statuses(), PATIENT).toEqual([200, 200, 200, 200]);
    const [first, second] = [await open(rig), await open(rig)];
    const slow = slowArtifact(rig);
    first.socket.write(slow.request + get(rig, '/health').repeat(3));
    await slow.isAsked;
    second.socket.write(get(rig, '/health').repeat(2));
    await expect.poll(() => second.socket.closed, PATIENT).toBe(true);
    expect(first.socket.closed).toBe(false);
    first.socket.destroy();
    await expect.poll(async () => (await sentAheadTo(rig, 4)).length, PATIENT).toBe(4);
  },
);

test('a thousand requests sent ahead in many pieces are all answered', PATIENT, async ({ rig }) => {
  const client = await open(rig);
  for (let count = 0; count < 10; count += 1) client.socket.write(get(rig, '/health').repeat(100));
  await expect.poll(() => client.statuses().length, PATIENT).toBe(1_000);
  expect(new Set(client.statuses())).toEqual(new Set([200]));
});

test('no request is handled behind one that closes the connection', PATIENT, async ({ rig }) => {
  const body = JSON.stringify({
    targetDeviceId: await rig.registerDevice('ann'),
    actionType: 'DescribeScreen',
    parameters: {},
  });
  const client = await open(rig);
  const last = get(rig, '/health', { headers: ['Connection: close'] });
  client.socket.write(last + post(rig, '/api/tee/actions', { userId: 'ann', body }));
  await once(client.socket, 'close');
  expect([client.statuses(), rig.services.executions()]).toEqual([[200], 0]);
});

async function sentAhead(options: RigOptions, count: number) {
  const rig = await startRig(options);
  const client = await open(rig);
  client.socket.write(get(rig, '/health').repeat(count));
  return { rig, client };
}

/** The statuses that come back for so many at once, until the connection ends or all have come. */
async function sentAheadTo(rig: Rig, count: number): Promise<number[]> {
  const client = await open(rig);
  client.socket.write(get(rig, '/health').repeat(count));
  await vi.waitUntil(() => client.statuses().length === count || client.socket.closed, PATIENT);
  return client.statuses();
}

async function open(rig: Rig): Promise<{ socket: Socket; statuses(): number[] }> {
  const socket = connect(rig.port, rig.host).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  await once(socket, 'connect');
  return { socket, statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)) };
}

/** An artifact that is not found, but only when the test says so. */
function slowArtifact(rig: Rig) {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  rig.services.artifacts.open = async () => {
    asked.resolve();
    await answered.promise;
    return { refused: 'artifact_not_found', detail: 'There is none.' };
  };
  return {
    request: get(rig, '/api/tee/artifacts/art_slow', { userId: 'ann' }),
    isAsked: asked.promise,
    answer: answered.resolve,
  };
}
