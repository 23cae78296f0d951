import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { Admission, PeerGate } from '../../src/peers/gate.ts';
import type { Connection } from '../../src/peers/peer.ts';
import { upgradeText } from './attacks/agent-socket-attacks.ts';
import { requestText, sendRaw } from './raw-http.ts';
import { type Rig, startRig } from './rig.ts';

const SERVED: Admission = { peer: { kind: 'user', uid: 501 } };
const FOREIGN: Admission = {
  peer: { kind: 'user', uid: 502 },
  refusal: { refused: 'os_user_not_allowed', detail: 'Another user.' },
};

/** A gate whose answers a test gives when it wants to. */
function heldGate() {
  const asked: { connection: Connection | undefined; answer(admission: Admission): void }[] = [];
  const gate: PeerGate = (connection) => new Promise((answer) => void asked.push({ connection, answer }));
  return { asked, gate };
}

const devices = (rig: Rig, more: readonly string[] = []) =>
  requestText('GET /api/tee/devices', [`Host: 127.0.0.1:${rig.port}`, 'x-user-id: ann', ...more]);

test('a connection is looked up once, when it is accepted, however many requests follow', async () => {
  const { asked, gate } = heldGate();
  const rig = await startRig({ peerGate: gate });
  const socket = connect(rig.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  await once(socket, 'connect');
  await expect.poll(() => asked.length).toBe(1);
  socket.write(devices(rig) + devices(rig));
  expect(asked[0]?.connection).toEqual({
    caller: { address: '127.0.0.1', port: socket.localPort },
    daemon: { address: '127.0.0.1', port: rig.port },
  });
  expect(received).toBe('');
  asked[0]?.answer(SERVED);
  const answers = () => received.split('HTTP/1.1 200').length - 1;
  await expect.poll(answers).toBe(2);
  socket.write(devices(rig));
  await expect.poll(answers).toBe(3);
  expect(asked).toHaveLength(1);
  socket.destroy();
});

test('a body that comes while the connection is looked up is read whole', async () => {
  const { asked, gate } = heldGate();
  const rig = await startRig({ peerGate: gate });
  const registered = rig.registerDevice('ann');
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.answer(SERVED);
  expect(await registered).toMatch(/^dev_/);
});

test('every request of a foreign connection is refused and counted, but the question whether the daemon lives', async () => {
  const rig = await startRig({ peerGate: async () => FOREIGN });
  const host = `Host: 127.0.0.1:${rig.port}`;
  for (const line of [
    'GET /',
    'GET /api/guardian/dashboard',
    'GET /metrics',
    'GET /docs',
    'POST /health',
    'GET /health?x',
  ]) {
    const { status, headers } = await sendRaw(rig, requestText(line, [host]));
    expect([line, status, headers.connection]).toEqual([line, 403, 'close']);
  }
  expect(await sendRaw(rig, requestText('GET /health', [host]))).toMatchObject({ status: 200 });
  expect(rig.services.refusals).toEqual(Array(6).fill('os_user_not_allowed'));
});

test('the agent socket is not opened for a foreign connection, and is for a served one', async () => {
  let admission = FOREIGN;
  const rig = await startRig({ peerGate: async () => admission });
  const upgrade = (target: Rig) =>
    upgradeText(
      { ...target, wasExecuted: () => false, wasCounted: () => false },
      { headers: [`Authorization: Bearer ${target.door.token}`] },
    );
  expect(await sendRaw(rig, upgrade(rig))).toMatchObject({ status: 403, closed: true });
  expect(rig.door.attached).toHaveLength(0);
  admission = SERVED;
  expect(await sendRaw(rig, upgrade(rig))).toMatchObject({ status: 101 });
  expect(rig.door.attached).toHaveLength(1);
});

test.each(['request', 'upgrade'])(
  'a caller that resets its connection during the look-up of its %s causes nothing',
  async (kind) => {
    const { asked, gate } = heldGate();
    const rig = await startRig({ peerGate: gate });
    const accepted = once(rig.app.server, 'connection');
    const socket = connect(rig.port, '127.0.0.1');
    const [ofDaemon] = await accepted;
    const read = once(rig.app.server, kind);
    const target = { ...rig, wasExecuted: () => false, wasCounted: () => false };
    const headers = [`Authorization: Bearer ${rig.door.token}`];
    socket.write(kind === 'upgrade' ? upgradeText(target, { headers }) : devices(rig));
    await read;
    socket.resetAndDestroy();
    await new Promise((resolve) => ofDaemon.once('close', resolve));
    const other = sendRaw(rig, devices(rig));
    await expect.poll(() => asked.length).toBe(2);
    for (const { answer } of asked) answer(SERVED);
    expect((await other).status).toBe(200);
    expect(rig.door.attached).toHaveLength(0);
    expect(rig.logged).toEqual([]);
  },
);
