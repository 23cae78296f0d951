import { WebSocket } from 'ws';

/** The agent of `floor-daemon.ts`: answers each call at once. */
const socket = new WebSocket(`ws://127.0.0.1:${process.argv[2]}/agent`);
socket.on('message', (message) => {
  const { id } = JSON.parse(String(message));
  socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: { details: 'ok' } }));
});
