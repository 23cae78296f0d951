import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CLOSE, MAX_FRAME_BYTES } from '../../src/contract/link.ts';
import {
  createFrameReader,
  createStreamTransport,
  FRAME,
  type Frame,
  frameHead,
  MAGIC,
} from '../../src/contract/stream-transport.ts';
import type { Transport } from '../../src/contract/transport.ts';

const frameOf = (kind: Frame['kind'], payload: string | Uint8Array) => {
  const bytes = Buffer.from(payload);
  return Buffer.concat([frameHead(kind, bytes.length), bytes]);
};

type Read = { frames: { kind: number; payload: string }[]; broken: [code: number, reason: string][] };

function readAll(chunks: readonly Buffer[]): Read {
  const read: Read = { frames: [], broken: [] };
  const reader = createFrameReader({
    frame: ({ kind, payload }) => read.frames.push({ kind, payload: payload.toString('latin1') }),
    broken: (...how) => read.broken.push(how),
  });
  for (const chunk of chunks) reader.read(chunk);
  return read;
}

/** The bytes, cut at the places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const anyFrame = fc.oneof(
  fc.record({ kind: fc.constantFrom(FRAME.text, FRAME.binary), payload: fc.uint8Array({ maxLength: 200 }) }),
  fc.record({ kind: fc.constantFrom(FRAME.ping, FRAME.pong), payload: fc.constant(new Uint8Array()) }),
  fc.record({ kind: fc.constant(FRAME.close), payload: fc.uint8Array({ maxLength: 125 }) }),
);

test('frames are read as they were written, however the stream is cut and whatever a shell wrote before', () => {
  const places = fc.array(fc.nat(), { maxLength: 60 });
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(anyFrame, { maxLength: 12 }),
      places,
      (text, frames, at) => {
        const bytes = Buffer.concat([text, MAGIC, ...frames.map(({ kind, payload }) => frameOf(kind, payload))]);
        expect(readAll(cut(bytes, at))).toEqual({
          frames: frames.map(({ kind, payload }) => ({ kind, payload: Buffer.from(payload).toString('latin1') })),
          broken: [],
        });
      },
    ),
  );
});

test('garbage never throws, and what follows a broken frame is not read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.array(fc.nat(), { maxLength: 20 }), (garbage, at) => {
      const chunks = cut(Buffer.concat([MAGIC, garbage]), at);
      const read = readAll(chunks);
      if (read.broken.length > 0) expect(readAll([...chunks, frameOf(FRAME.ping, '')])).toEqual(read);
      expect(read.broken.length).toBeLessThanOrEqual(1);
    }),
  );
});

test.each([
  [0, []],
  [64 * 1024, []],
  [64 * 1024 + 1, [[1002, '65536 bytes of other text came, and no Handrail agent']]],
])('%d bytes of other text before the first frame', (bytes, broken) => {
  const stream = Buffer.concat([Buffer.alloc(bytes, 'x'), MAGIC, frameOf(FRAME.ping, '')]);
  for (const chunks of [[stream], cut(stream, [1_000, 65_530, 65_540])])
    expect(readAll(chunks)).toEqual({ frames: broken.length > 0 ? [] : [{ kind: FRAME.ping, payload: '' }], broken });
});

test('a stream that never brings the first line is given up', () => {
  const chunks = Array.from({ length: 70 }, () => Buffer.alloc(1_024, 'x'));
  expect(readAll(chunks).broken).toHaveLength(1);
});

test.each([
  ['an unknown kind', Buffer.from([9, 0, 0, 0, 0]), 1002],
  ['a ping with a payload', frameHead(FRAME.ping, 1), CLOSE.tooBig],
  ['a close frame that is too long', frameHead(FRAME.close, 126), CLOSE.tooBig],
  ['a text beyond the largest frame', frameHead(FRAME.text, MAX_FRAME_BYTES + 1), CLOSE.tooBig],
  ['a picture beyond the largest frame', frameHead(FRAME.binary, MAX_FRAME_BYTES + 1), CLOSE.tooBig],
])('%s ends the stream', (_name, bytes, code) => {
  expect(readAll([MAGIC, bytes]).broken.map(([given]) => given)).toEqual([code]);
});

test('the largest frame is read, in chunks of any size', () => {
  const payload = Buffer.alloc(MAX_FRAME_BYTES, 'p');
  const stream = Buffer.concat([MAGIC, frameOf(FRAME.binary, payload)]);
  let bytes = 0;
  const reader = createFrameReader({
    frame: (frame) => {
      bytes += frame.payload.equals(payload) ? frame.payload.length : 0;
    },
    broken: () => undefined,
  });
  for (let at = 0; at < stream.length; at += 7_001) reader.read(stream.subarray(at, at + 7_001));
  expect(bytes).toBe(MAX_FRAME_BYTES);
});

type End = { transport: ReturnType<typeof createStreamTransport>; heard: unknown[][] };

function listened(transport: End['transport']): End {
  const heard: unknown[][] = [];
  transport.listen({
    text: (text) => heard.push(['text', text]),
    binary: (frame) => heard.push(['binary', Buffer.from(frame).toString()]),
    heartbeat: () => heard.push(['heartbeat']),
    closed: (...how) => heard.push(['closed', ...how]),
  });
  return { transport, heard };
}

function pair(now: () => number = () => 0) {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const near = listened(createStreamTransport({ input: back, output: there, now }));
  const far = listened(createStreamTransport({ input: there, output: back, now }));
  return { near, far, there, back };
}

const heardBy = ({ heard }: End, expected: unknown[][]) => vi.waitFor(() => expect(heard).toEqual(expected));

test('texts and pictures arrive in order, and a ping is answered by the other end itself', async () => {
  let nowMs = 100;
  const { near, far } = pair(() => nowMs);
  near.transport.sendText('é');
  near.transport.sendBinary([Buffer.from('a'), Buffer.from('b')]);
  near.transport.ping();
  expect(near.transport.roundTripMs()).toBeUndefined();
  nowMs = 142;
  await heardBy(far, [['text', 'é'], ['binary', 'ab'], ['heartbeat']]);
  await heardBy(near, [['heartbeat']]);
  expect([near, far].map(({ transport }) => transport.roundTripMs())).toEqual([42, undefined]);
});

test('an answer that no ping asked for tells no round trip', async () => {
  const { near, back } = pair();
  back.write(frameOf(FRAME.pong, ''));
  await heardBy(near, [['heartbeat']]);
  expect(near.transport.roundTripMs()).toBeUndefined();
});

test('a close tells both ends the code, after what was sent', async () => {
  const { near, far } = pair();
  near.transport.sendText('last');
  near.transport.close(4_400, 'r'.repeat(200));
  near.transport.sendText('too late');
  await heardBy(far, [
    ['text', 'last'],
    ['closed', 4_400, 'r'.repeat(123)],
  ]);
  await heardBy(near, [['closed', 4_400, '']]);
});

test.each([
  ['the peer ends its stream', ({ back }: ReturnType<typeof pair>) => void back.end()],
  ['the stream fails', ({ back }: ReturnType<typeof pair>) => void back.destroy()],
  ['this end cuts the link', ({ near }: ReturnType<typeof pair>) => near.transport.terminate()],
])('where %s, the link is lost', async (_name, act) => {
  const rig = pair();
  act(rig);
  await heardBy(rig.near, [['closed', 1006, '']]);
  await heardBy(rig.far, [['closed', 1006, '']]);
});

test('a transport over a stream that has ended already says so', async () => {
  const input = new PassThrough().destroy();
  await heardBy(listened(createStreamTransport({ input, output: new PassThrough() })), [['closed', 1006, '']]);
});

test('a broken frame ends the link, and the peer learns why', async () => {
  const { near, far, back } = pair();
  back.write(Buffer.from([9, 0, 0, 0, 0]));
  back.write(frameOf(FRAME.text, 'not heard'));
  await heardBy(near, [['closed', 1002, 'a frame of an unknown kind came']]);
  await heardBy(far, [['closed', 1002, 'a frame of an unknown kind came']]);
});

test('a close frame without a code is a broken one', async () => {
  const { near, back } = pair();
  back.write(frameOf(FRAME.close, 'x'));
  await heardBy(near, [['closed', 1002, 'a close frame without a code came']]);
});

test.each<[string, (near: Transport, there: PassThrough) => void]>([
  ['a close that is not answered', (near) => near.close(1_000, 'done')],
  ['an output that fails', (_near, there) => void there.emit('error', new Error(''))],
])('%s ends the link after a second', async (_name, act) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [there, back] = [new PassThrough(), new PassThrough()];
  const near = listened(createStreamTransport({ input: back, output: there }));
  act(near.transport, there);
  await vi.advanceTimersByTimeAsync(999);
  expect(near.heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(near.heard).toEqual([['closed', 1006, '']]);
});

test('A31: a peer that asks and asks and reads nothing is cut off, and costs no more than was said', async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
  const transport = createStreamTransport({ input, output, mostUnreadBytes: 1_000 });
  const closed = vi.fn();
  transport.listen({ text: vi.fn(), binary: vi.fn(), heartbeat: vi.fn(), closed });
  input.write(Buffer.concat([MAGIC, ...Array.from({ length: 5_000 }, () => frameOf(FRAME.ping, ''))]));
  await vi.waitFor(() => expect(closed).toHaveBeenCalledExactlyOnceWith(1006, 'it reads nothing of what it is sent'));
  expect(output.writableLength + output.readableLength).toBeLessThan(2_000);
});
