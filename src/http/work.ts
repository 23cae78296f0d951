import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { DEFAULT_LIMIT } from '../contract/list.ts';
import type { ConsoleService } from '../services/offered-services.ts';
import type { SlowLane } from '../services/work/slow-lane.ts';
import type { App } from './app.ts';
import { addTurns, endTurn, inTurn } from './charged-work.ts';
import { isNamedInBody, isPerson, requesterKey } from './identity.ts';
import { type HttpRefusal, refuse } from './refuse.ts';
import type { TimeBudget } from './time-budget.ts';
import { workClockMs } from './work-clock.ts';

/** Reads that may go through thousands of rows. */
const HEAVY_READS = /^\/(?:metrics|api\/guardian\/.+|api\/tee\/tasks)$/;
/** Reads of records that are small, so that only a long list of them is heavy. */
const LIGHT_LISTS = /^\/api\/tee\/(?:actions|devices)$/;

type Parts = { budget: TimeBudget | undefined; lane: SlowLane; console: Pick<ConsoleService, 'sessions'> };

/**
 * Bounds the work that requesters cause: heavy reads take turns, and a requester whose calls took too much time is refused for a
 * while. The person at the dashboard is always served. The processor time of a call is measured in two parts: from the parsing of
 * its body or query until its handler first waits for something other than its turn, and while its answer becomes JSON.
 */
export function addWorkLimits(app: App, { budget, lane, console }: Parts): void {
  addTurns(app, { budget, lane });
  const charge = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    request.chargedTo = requesterKey(request);
    const waitMs = budget?.waitMs(request.chargedTo) ?? 0;
    if (waitMs === 0) done();
    else reply.send(tooMuchWork(waitMs));
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.unlimited || isPerson(request, console)) return done();
    charge(request, reply, done);
  });
  app.addHook('preHandler', (request, reply, done) => {
    if (isNamedInBody(request) && request.chargedTo !== '') charge(request, reply, done);
    else done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.workedSinceMs === 0) request.workedSinceMs = workClockMs();
    done();
  });
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    if (request.workedSinceMs === 0) request.workedSinceMs = workClockMs();
    done(null, payload);
  });
  // A body that does not validate never gets to the handler, and may have cost the most.
  app.addHook('onSend', (request, _reply, payload, done) => {
    endTurn(request);
    done(null, payload);
  });
  app.addHook('onRoute', (route) => {
    measure(route);
    if (isRead(route)) queue(route);
  });
}

function measure(route: RouteOptions): void {
  const { handler } = route;
  route.handler = function (this, request, reply) {
    const answer = handler.call(this, request, reply);
    if (request.isPaused && answer instanceof Promise) return answer.finally(() => endTurn(request));
    endTurn(request);
    return answer;
  };
}

function isRead({ method }: RouteOptions): boolean {
  return [method].flat().every((one) => one === 'GET' || one === 'HEAD');
}

/** Lets a heavy read wait for its turn. */
function queue(route: RouteOptions): void {
  const mayBeLong = LIGHT_LISTS.test(route.url);
  if (!mayBeLong && !HEAVY_READS.test(route.url)) return;
  route.preHandler = [
    ...[route.preHandler ?? []].flat(),
    (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      if (request.chargedTo === '' || (mayBeLong && !asksForMore(request))) return done();
      void inTurn(request, done);
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
