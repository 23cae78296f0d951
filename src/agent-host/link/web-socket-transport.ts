import type { WebSocket } from 'ws';
import { MAX_FRAME_BYTES } from '../../contract/link.ts';
import { createSocketTransport } from '../../contract/socket-transport.ts';
import type { Transport } from '../../contract/transport.ts';

/** Options for the WebSocket server of the agent link. */
export const LINK_SOCKET_OPTIONS = {
  maxPayload: MAX_FRAME_BYTES,
  perMessageDeflate: false,
} as const;

/** The agent link over an accepted WebSocket of the package `ws`. */
export function createWebSocketTransport(socket: WebSocket): Transport {
  return createSocketTransport(socket);
}
