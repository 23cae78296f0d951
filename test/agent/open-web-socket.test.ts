import { once } from 'node:events';
import { createServer, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openWebSocket } from '../../agent/open-web-socket.ts';

test('a daemon that does not answer the upgrade within five seconds is given up', async () => {
  const server = createServer((socket) => void onTestFinished(() => void socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  // The time-out of a socket is kept by Node itself, where no fake clock reaches: it is noted, and then let pass at once.
  const setTimeout = vi.spyOn(Socket.prototype, 'setTimeout');
  onTestFinished(() => void setTimeout.mockRestore());
  const opened = openWebSocket(`ws://127.0.0.1:${address.port}`, 'token');
  await once(server, 'connection');
  const at = setTimeout.mock.calls.findIndex(([ms]) => ms > 0);
  expect(setTimeout.mock.calls[at]?.[0]).toBe(5_000);
  const socket = setTimeout.mock.contexts[at];
  if (!(socket instanceof Socket)) throw new Error('expected a socket');
  socket.emit('timeout');
  await expect(opened).rejects.toThrow('Opening handshake has timed out');
});
