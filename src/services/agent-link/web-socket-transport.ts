import type { WebSocket } from 'ws';
import { MAX_ATTACHMENT_BYTES } from '../../contract/link.ts';
import type { Receiver, Transport } from '../../contract/transport.ts';

/** What the server of the agent socket must be made with. A binary frame may carry a whole attachment and its header. */
export const LINK_SOCKET_OPTIONS = {
  maxPayload: MAX_ATTACHMENT_BYTES + 1024,
  perMessageDeflate: false,
} as const;

/** How long a peer may take to answer a close before the socket is cut. */
const CLOSE_PATIENCE_MS = 1_000;

/** The agent link over an accepted WebSocket of the package `ws`. */
export function createWebSocketTransport(socket: WebSocket): Transport {
  return {
    listen: (receiver) => listen(socket, receiver),
    sendText: (text) => socket.send(text, ignoreFailedSend),
    sendBinary: (parts) => sendParts(socket, parts),
    ping: () => socket.ping(undefined, undefined, ignoreFailedSend),
    close(code, reason) {
      socket.close(code, reason);
      const patience = setTimeout(() => socket.terminate(), CLOSE_PATIENCE_MS);
      socket.once('close', () => clearTimeout(patience));
    },
    terminate: () => socket.terminate(),
  };
}

function listen(socket: WebSocket, receiver: Receiver): void {
  socket.on('message', (frame, isBinary) => {
    const bytes = wholeFrame(frame);
    if (isBinary) receiver.binary(bytes);
    else receiver.text(bytes.toString());
  });
  socket.on('ping', () => receiver.heartbeat());
  socket.on('pong', () => receiver.heartbeat());
  socket.once('close', (code, reason) => receiver.closed(code, reason.toString()));
  // Every error of a socket is followed by its close, which is what the link acts on.
  socket.on('error', () => undefined);
}

function wholeFrame(frame: Buffer | ArrayBuffer | Buffer[]): Buffer {
  if (Buffer.isBuffer(frame)) return frame;
  return Array.isArray(frame) ? Buffer.concat(frame) : Buffer.from(frame);
}

function sendParts(socket: WebSocket, parts: readonly Uint8Array[]): void {
  parts.forEach((part, index) => {
    socket.send(part, { binary: true, fin: index === parts.length - 1 }, ignoreFailedSend);
  });
}

// A send fails only on a socket that has ended or is ending, and its end is heard on its own.
function ignoreFailedSend(): void {
  return;
}
