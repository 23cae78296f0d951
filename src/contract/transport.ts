/** Carries the frames of the agent link between its two ends, in order: a WebSocket, or in tests a linked pair in memory. */
export type Transport = {
  /** Sets the receiver of all frames. Called once, before the first frame can arrive. */
  listen(receiver: Receiver): void;
  /** Hands the text to the system before it returns: it will arrive even if this process ends now. */
  sendText(text: string): void;
  /** One binary frame made of the parts, joined. */
  sendBinary(parts: readonly Uint8Array[]): void;
  ping(): void;
  /** Asks for an orderly end with one of the codes of `CLOSE`; frames already sent still arrive. */
  close(code: number, reason: string): void;
  /** Ends at once, for a peer that no longer answers. */
  terminate(): void;
};

export type Receiver = {
  text(text: string): void;
  binary(frame: Uint8Array): void;
  /** A ping or its answer came: the peer is alive. */
  heartbeat(): void;
  /** The connection was closed, by either side. Called once; no other callback follows. */
  closed(code: number, reason: string): void;
};

/** Codes of RFC 6455 which stand for an end without a close frame of ours. */
export const CLOSED_BY_TRANSPORT = { brokenFrame: 1002, lost: 1006 } as const;

/** The room for a reason in a close frame (RFC 6455, 5.5): `ws` throws at a longer one. */
const LONGEST_REASON_BYTES = 123;

/** How long a peer may take to answer a close before the connection is cut. */
export const CLOSE_PATIENCE_MS = 1_000;

/** As much of the text as fits in a close frame, in whole characters. */
export function beginningOf(reason: string): Buffer {
  const bytes = Buffer.from(reason).subarray(0, LONGEST_REASON_BYTES);
  return Buffer.from(new TextDecoder().decode(bytes, { stream: true }));
}
