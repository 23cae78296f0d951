import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { StreamEvent } from '../../contract/event.ts';
import type { ConsoleService, Services } from '../../services/offered-services.ts';
import type { EventService } from '../../services/requester-services.ts';
import type { App } from '../app.ts';
import { bearerToken } from '../identity.ts';
import type { HttpLimits } from '../limits.ts';
import { type HeldCalls, PERSON } from '../open-calls.ts';
import { AS_PERSON, AS_USER } from '../openapi.ts';
import { refuse, SECURITY_HEADERS } from '../problem-response.ts';
import { PERSON_PROBLEMS, responses, USER_PROBLEMS } from '../responses.ts';

const BATCH = 200;

type Parts = { events: EventService; heldCalls: HeldCalls; streams: HttpLimits['streams'] };

const streamAnswer = { content: { 'text/event-stream': { schema: Type.String() } } } as never;

/** The caller's own actions, tasks and devices, as they change, until the person locks the user id with a key they do not have. */
export function addUserEventRoutes(app: App, { isGenuine, ...parts }: Parts & Pick<Services, 'isGenuine'>): void {
  const schema = {
    tags: ['Events'],
    security: AS_USER,
    operationId: 'streamEvents',
    summary: 'Server-Sent Events of the caller’s own actions, tasks and devices',
    response: responses({ 200: streamAnswer }, [...USER_PROBLEMS, 'validation_failed']),
  };
  app.get('/events', { schema }, (request, reply) => {
    const { userId } = request;
    const key = bearerToken(request) || undefined;
    return stream(request, reply, { ...parts, userId, mayRead: () => isGenuine(userId, key) });
  });
}

/** Everything, for the dashboard, until its session ends. */
export function addConsoleEventRoutes(app: App, parts: Parts & { console: ConsoleService }): void {
  const schema = {
    tags: ['Console'],
    security: AS_PERSON,
    operationId: 'streamConsoleEvents',
    summary: 'Server-Sent Events of everything',
    response: responses({ 200: streamAnswer }, [...PERSON_PROBLEMS, 'validation_failed']),
  };
  app.get('/events', { schema }, (request, reply) =>
    stream(request, reply, {
      ...parts,
      ended: parts.console.sessions.signal(bearerToken(request)),
      opened: parts.console.confirmations.pageOpened,
    }),
  );
}

type StreamParts = Parts & {
  userId?: string;
  /** Whether the reader may still read, asked before each time. */
  mayRead?: () => boolean;
  /** Aborts when the reader may read no more. */
  ended?: AbortSignal;
  /** To be told that the stream is open; its answer is called when it is closed. */
  opened?: () => () => void;
};

function stream(request: FastifyRequest, reply: FastifyReply, parts: StreamParts): FastifyReply {
  const lastEventId = request.headers['last-event-id'];
  if (lastEventId !== undefined && !/^\d{1,15}$/.test(String(lastEventId))) {
    return reply.send(refuse('validation_failed', 'Last-Event-ID should be the id of an event of this stream.'));
  }
  const refusal = parts.heldCalls.take(parts.userId ?? PERSON, reply.raw);
  if (refusal !== undefined) return reply.send(refusal);
  reply.hijack();
  reply.raw.writeHead(200, {
    ...SECURITY_HEADERS,
    'x-request-id': request.id,
    'content-type': 'text/event-stream; charset=utf-8',
  });
  const gone = AbortSignal.any([parts.heldCalls.goneSignal(reply.raw), ...(parts.ended ? [parts.ended] : [])]); // guard A8-6
  const afterId = lastEventId === undefined ? parts.events.latestId() : Number(lastEventId);
  const closed = parts.opened?.();
  void pump(reply.raw, { ...parts, afterId, gone })
    .catch((error: unknown) => request.log.warn({ err: error }, 'an event stream ended early'))
    .finally(() => {
      closed?.();
      reply.raw.end();
    });
  return reply;
}

/** Reads from its own place and writes as fast as the reader takes it; nothing is kept for a reader that does not. */
async function pump(
  response: ServerResponse,
  parts: StreamParts & { afterId: number; gone: AbortSignal },
): Promise<void> {
  const { events, userId, gone, mayRead = () => true } = parts;
  const { heartbeatMs, slowReaderMs } = parts.streams;
  const write = (text: string) => written(response, text, slowReaderMs);
  let place = parts.afterId;
  let reader = await write(': connected\n\n');
  if (!events.isReplayable(place)) {
    place = events.latestId();
    reader = await write(`id: ${place}\nevent: reset\ndata: {}\n\n`);
  }
  while (reader === 'reads' && !gone.aborted && mayRead()) {
    const batch = events.read(place, { limit: BATCH, userId });
    place = batch.reachedId;
    if (batch.events.length > 0) reader = await write(batch.events.map(frame).join(''));
    else if (!(await more(events, place, { gone, heartbeatMs }))) reader = await write(': still here\n\n'); // guard E-16
  }
  if (reader === 'is slow') response.destroy(); // guard E-14
}

/** Whether something came before it was time for a heartbeat. */
async function more(
  events: EventService,
  place: number,
  { gone, heartbeatMs }: { gone: AbortSignal; heartbeatMs: number },
): Promise<boolean> {
  const patience = AbortSignal.timeout(heartbeatMs);
  await events.more(place, AbortSignal.any([gone, patience]));
  return !patience.aborted;
}

async function written(response: ServerResponse, text: string, slowReaderMs: number): Promise<'reads' | 'is slow'> {
  if (response.write(text)) return 'reads';
  const patience = AbortSignal.timeout(slowReaderMs);
  return once(response, 'drain', { signal: patience }).then(
    () => 'reads',
    () => 'is slow',
  );
}

function frame(event: StreamEvent): string {
  return `id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
}
