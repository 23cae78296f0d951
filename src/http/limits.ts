/** How much one caller, and all callers together, may take. Times in milliseconds. */
export type HttpLimits = {
  headersTimeoutMs: number;
  /** For the whole request with its body; answers may take as long as they need. */
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  /** How often waiting connections are looked over for the timeouts above. */
  timeoutCheckMs: number;
  /** A reader that takes no byte of an answer for so long is cut off; at the latest after twice that. */
  writeTimeoutMs: number;
  /** How long a closing server waits for answers that are under way. */
  closeGraceMs: number;
  maxHeaderBytes: number;
  /** The limit of each body without another one. */
  maxBodyBytes: number;
  maxParameterLength: number;
  maxConnections: number;
  /** Requests that were sent ahead and wait while another of their connection is being answered. */
  pipelined: { perConnection: number; inAll: number };
  /** Bytes of answers that were built and not yet read; artifacts are streamed and not counted. */
  unreadBytes: { perUser: number; inAll: number };
  writesPerMinute: { perUser: number; inAll: number };
  readsPerMinute: { perUser: number; inAll: number };
  /** Calls that wait and event streams, at one time. */
  held: { perUser: number; inAll: number };
  /** Calls held until their action has ended although they did not ask for it; beyond that they are answered at once. */
  heldByDefault: { perUser: number; inAll: number };
  /** Event streams: how often a comment shows that one lives, and how long a reader may take no bytes. */
  streams: { heartbeatMs: number; slowReaderMs: number };
};

export const DEFAULT_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 60_000,
  timeoutCheckMs: 1_000,
  writeTimeoutMs: 10_000,
  closeGraceMs: 2_000,
  maxHeaderBytes: 16 * 1024,
  maxBodyBytes: 64 * 1024,
  maxParameterLength: 128,
  maxConnections: 256,
  pipelined: { perConnection: 1_000, inAll: 4_000 },
  unreadBytes: { perUser: 16 * 1024 * 1024, inAll: 48 * 1024 * 1024 },
  writesPerMinute: { perUser: 600, inAll: 1_800 },
  readsPerMinute: { perUser: 6_000, inAll: 18_000 },
  held: { perUser: 4, inAll: 64 },
  // With those that asked for it still fewer than the connections there may be.
  heldByDefault: { perUser: 64, inAll: 128 },
  streams: { heartbeatMs: 15_000, slowReaderMs: 15_000 },
};

/** For bodies that hold many things at once: the steps of a task, the rules of a profile. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** For a message of MCP: one text for the clipboard may have a million characters. */
export const MCP_BODY_BYTES = 1024 * 1024;

const NO_LIMIT = { perUser: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY };

/** In place of the limits on how often and how many at once, when they are lifted. */
export const UNLIMITED = {
  maxConnections: Number.POSITIVE_INFINITY,
  writesPerMinute: NO_LIMIT,
  readsPerMinute: NO_LIMIT,
  held: NO_LIMIT,
  heldByDefault: NO_LIMIT,
} satisfies Partial<HttpLimits>;
