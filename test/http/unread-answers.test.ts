import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { get } from './attacks/target.ts';
import { sendRaw } from './raw-http.ts';
import { type Rig, startRig, textIn } from './rig.ts';

const MIB = 1024 * 1024;
/** More than the two ends of a loopback connection hold by themselves. */
const LARGE = 8 * MIB;
/** For a machine with much else to do. */
const PATIENT = { timeout: 30_000 };

test('a reader that takes no bytes is cut off, and one that takes them slowly reads all of them', PATIENT, async () => {
  const rig = await startRig({ limits: { writeTimeoutMs: 400 } });
  const sizeBytes = streamed(rig);
  const request = get(rig, '/api/tee/artifacts/art_large', { userId: 'ann' });
  const [idle, slow] = [await reader(rig), await reader(rig)];
  idle.socket.write(request);
  slow.socket.write(request);
  const read = (async () => {
    while (slow.received() < sizeBytes && !slow.socket.closed) {
      slow.socket.resume();
      await delay(30);
      slow.socket.pause();
      await delay(120);
    }
  })();
  await expect.poll(() => connectionsOf(rig), PATIENT).toBe(1);
  await read;
  expect(slow.received()).toBeGreaterThan(sizeBytes);
  expect(await idle.rest()).toBeLessThan(sizeBytes);
});

test('a caller that waits longer than that for its answer is not cut off', PATIENT, async () => {
  const rig = await startRig({ limits: { writeTimeoutMs: 100 } });
  rig.services.artifacts.open = async () => {
    await delay(600);
    return { refused: 'artifact_not_found', detail: 'There is none.' };
  };
  const request = get(rig, '/api/tee/artifacts/art_slow', { userId: 'ann' });
  expect((await sendRaw(rig, request)).status).toBe(404);
});

test(
  'a connection stays open between two requests for as long as keep-alive says, and no longer',
  PATIENT,
  async () => {
    const rig = await startRig({ limits: { writeTimeoutMs: 50, keepAliveTimeoutMs: 1_500 } });
    const client = await reader(rig);
    for (let count = 1; count <= 2; count += 1) {
      client.socket.write(get(rig, '/health'));
      await expect.poll(() => client.statuses().length, PATIENT).toBe(count);
      client.socket.resume();
      await delay(400);
    }
    expect(client.socket.closed).toBe(false);
    await expect.poll(() => client.socket.closed, PATIENT).toBe(true);
  },
);

test('a user with too many unread bytes is refused until they are read; others are answered', PATIENT, async () => {
  const rig = await startRig({ limits: { unreadBytes: { perUser: 3 * LARGE + MIB, inAll: 100 * LARGE } } });
  const path = await largeAction(rig, 'ann');
  const others = await largeAction(rig, 'bob');
  const readers = await Promise.all([1, 2, 3].map(() => stalled(rig, path, 'ann')));
  expect(readers.flatMap((each) => each.statuses())).toEqual([200, 200, 200]);
  const refused = await rig.call(`GET ${path}`, { userId: 'ann' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(refused.body).toMatchObject({ code: 'rate_limited' });
  expect(textIn(refused.body, 'detail')).toMatch(/Answers that you have not read take \d+ bytes/);
  expect((await rig.call(`GET ${others}`, { userId: 'bob' })).status).toBe(200);
  expect((await rig.call('GET /health')).status).toBe(200);
  readers[0]?.socket.resume();
  await expect.poll(async () => (await rig.call(`GET ${path}`, { userId: 'ann' })).status, PATIENT).toBe(200);
});

test('an answer counts as unread from 64 KiB on', PATIENT, async () => {
  const rig = await startRig({ limits: { unreadBytes: { perUser: LARGE + 50_000, inAll: 100 * LARGE } } });
  const path = await largeAction(rig, 'ann');
  await stalled(rig, await largeAction(rig, 'ann', LARGE - 10_000), 'ann');
  const sized = async (bytes: number) => {
    const details = Object(rig.services.actions.get('ann', path.split('/').at(-1) ?? ''));
    details.details = '';
    const empty = Buffer.byteLength(JSON.stringify((await rig.call(`GET ${path}`, { userId: 'ann' })).body));
    details.details = 'x'.repeat(bytes - empty);
    return (await rig.call(`GET ${path}`, { userId: 'ann' })).status;
  };
  expect([await sized(65_535), await sized(65_536)]).toEqual([200, 429]);
});

test('no answer is built for a reader that was refused one, until it has read another', PATIENT, async () => {
  const rig = await startRig({ limits: { unreadBytes: { perUser: 2 * LARGE, inAll: 100 * LARGE } } });
  const path = await largeAction(rig, 'ann');
  const { ended } = rig.services.actions;
  let built = 0;
  rig.services.actions.ended = (...call) => {
    built += 1;
    return ended(...call);
  };
  const status = async () => (await rig.call(`GET ${path}`, { userId: 'ann' })).status;
  const waiting = await stalled(rig, path, 'ann');
  expect([await status(), await status(), await status(), built]).toEqual([429, 429, 429, 2]);
  waiting.socket.resume();
  await expect.poll(status, PATIENT).toBe(200);
  expect(await status()).toBe(200);
});

test(
  'a reader that was refused an answer gets one once it has read another, whatever others leave unread',
  PATIENT,
  async () => {
    const rig = await startRig({ limits: { unreadBytes: { perUser: 2 * LARGE, inAll: 100 * LARGE } } });
    await stalled(rig, await largeAction(rig, 'bob'), 'bob');
    const path = await largeAction(rig, 'ann');
    const status = async () => (await rig.call(`GET ${path}`, { userId: 'ann' })).status;
    const waiting = await stalled(rig, path, 'ann');
    expect(await status()).toBe(429);
    waiting.socket.resume();
    await expect.poll(status, { timeout: 10_000 }).toBe(200);
  },
);

test('where the unread answers of all users are too many, the one that waits longest is cut off', PATIENT, async () => {
  const rig = await startRig({ limits: { unreadBytes: { perUser: 2 * LARGE, inAll: 3 * LARGE + MIB } } });
  const readers: Reader[] = [];
  for (const user of ['ann', 'bob', 'carl']) readers.push(await stalled(rig, await largeAction(rig, user), user));
  expect(rig.services.refusals).toEqual([]);
  const path = await largeAction(rig, 'dora');
  expect((await rig.call(`GET ${path}`, { userId: 'dora' })).status).toBe(200);
  expect(rig.services.refusals).toEqual(['rate_limited']);
  expect(await readers[0]?.rest()).toBeLessThan(LARGE);
  for (const other of readers.slice(1)) other.socket.resume();
  await expect.poll(() => readers.slice(1).every((other) => other.received() > LARGE), PATIENT).toBe(true);
});

test('a single answer is sent however large it is', PATIENT, async () => {
  const rig = await startRig({ limits: { unreadBytes: { perUser: MIB, inAll: MIB } } });
  const path = await largeAction(rig, 'ann');
  expect((await rig.call(`GET ${path}`, { userId: 'ann' })).status).toBe(200);
  expect((await rig.call(`GET ${path}`, { userId: 'ann' })).status).toBe(200);
});

/** An artifact that comes in pieces, as from a file. */
function streamed(rig: Rig): number {
  const piece = Buffer.alloc(64 * 1024);
  rig.services.artifacts.open = async () => {
    const pieces = Array.from({ length: LARGE / piece.length }, () => piece);
    return { mediaType: 'image/png', sizeBytes: LARGE, sha256: '', bytes: Readable.from(pieces) };
  };
  return LARGE;
}

/** The path of an action with a large record. */
async function largeAction(rig: Rig, userId: string, characters = LARGE): Promise<string> {
  const body = { targetDeviceId: await rig.registerDevice(userId), actionType: 'DescribeScreen', parameters: {} };
  const { body: action } = await rig.call('POST /api/tee/actions', { userId, body });
  const actionId = textIn(action, 'actionId');
  Object.assign(rig.services.actions.get(userId, actionId), { details: 'x'.repeat(characters) });
  return `/api/tee/actions/${actionId}`;
}

/** A reader that asked, was answered, and reads nothing. */
async function stalled(rig: Rig, path: string, userId: string) {
  const client = await reader(rig);
  client.socket.write(get(rig, path, { userId }));
  await expect.poll(() => client.received(), PATIENT).toBeGreaterThan(0);
  return client;
}

type Reader = Awaited<ReturnType<typeof reader>>;

/** A connection that reads the first piece and then pauses until the test resumes it. */
async function reader(rig: Rig) {
  const socket = connect(rig.port, rig.host).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  let received = 0;
  let head = '';
  await once(socket, 'connect');
  socket.on('data', (chunk) => {
    if (received === 0) socket.pause();
    received += chunk.length;
    if (head.length < 10_000) head += chunk.toString('latin1');
  });
  return {
    socket,
    received: () => received,
    statuses: () => [...head.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)),
    /** Reads what is left until the end, and answers how many bytes came in all. */
    async rest(): Promise<number> {
      const closed = once(socket, 'close');
      socket.resume();
      await closed;
      return received;
    },
  };
}

function connectionsOf({ app }: Rig): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
