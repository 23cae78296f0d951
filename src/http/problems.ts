import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemCode } from '../contract/problem.ts';
import { isRefusal, type Refusal } from '../services/refusal.ts';
import { isStorageFailure } from '../services/work/storage-failure.ts';
import type { App, HttpLog } from './app.ts';
import { LARGE_BODY_BYTES } from './limits.ts';
import { type HttpRefusal, problemResponse, RefusedError, refuse } from './problem-response.ts';

/**
 * Gives every failure inside Fastify one shape: a refusal of a handler or hook, an error of Fastify's own, and an unexpected error.
 * An unexpected error is logged and tells the caller nothing.
 */
export function addProblems(
  app: App,
  options: { log: HttpLog; onRefused: (refusal: Refusal) => void; onFailure: (error: unknown) => void },
): void {
  app.addHook('preSerialization', (request, reply, payload, done) => {
    if (!isRefusal(payload)) return done(null, payload);
    // A blocked action has a record and journal rows of its own.
    if (payload.refused !== 'action_blocked') options.onRefused(payload);
    const { status, headers, body } = problemResponse(payload, request.id);
    reply.code(status).headers(headers);
    done(null, body);
  });
  app.setErrorHandler((error: Error & { code?: string }, request, reply) => {
    const refusal = refusalOf(error, request.routeOptions.bodyLimit);
    options.onFailure(error);
    if (refusal.refused === 'internal_error' || refusal.refused === 'storage_unavailable')
      options.log.error({ err: error, requestId: request.id }, 'request failed');
    reply.send(refusal);
  });
}

/** For `frameworkErrors`: the router gave up before any hook could run, so the problem is written out here. */
export function replyToFrameworkError(
  error: Error & { code?: string },
  context: { request: FastifyRequest; reply: FastifyReply; onRefused: (refusal: HttpRefusal) => void },
): void {
  const refusal = refusalOf(error, LARGE_BODY_BYTES);
  context.onRefused(refusal);
  const { status, headers, body } = problemResponse(refusal, context.request.id);
  context.reply.code(status).headers(headers).send(JSON.stringify(body));
}

const FASTIFY_ERRORS: Record<string, readonly [code: ProblemCode, detail: string]> = {
  FST_ERR_BAD_URL: ['bad_url', 'The path has an escape that cannot be decoded.'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'A path parameter may have 128 characters; this one has more.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The body is not as long as Content-Length said.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Content-Type: application/json is expected.'],
};

const storageUnavailable = refuse(
  'storage_unavailable',
  'The database could not be read or did not take the change, so nothing was done. GET /health says how it is: make room on the disk, end another program that has the database locked, or start Handrail again where it is corrupt or moved.',
  { retryAfterSeconds: 5 },
);

function bodyTooLarge(maxBytes: number): HttpRefusal {
  const isLarge = maxBytes >= LARGE_BODY_BYTES;
  const advice = isLarge ? ': a task that is too large can be sent as several' : '; only a task may have 256 KiB';
  const detail = `The body of this call may have ${maxBytes} bytes (${maxBytes / 1024} KiB); this one has more. Send less${advice}.`;
  return refuse('payload_too_large', detail, { facts: { maxBytes } });
}

function refusalOf(error: Error & { code?: string; statusCode?: number }, maxBodyBytes: number): HttpRefusal {
  if (error instanceof RefusedError) return error.refusal;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(maxBodyBytes);
  const known = FASTIFY_ERRORS[error.code ?? ''];
  if (known !== undefined) {
    const [code, detail] = known;
    return refuse(code, detail);
  }
  if (isStorageFailure(error)) return storageUnavailable;
  if (error.code === 'ECONNRESET') return refuse('bad_request', 'The request ended before its body was complete.');
  return refuse('internal_error', 'Handrail failed at this request. Its log says why, under the request id.');
}
