import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { ConsoleService } from '../services/offered-services.ts';
import { nextTurn } from '../services/work/turns.ts';
import type { App } from './app.ts';
import { isPerson, requesterKey } from './identity.ts';
import { PERSON } from './open-calls.ts';
import { type HttpRefusal, problemResponse, refuse } from './problem-response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts a part of an answer that is written past Fastify. */
    noteUnread(response: ServerResponse, bytes: number): void;
  }
}

/** Smaller answers are not counted: all connections together cannot hold many bytes with them. */
const COUNTED_FROM_BYTES = 64 * 1024;

type Budget = { perUser: number; inAll: number };

type Options = {
  /** Bytes of answers that were built and not yet taken by their readers. */
  budget: Budget;
  console: Pick<ConsoleService, 'sessions'>;
  onRefused: (refusal: HttpRefusal) => void;
};

/**
 * Bounds the memory that unread answers take. A user with too many unread bytes is refused until one answer is read whole. Where all
 * users together have too many, the connection of the answer that has waited longest is cut: its reader is the least likely to read on.
 */
export function addAnswerBudget(app: App, { budget, console, onRefused }: Options): void {
  const unread = createUnread(budget, () => onRefused(refuse('rate_limited', 'an answer was not read in time')));
  app.decorateRequest('noteUnread', function (this: FastifyRequest, response: ServerResponse, bytes: number) {
    if (bytes >= COUNTED_FROM_BYTES) unread.add(readerOf(this), { response, bytes });
  });
  const readerOf = (request: FastifyRequest) => (isPerson(request, console) ? PERSON : requesterKey(request));

  app.addHook('onRequest', (request, reply, done) => {
    if (unread.isNone() || request.routeOptions.config.unlimited) return done();
    if (unread.isFull(readerOf(request))) reply.send(tooMuch(budget.perUser));
    else done();
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload);
    if (bytes < COUNTED_FROM_BYTES) return done(null, payload);
    const reader = readerOf(request);
    // A write was done already, and its answer is the only word of that.
    const mayBeRefused = request.method === 'GET' || request.method === 'HEAD';
    if (mayBeRefused && unread.isTooMuch(reader, bytes)) {
      unread.refused(reader);
      const refusal = tooMuch(budget.perUser);
      onRefused(refusal);
      const { status, headers, body } = problemResponse(refusal, request.id);
      reply.code(status).headers(headers);
      return done(null, JSON.stringify(body));
    }
    unread.add(reader, { response: reply.raw, bytes });
    done(null, payload);
  });
}

function createUnread(budget: Budget, onCut: () => void) {
  const byReader = new Map<string, number>();
  /** Readers that were refused an answer after it was built. They are refused earlier until they have read one. */
  const full = new Set<string>();
  /** All but the person's, oldest first. */
  const others = new Map<ServerResponse, number>();
  let inAll = 0;

  function change(reader: string, by: number): void {
    const bytes = (byReader.get(reader) ?? 0) + by;
    if (bytes === 0) byReader.delete(reader);
    else byReader.set(reader, bytes);
  }

  function release(response: ServerResponse): void {
    inAll -= others.get(response) ?? 0;
    others.delete(response);
  }

  function makeRoomFor(bytes: number): void {
    for (const oldest of others.keys()) {
      if (inAll + bytes <= budget.inAll) return;
      release(oldest);
      oldest.destroy();
      onCut();
    }
  }

  return {
    isNone: (): boolean => byReader.size === 0,
    isFull: (reader: string): boolean => full.has(reader) || (byReader.get(reader) ?? 0) >= budget.perUser,
    /** Notes that an answer was too much for this reader. The person still gets small answers, such as that of a stop. */
    refused: (reader: string): void => void (reader !== PERSON && full.add(reader)),
    /** One answer of any size can always be read. */
    isTooMuch: (reader: string, bytes: number): boolean => {
      const before = byReader.get(reader) ?? 0;
      return before > 0 && before + bytes > budget.perUser;
    },
    add(reader: string, { response, bytes }: { response: ServerResponse; bytes: number }): void {
      if (reader !== PERSON) {
        makeRoomFor(bytes);
        others.set(response, bytes);
        inAll += bytes;
      }
      change(reader, bytes);
      response.once('close', () => {
        full.delete(reader); // guard E2-29
        change(reader, -bytes);
        release(response);
      });
    },
  };
}

/** A stream is not counted: it holds one piece of its file at a time. */
function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length < COUNTED_FROM_BYTES / 4 ? 0 : Buffer.byteLength(payload);
  return payload instanceof Uint8Array ? payload.byteLength : 0;
}

function tooMuch(perUser: number): HttpRefusal {
  const limit = `${perUser} bytes (${Math.round(perUser / 1024 / 1024)} MiB)`;
  return refuse(
    'rate_limited',
    `Answers that you have not read take ${limit}, the most for one user id. Read them or close their connections, then ask again.`,
    { retryAfterSeconds: 1 },
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Resolves when it is this call's turn. The person does not wait for requesters. */
    turn(): Promise<void>;
  }
}

/** Lets requesters take turns: a call with a body before that is parsed, another one before its query is read. */
export function addTurns(app: App, console: Pick<ConsoleService, 'sessions'>): void {
  app.decorateRequest('turn', async function (this: FastifyRequest) {
    if (!this.routeOptions.config.unlimited && !isPerson(this, console)) await nextTurn(requesterKey(this)); // guard E2-32
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined) void request.turn().then(() => done());
    else done();
  });
}
