import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { STDIO_HEADER } from '../../mcp/client-claim.ts';
import { type McpAnswer, type McpDoor, SESSION_HEADER } from '../../mcp/door.ts';
import type { Services } from '../../services/offered-services.ts';
import { isRefusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import { requireUserOrClient } from '../identity.ts';
import { type HttpLimits, MCP_BODY_BYTES } from '../limits.ts';
import type { HeldCalls } from '../open-calls.ts';
import { problemResponse, refuse, SECURITY_HEADERS } from '../problem-response.ts';
import { readIdempotencyKey } from '../submission.ts';

type Parts = {
  services: Pick<Services, 'isGenuine'>;
  heldCalls: HeldCalls;
  streams: HttpLimits['streams'];
  mcp: McpDoor;
};

/** Agents of the Model Context Protocol: one message in each POST. A session is nothing that the daemon keeps, and it streams nothing by GET. */
export function addMcpRoutes(app: App, { services, heldCalls, streams, mcp }: Parts): void {
  requireUserOrClient(app, services, ({ body, headers }) => mcp.userIdOf(body, headerText(headers[SESSION_HEADER])));

  app.post(
    '/mcp',
    { schema: MESSAGE, bodyLimit: MCP_BODY_BYTES, config: { namedInBody: true } },
    async (request, reply) => {
      const idempotencyKey = readIdempotencyKey(request.raw);
      if (isRefusal(idempotencyKey)) return reply.send(idempotencyKey);
      const hasPlace = mcp.mayWait(request.body) && heldCalls.takeByDefault(request.userId, reply.raw);
      const answer = await mcp.answer({
        message: request.body,
        headers: ofProtocol(request),
        userId: request.userId,
        idempotencyKey,
        hasPlace,
        ...endingsOf(reply.raw),
        closing: heldCalls.goneSignal(reply.raw),
        program(isAsked) {
          const isPassedOn = request.headers[STDIO_HEADER] !== undefined;
          return isAsked ? request.callingProgram(isPassedOn) : request.programOnce(isPassedOn);
        },
      });
      if (isStream(answer) && hasPlace) return stream({ request, reply, answer, slowReaderMs: streams.slowReaderMs });
      const text = answer.body === null ? '' : await new Response(answer.body).text();
      return reply.code(answer.status).headers(kept(answer)).serializer(String).send(text);
    },
  );

  // A client of 2025 asks once for a stream of news, and goes on without one. That is no attempt at anything.
  for (const method of ['GET', 'DELETE'] as const) {
    app.route({
      method,
      url: '/mcp',
      schema: { hide: true },
      handler: (request, reply) => {
        const { status, headers, body } = problemResponse(POST_ONLY, request.id);
        return reply.code(status).headers(headers).send(body);
      },
    });
  }
}

const MESSAGE = { hide: true, body: Type.Object({ jsonrpc: Type.Literal('2.0') }) };

const POST_ONLY = refuse('method_not_allowed', 'Each MCP message is a POST of its own.', {
  headers: { allow: 'POST' },
});

/** Headers that the protocol gives a meaning to. Who calls is settled, and keys go no further. */
const PROTOCOL_HEADER = /^(?:accept|mcp-.+)$/;

function ofProtocol({ headers }: FastifyRequest): Record<string, string> {
  const named = Object.entries(headers).filter(([name]) => PROTOCOL_HEADER.test(name));
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}

function headerText(value: string | string[] | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** `hungUp` aborts when the connection ended before the whole answer was written, `closed` in any case. */
function endingsOf(response: ServerResponse): { hungUp: AbortSignal; closed: AbortSignal } {
  const hungUp = new AbortController();
  const closed = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) hungUp.abort();
    closed.abort();
  });
  return { hungUp: hungUp.signal, closed: closed.signal };
}

function isStream({ headers }: McpAnswer): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/** Only these: every other header of an answer is the daemon's own. */
function kept({ headers }: McpAnswer): Record<string, string> {
  return Object.fromEntries(
    ['content-type', SESSION_HEADER].flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

type Streaming = { request: FastifyRequest; reply: FastifyReply; answer: McpAnswer; slowReaderMs: number };

/** Writes the parts of an answer as they come: the progress while it is held, then the result. */
function stream({ request, reply, answer, slowReaderMs }: Streaming): FastifyReply {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(answer.status, { ...SECURITY_HEADERS, 'x-request-id': request.id, ...kept(answer) });
  void pump(answer, { request, raw, slowReaderMs }).then(
    () => raw.end(),
    () => raw.destroy(),
  );
  return reply;
}

async function pump(
  { body }: McpAnswer,
  { request, raw, slowReaderMs }: { request: FastifyRequest; raw: ServerResponse; slowReaderMs: number },
): Promise<void> {
  for await (const part of body ?? []) {
    if (raw.destroyed) return;
    request.noteUnread(raw, part.byteLength);
    if (!raw.write(part)) await once(raw, 'drain', { signal: AbortSignal.timeout(slowReaderMs) });
  }
}
