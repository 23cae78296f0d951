import { CLOSE } from './link.ts';
import { beginningOf, CLOSE_PATIENCE_MS, CLOSED_BY_TRANSPORT, type Receiver, type Transport } from './transport.ts';

type Frame = Buffer | ArrayBuffer | Buffer[];
type Sent = (error?: Error) => void;

/** The methods of a WebSocket that the link uses: the part of the package `ws` that both ends use. */
export type FrameSocket = {
  send(bytes: string | Uint8Array, sent: Sent): void;
  send(bytes: Uint8Array, options: { binary: boolean; fin: boolean }, sent: Sent): void;
  ping(payload: undefined, mask: undefined, sent: Sent): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: 'message', listener: (frame: Frame, isBinary: boolean) => void): unknown;
  on(event: 'ping' | 'pong', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'close', listener: (code: number, reason: Buffer) => void): unknown;
};

/**
 * The agent link over an open WebSocket; the same at both ends. A frame has been handed to the system when the call that sends it
 * returns.
 */
export function createSocketTransport(socket: FrameSocket): Transport {
  return {
    listen: (receiver) => listen(socket, receiver),
    sendText: (text) => socket.send(text, ignoreFailedSend),
    sendBinary: (parts) => sendParts(socket, parts),
    ping: () => socket.ping(undefined, undefined, ignoreFailedSend),
    close(code, reason) {
      socket.close(code, beginningOf(reason).toString());
      endSoon(socket);
    },
    terminate: () => socket.terminate(),
  };
}

function listen(socket: FrameSocket, receiver: Receiver): void {
  let hasEnded = false;
  const end = (code: number, reason: string) => {
    if (hasEnded) return;
    hasEnded = true;
    receiver.closed(code, reason);
  };
  socket.on('message', (frame, isBinary) => {
    const bytes = wholeFrame(frame);
    if (isBinary) receiver.binary(bytes);
    else receiver.text(bytes.toString());
  });
  socket.on('ping', () => receiver.heartbeat());
  socket.on('pong', () => receiver.heartbeat());
  socket.once('close', (code, reason) => end(code, reason.toString()));
  socket.on('error', (error) => {
    end(closeCodeOf(error), error.message);
    endSoon(socket);
  });
}

/** Cuts the socket when the other side does not answer the close. */
function endSoon(socket: FrameSocket): void {
  const patience = setTimeout(() => socket.terminate(), CLOSE_PATIENCE_MS);
  socket.once('close', () => clearTimeout(patience));
}

/** `ws` names what was wrong with a frame in `error.code`; anything else is the socket's own failure. */
function closeCodeOf(error: Error): number {
  const name = 'code' in error ? String(error.code) : '';
  if (name === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return CLOSE.tooBig;
  return name.startsWith('WS_ERR_') ? CLOSED_BY_TRANSPORT.brokenFrame : CLOSED_BY_TRANSPORT.lost;
}

function wholeFrame(frame: Frame): Buffer {
  if (Buffer.isBuffer(frame)) return frame;
  return Array.isArray(frame) ? Buffer.concat(frame) : Buffer.from(frame);
}

function sendParts(socket: FrameSocket, parts: readonly Uint8Array[]): void {
  parts.forEach((part, index) => {
    socket.send(part, { binary: true, fin: index === parts.length - 1 }, ignoreFailedSend);
  });
}

// A send fails only on a socket that has ended or is ending, and its end is heard on its own.
function ignoreFailedSend(): void {
  return;
}
