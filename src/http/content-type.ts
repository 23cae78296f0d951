import type { FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import { parseJsonBody } from './json-body.ts';
import { type HttpRefusal, quoted, RefusedError, refuse } from './refuse.ts';
import type { SlowLane } from './slow-lane.ts';

const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-?8"?[ \t]*)?$/i;

/** Longer bodies take turns: what is made of them takes longer, too. */
const SHORT_BODY_BYTES = 16 * 1024;

/** Bodies are JSON or refused. A page can send text/plain and forms to any address without asking; JSON it cannot. */
export function addJsonBodies(app: App, lane: SlowLane): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const parse = () => {
      request.workedSinceMs = performance.now();
      try {
        done(null, body.length === 0 && !wantsBody(request) ? undefined : parseJsonBody(body));
      } catch (error) {
        done(error instanceof Error ? error : new RefusedError(refuse('invalid_json', 'The body cannot be read.')));
      }
    };
    if (body.length <= SHORT_BODY_BYTES || request.chargedTo === '') parse();
    else void lane.turn().then(parse);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = contentTypeRefusal(request);
    if (refusal === undefined) done();
    else reply.send(refusal);
  });
  app.addHook('preValidation', (request, reply, done) => {
    if (wantsBody(request) || isEmpty(request.body)) done();
    else reply.send(refuse('validation_failed', 'This call takes no body.', { errors: [NO_BODY] }));
  });
}

const NO_BODY = { pointer: '', message: 'must be empty' };

function contentTypeRefusal(request: FastifyRequest): HttpRefusal | undefined {
  const { headers, method } = request;
  if (method === 'GET' || method === 'HEAD') return undefined;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return encoded(encoding);
  const came = headers['content-type'];
  if (came === undefined ? !hasBody(headers) && !wantsBody(request) : JSON_IN_UTF8.test(came)) return undefined;
  const what = came === undefined ? 'none' : quoted(came);
  return refuse('unsupported_media_type', `Content-Type: application/json is expected, in UTF-8; ${what} came.`);
}

function encoded(encoding: string): HttpRefusal {
  const detail = `A body is taken as it is, without Content-Encoding; ${quoted(encoding)} came. Send it uncompressed.`;
  return refuse('unsupported_media_type', detail, { headers: { 'accept-encoding': 'identity' } });
}

function hasBody(headers: FastifyRequest['headers']): boolean {
  const length = headers['content-length'] ?? '0';
  return headers['transfer-encoding'] !== undefined || length !== '0';
}

function wantsBody(request: FastifyRequest): boolean {
  return request.routeOptions.schema?.body !== undefined;
}

function isEmpty(body: unknown): boolean {
  return body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0);
}
