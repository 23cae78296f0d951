import type { CallingProgram } from '../contract/program.ts';
import type { Services } from '../services/offered-services.ts';
import type { FindCaller } from '../services/requester-services.ts';
import { createStandingCalls } from './action-calls.ts';
import type { Caller } from './caller.ts';
import { createToolCalls } from './calls.ts';
import { type ClientClaim, claimOf, isInitialize, member, sessionIdFor, userIdFor } from './client-claim.ts';
import { createFormerCalls } from './former-calls.ts';
import { createReadAddress } from './resources.ts';
import { procedureTools, type ToolChoice, toolsOf } from './tools.ts';

export type McpSettings = { tools: ToolChoice; waitSeconds: number };

export const MCP_DEFAULTS: McpSettings = { tools: 'full', waitSeconds: 25 };

/** One message of a client, as plain values. The caller has checked who calls. */
export type McpCall = {
  message: unknown;
  /** The headers of the protocol, in lower case. */
  headers: Readonly<Record<string, string>>;
  userId: string;
  /** The `Idempotency-Key` of the call. */
  idempotencyKey?: string;
  /** Whether the call may be held. */
  hasPlace: boolean;
  /** Aborts when the connection ended before the whole answer was written. */
  hungUp: AbortSignal;
  /** Aborts when the answer was written, or the connection ended before that. */
  closed: AbortSignal;
  /** Aborts when the daemon closes. */
  closing: AbortSignal;
  program: FindCaller;
};

export type McpAnswer = { status: number; headers: Record<string, string>; body: ReadableStream<Uint8Array> | null };

export type McpDoor = ReturnType<typeof createMcpDoor>;

export const SESSION_HEADER = 'mcp-session-id';

type Options = {
  services: Pick<
    Services,
    | 'actions'
    | 'tasks'
    | 'procedures'
    | 'devices'
    | 'artifacts'
    | 'ownAccess'
    | 'whenDenialChanges'
    | 'health'
    | 'noteRefusal'
  >;
  settings: McpSettings;
  platform?: NodeJS.Platform;
};

/** Serves MCP: one message in, one answer out. Nothing is kept for a client but the prompts of its calls. */
export function createMcpDoor({ services, settings, platform = process.platform }: Options) {
  const tools = toolsOf(settings.tools);
  const parts = {
    services,
    standing: createStandingCalls(),
    formerCalls: createFormerCalls(),
    nowMs: Date.now,
    platform,
  };
  const call = createToolCalls(parts, tools);
  const readAddress = createReadAddress(services.artifacts);
  const ownTools = (userId: string) => procedureTools(services.procedures.intents(userId));
  const calledOff = createCalledOff();

  function callerOf(request: McpCall, claim: ClientClaim | undefined): Caller {
    const { message, headers, userId, hungUp, closing, hasPlace, closed, idempotencyKey } = request;
    const gone = AbortSignal.any([hungUp, calledOff.begin(message, headers[SESSION_HEADER], closed)]);
    return {
      userId,
      gone,
      hurry: AbortSignal.any([gone, closing]),
      closed,
      idempotencyKey,
      holdMs: hasPlace ? settings.waitSeconds * 1_000 : 0,
      program: async (isAsked) => withClaim(await request.program(isAsked), claim),
      refused: (refusal) => services.noteRefusal(refusal),
    };
  }

  return {
    /** The user id of a client that names none. */
    userIdOf: (message: unknown, sessionId: string | undefined): string => userIdFor(claimOf(message, sessionId)),
    /** Whether an answer may have to wait for the person or for an action. */
    mayWait: (message: unknown): boolean => member(message, 'method') === 'tools/call',
    async answer(request: McpCall): Promise<McpAnswer> {
      const { message, headers } = request;
      const sessionId = headers[SESSION_HEADER];
      const claim = claimOf(message, sessionId);
      calledOff.note(message, sessionId);
      // The packages of the protocol are large, and many daemons never meet an MCP client.
      const { serve } = await import('./server.ts');
      const { version } = services.health();
      const handler = serve(callerOf(request, claim), { tools, ownTools, version, readAddress, call });
      const { status, headers: own, body } = await handler.fetch(webRequest(request), { parsedBody: message });
      const answered = Object.fromEntries(own);
      if (isInitialize(message) && claim !== undefined) answered[SESSION_HEADER] = sessionIdFor(claim);
      return { status, headers: answered, body };
    },
  };
}

/** The message itself is handed over beside it, parsed. */
function webRequest({ headers, hungUp }: McpCall): Request {
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    signal: hungUp,
  });
}

function withClaim(program: CallingProgram | undefined, claim: ClientClaim | undefined): CallingProgram | undefined {
  return program === undefined || claim === undefined ? program : { ...program, claims: claim.name };
}

/** A client of protocol 2025 calls a request off by a message of its own; a later one ends the connection of the request. */
function createCalledOff() {
  const running = new Map<string, AbortController>();

  return {
    /**
     * A signal that aborts when the client calls this request off. `closed` aborts when its connection is done with. A request outside of
     * a session cannot be called off by a message.
     */
    begin(message: unknown, sessionId: string | undefined, closed: AbortSignal): AbortSignal {
      const controller = new AbortController();
      const key = keyOf(member(message, 'id'), sessionId);
      if (key !== undefined) {
        running.set(key, controller);
        closed.addEventListener('abort', () => running.get(key) === controller && running.delete(key), { once: true });
      }
      return controller.signal;
    },
    /** Takes a message that may call a request off. */
    note(message: unknown, sessionId: string | undefined): void {
      if (member(message, 'method') !== 'notifications/cancelled') return;
      const key = keyOf(member(member(message, 'params'), 'requestId'), sessionId);
      if (key !== undefined) running.get(key)?.abort();
    },
  };
}

/** The session id has 122 random bits, so that no other client can name the requests of this one. */
function keyOf(requestId: unknown, sessionId: string | undefined): string | undefined {
  const isId = typeof requestId === 'string' || typeof requestId === 'number';
  return isId && sessionId !== undefined ? JSON.stringify([sessionId, requestId]) : undefined;
}
