import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { ConsoleService } from '../services/services.ts';
import type { App } from './app.ts';
import { isPerson, requesterKey } from './identity.ts';
import type { HttpLimits } from './limits.ts';
import { refuse } from './refuse.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What must answer while others flood: liveness, the agent, and the person's way in. */
    unlimited?: true;
  }
}

const WINDOW_MS = 60_000;

/**
 * Bounds reads and writes for each user id and, since anyone can make up ids, in all. A user beyond their own share
 * does not use up that of all; the person at the dashboard has a share that no flood can touch.
 */
export async function addRateLimits(
  app: App,
  options: { limits: HttpLimits; console: Pick<ConsoleService, 'isSession'> },
): Promise<void> {
  await app.register(rateLimit, { global: false });
  const counter = (max: number, keyGenerator: (request: FastifyRequest) => string) =>
    app.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator });
  const countersOf = ({ perUser, inAll }: { perUser: number; inAll: number }) => ({
    person: counter(perUser, () => 'person'),
    user: counter(perUser, requesterKey),
    all: counter(inAll, () => 'all'),
  });
  const reads = countersOf(options.limits.readsPerMinute);
  const writes = countersOf(options.limits.writesPerMinute);
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.unlimited) return;
    const { person, user, all } = isRead(request) ? reads : writes;
    const shares = isPerson(request, options.console) ? [person] : [user, all];
    for (const share of shares) {
      const count = await share(request);
      if (!count.isAllowed && count.isExceeded) return reply.send(tooMany(count.max, count.ttlInSeconds));
    }
  });
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function tooMany(max: number, retryAfterSeconds: number) {
  const detail = `At most ${max} such calls a minute are served. Try again in ${retryAfterSeconds} s.`;
  return refuse('rate_limited', detail, { retryAfterSeconds });
}
