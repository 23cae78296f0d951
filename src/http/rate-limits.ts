import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../services/offered-services.ts';
import type { App } from './app.ts';
import { isGenuine, isKnownRequester, isNamedInBody, isPerson, requesterKey } from './identity.ts';
import type { HttpLimits } from './limits.ts';
import { refuse } from './refuse.ts';

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
    if (isNamedInBody(request)) return limit(request, reply);
  });
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function tooMany(max: number, retryAfterSeconds: number) {
  const detail = `At most ${max} such calls a minute are served. Try again in ${retryAfterSeconds} s.`;
  return refuse('rate_limited', detail, { retryAfterSeconds });
}
