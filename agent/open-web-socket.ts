import { WebSocket } from 'ws';
import { MAX_TEXT_FRAME_BYTES } from '../src/contract/link.ts';
import { createSocketTransport } from '../src/contract/socket-transport.ts';
import type { Transport } from '../src/contract/transport.ts';

/** The daemon answered the upgrade with an HTTP status instead. */
export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';
  readonly status: number;

  constructor(status: number) {
    super(`Expected the daemon to upgrade the connection, it answered ${status}.`);
    this.status = status;
  }
}

const HANDSHAKE_MS = 5_000;

/** Connects to the daemon. Rejects with `UpgradeRefused`, or with the socket's own error when nobody is there. */
export function openWebSocket(url: string, token: string): Promise<Transport> {
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    maxPayload: MAX_TEXT_FRAME_BYTES,
    handshakeTimeout: HANDSHAKE_MS,
    generateMask: leaveUnmasked,
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.off('error', reject);
      resolve(createSocketTransport(socket));
    });
    socket.once('error', reject);
    socket.once('unexpected-response', (request, response) => {
      reject(new UpgradeRefused(response.statusCode ?? 0));
      request.destroy();
    });
  });
}

/**
 * Masks keep scripts in a browser from confusing proxies; here is neither. A mask of zeros is valid and spares both ends
 * a pass over every byte of a screenshot.
 */
function leaveUnmasked(mask: Buffer): void {
  mask.fill(0);
}
