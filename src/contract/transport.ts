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
