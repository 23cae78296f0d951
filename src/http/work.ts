import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { DEFAULT_LIMIT } from '../contract/list.ts';
import type { ConsoleService } from '../services/services.ts';
import type { App } from './app.ts';
import { isPerson, requesterKey } from './identity.ts';
import { type HttpRefusal, refuse } from './refuse.ts';
import type { SlowLane } from './slow-lane.ts';
import type { TimeBudget } from './time-budget.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose work this call is; empty where it counts for nobody. */
    chargedTo: string;
    /** Since when the thread works on this call, on the monotonic clock; 0 while it does not. */
    workedSinceMs: number;
  }
}

/** Reads that may go through thousands of rows. */
const HEAVY_READS = /^\/(?:metrics|api\/guardian\/.+|api\/tee\/tasks)$/;
/** Reads of records that are small, so that only a long list of them is heavy. */
const LIGHT_LISTS = /^\/api\/tee\/(?:actions|devices)$/;

type Parts = { budget: TimeBudget | undefined; lane: SlowLane; console: Pick<ConsoleService, 'isSession'> };

/**
 * Bounds the work that requesters cause: heavy reads take turns, and a requester whose calls took too much time is refused for a
 * while. The person at the dashboard is always served. A call is measured from where its body is parsed, or its query read, until
 * its handler first waits for something.
 */
export function addWorkLimits(app: App, { budget, lane, console }: Parts): void {
  app.decorateRequest('chargedTo', '');
  app.decorateRequest('workedSinceMs', 0);
  const settle = (request: FastifyRequest): void => {
    if (request.workedSinceMs === 0) return;
    const nowMs = performance.now();
    if (request.chargedTo !== '') budget?.charge(request.chargedTo, nowMs - request.workedSinceMs);
    request.workedSinceMs = nowMs;
  };

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.unlimited || isPerson(request, console)) return done();
    request.chargedTo = requesterKey(request);
    const waitMs = budget?.waitMs(request.chargedTo) ?? 0;
    if (waitMs === 0) done();
    else reply.send(tooMuchWork(waitMs));
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.workedSinceMs === 0) request.workedSinceMs = performance.now();
    done();
  });
  // A body that does not validate never gets to the handler, and may have cost the most.
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    settle(request);
    done(null, payload);
  });
  app.addHook('onRoute', (route) => {
    measure(route, settle);
    if (isRead(route)) queue(route, lane);
  });
}

function measure(route: RouteOptions, settle: (request: FastifyRequest) => void): void {
  const { handler } = route;
  route.handler = function (this, request, reply) {
    const answer = handler.call(this, request, reply);
    settle(request);
    request.workedSinceMs = 0;
    return answer;
  };
}

function isRead({ method }: RouteOptions): boolean {
  return [method].flat().every((one) => one === 'GET' || one === 'HEAD');
}

/** Lets a heavy read wait for its turn. */
function queue(route: RouteOptions, lane: SlowLane): void {
  const mayBeLong = LIGHT_LISTS.test(route.url);
  if (!mayBeLong && !HEAVY_READS.test(route.url)) return;
  route.preHandler = [
    ...[route.preHandler ?? []].flat(),
    (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      if (request.chargedTo === '' || (mayBeLong && !asksForMore(request))) return done();
      void lane.turn().then(() => {
        request.workedSinceMs = performance.now();
        done();
      });
    },
  ];
}

/** Whether a list is to be longer than usual. */
function asksForMore({ query }: FastifyRequest): boolean {
  const limit: unknown = Reflect.get(Object(query), 'limit');
  return limit !== undefined && !(Number(limit) <= DEFAULT_LIMIT);
}

function tooMuchWork(waitMs: number): HttpRefusal {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  const detail = `Your calls, or those of all requesters, took more time than they may in ten seconds. Try again in ${retryAfterSeconds} s; ask for shorter lists and send smaller bodies.`;
  return refuse('rate_limited', detail, { retryAfterSeconds });
}
