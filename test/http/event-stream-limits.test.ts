import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleepUntil } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startWhole, type WholeRig } from './whole-rig.ts';

const HELD = { perUser: 4, inAll: 64 };
const REQUEST = 'GET /api/tee/events HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nx-user-id: ann\r\nLast-Event-ID: 0\r\n\r\n';

/** More than the buffers of two sockets hold. */
function fillJournal({ store }: WholeRig): void {
  const metadata = { text: 'x'.repeat(4_000) };
  store.write('relaxed', () => {
    for (let count = 0; count < 5_000; count += 1)
      store.journal.append(1, { kind: 'device.online', userId: 'ann', metadata });
  });
}

test('a stream without events shows that it lives', async () => {
  const rig = await startWhole({ limits: { held: HELD, streams: { heartbeatMs: 50, slowReaderMs: 15_000 } } });
  const response = await fetch(`${rig.url}/api/tee/events`, { headers: { 'x-user-id': 'ann' } });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.split(': still here').length > 2) break;
  }
  expect(text).toBe(': connected\n\n: still here\n\n: still here\n\n');
});

test('a reader that takes no bytes is cut off, and one that takes them is not', async () => {
  const rig = await startWhole({ limits: { held: HELD, streams: { heartbeatMs: 50, slowReaderMs: 300 } } });
  fillJournal(rig);
  const socket = connect(rig.port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.pause();
  socket.write(REQUEST.replace('PORT', String(rig.port)));
  const reader = await fetch(`${rig.url}/api/tee/events`, { headers: { 'x-user-id': 'ann' } });
  let beats = 0;
  for await (const chunk of reader.body ?? []) {
    beats += Buffer.from(chunk).toString().split(': still here').length - 1;
    if (beats >= 20) break;
  }
  expect(beats).toBeGreaterThanOrEqual(20);
  // Only now the slow reader takes what the system holds for it, and finds the end of its connection behind it.
  const closed = once(socket, 'close');
  socket.resume();
  expect(await Promise.race([closed.then(() => 'cut off'), sleepUntil(10_000, 'still open', { ref: false })])).toBe(
    'cut off',
  );
});
