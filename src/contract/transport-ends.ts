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
