import { once } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { readAttachmentFrame } from '../../../src/agent-host/link/attempt-results.ts';
import { createFloodGate, readAgentMessage } from '../../../src/agent-host/link/session.ts';
import { LINK_SOCKET_OPTIONS } from '../../../src/agent-host/link/web-socket-transport.ts';
import { ARTIFACT, createRig } from './rig.ts';

/** A binary frame whose header is filled up with spaces, which JSON allows. */
function frameWithHeaderOf(headerBytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(headerBytes);
  const header = JSON.stringify({ id: ARTIFACT }).padEnd(headerBytes);
  return Buffer.concat([length, Buffer.from(header), Buffer.from('picture')]);
}

test('the header of a binary frame has 256 bytes at most', () => {
  expect(readAttachmentFrame(frameWithHeaderOf(256))).toEqual({ id: ARTIFACT, bytes: Buffer.from('picture') });
  expect(readAttachmentFrame(frameWithHeaderOf(257))).toBeNull();
});

test('of an unknown method the first 64 characters are quoted', () => {
  const quoted = (method: string) => {
    const reading = readAgentMessage(JSON.stringify({ jsonrpc: '2.0', method }));
    return reading.ok ? undefined : reading.reason.slice('expected a method of protocol 1, got '.length);
  };
  // Two of the characters are the quotation marks.
  expect(quoted('m'.repeat(62))).toBe(`"${'m'.repeat(62)}"`);
  expect(quoted('m'.repeat(63))).toBe(`"${'m'.repeat(63)}`);
});

test('an id of 128 characters is answered, a longer one is not', () => {
  const idOf = (length: number) => {
    const reading = readAgentMessage(JSON.stringify({ method: 'unknown', id: 'i'.repeat(length) }));
    return reading.ok ? undefined : reading.id?.length;
  };
  expect([idOf(128), idOf(129)]).toEqual([128, undefined]);
});

test('A31: an agent tells of as many displays as a desktop has, with names of usual length', () => {
  const permissions = { screenRecording: 'granted', accessibility: 'granted', automation: 'not_required' };
  const bounds = { x: 0, y: 0, width: 1, height: 1 };
  const isTaken = (count: number, name: string, id = '1') => {
    const displays = Array(count).fill({ id, name, primary: true, bounds, scale: 1 });
    return readAgentMessage(
      JSON.stringify({ jsonrpc: '2.0', method: 'agent.status', params: { displays, permissions } }),
    ).ok;
  };
  expect(isTaken(64, 'n'.repeat(255), 'i'.repeat(255))).toBe(true);
  expect([isTaken(65, 'n'), isTaken(1, 'n'.repeat(256)), isTaken(1, 'n', 'i'.repeat(256))]).toEqual([
    false,
    false,
    false,
  ]);
});

describe('the gate for messages that nothing asked for', () => {
  test('counts over one second, and then from nothing again', () => {
    let nowMs = 5_000;
    const isFlooded = createFloodGate({ perSecond: 2, now: () => nowMs });
    const seen = [5_000, 5_000, 5_999, 6_000, 6_999, 6_999, 7_000].map((atMs) => {
      nowMs = atMs;
      return isFlooded();
    });
    expect(seen).toEqual([false, false, true, false, false, true, false]);
  });
});

test.each([
  [99, []],
  [100, [['lost'], ['status', 'starting']]],
])('%d ms after its process ended, a link that still hangs has told %j', async (afterMs, told) => {
  const rig = createRig();
  await rig.greeted();
  rig.told.length = 0;
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  rig.link.process.gone({ restarts: true });
  vi.advanceTimersByTime(afterMs);
  expect(rig.told).toEqual(told);
});

test('a WebSocket of the link takes messages of 20 MiB and 1,024 bytes, and closes on a longer one', async () => {
  const server = new WebSocketServer({ ...LINK_SOCKET_OPTIONS, host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const taken: number[] = [];
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => taken.push(data.length));
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await once(socket, 'open');
  for (const more of [1_024, 1_025]) socket.send(Buffer.alloc(20 * 1_024 * 1_024 + more));
  const [code] = await once(socket, 'close');
  expect([taken, code]).toEqual([[20_972_544], 1009]);
});
