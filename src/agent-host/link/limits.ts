import { HEARTBEAT_MS, HELLO_TIMEOUT_MS, SILENCE_LIMIT_MS } from '../../contract/link.ts';

/** The patience of the daemon's end of the link; tests shorten it. */
export type LinkLimits = {
  /** From the connection to the agent's hello. */
  helloMs: number;
  /** Between two pings. */
  heartbeatMs: number;
  /** Without a sign of life: then the link is dead. */
  silenceMs: number;
  /** From a result to the last of its attachments. */
  attachmentMs: number;
  /** From a cut link of a living agent to the next hello. */
  graceMs: number;
  /** From the start of the agent's process to its hello. */
  startMs: number;
  /** Messages a second that no attempt asked for: status, pings, mistakes. */
  unaskedPerSecond: number;
};

export const LINK_LIMITS: LinkLimits = {
  helloMs: HELLO_TIMEOUT_MS,
  heartbeatMs: HEARTBEAT_MS,
  silenceMs: SILENCE_LIMIT_MS,
  attachmentMs: 10_000,
  graceMs: 5_000,
  startMs: 15_000,
  unaskedPerSecond: 1_000,
};
