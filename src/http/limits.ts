import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../services/offered-services.ts';
import type { App } from './app.ts';
import { isGenuine, isKnownRequester, isNamedInBody, isPerson, requesterKey } from './identity.ts';
import { refuse } from './problem-response.ts';

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
  streams: { heartbeatMs: 15_000, slowReaderMs: 15_000 }, // guard E-15
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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For routes that must answer during a flood: liveness, the agent, and the person's sign-in. */
    unlimited?: true;
  }
}

const WINDOW_MS = 60_000;
/** Calls without the key of their user share one count, so that they use up nothing of that user. No id has a slash. */
const WITHOUT_KEY = '/without-key';

/**
 * Bounds reads and writes for each user id and, since any program can make up ids, in all. A user beyond its own share does not use
 * up the share of all. Known requesters have a share of all for themselves, and so has the person: made-up ids use up neither.
 */
export async function addRateLimits(
  app: App,
  { limits, services }: { limits: HttpLimits; services: Pick<Services, 'console' | 'isGenuine' | 'isKnown'> },
): Promise<void> {
  await app.register(rateLimit, { global: false });
  const counter = (max: number, keyGenerator: (request: FastifyRequest) => string) =>
    app.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator });
  const countersOf = ({ perUser, inAll }: { perUser: number; inAll: number }) => ({
    person: counter(perUser, () => 'person'),
    user: counter(perUser, (request) => (isGenuine(request, services) ? requesterKey(request) : WITHOUT_KEY)),
    all: counter(inAll, () => 'all'),
    known: counter(inAll, () => 'known'),
  });
  const reads = countersOf(limits.readsPerMinute);
  const writes = countersOf(limits.writesPerMinute);
  const limit = async (request: FastifyRequest, reply: FastifyReply) => {
    const { person, user, all, known } = isRead(request) ? reads : writes;
    const ofRequester = () => [user, isKnownRequester(request, services) ? known : all];
    for (const share of isPerson(request, services.console) ? [person] : ofRequester()) {
      const count = await share(request);
      if (!count.isAllowed && count.isExceeded) return reply.send(tooMany(count.max, count.ttlInSeconds));
    }
  };
  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config.unlimited && !isNamedInBody(request)) return limit(request, reply);
  });
  app.addHook('preHandler', async (request, reply) => {
    if (isNamedInBody(request)) return limit(request, reply); // guard M4-1
  });
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function tooMany(max: number, retryAfterSeconds: number) {
  const detail = `At most ${max} such calls a minute are served. Try again in ${retryAfterSeconds} s.`;
  return refuse('rate_limited', detail, { retryAfterSeconds });
}
