import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { PROOF_HEADER } from '../contract/session-proof.ts';
import type { App } from './app.ts';
import { parseJsonBody } from './json-body.ts';
import { type HttpRefusal, quoted, RefusedError, refuse } from './refuse.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the bytes of the body, for a call that carries a proof. */
    bodyDigest: string;
  }
}

const NO_BODY_DIGEST = hash('sha256', '');

const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-?8"?[ \t]*)?$/i;

/** Bodies are JSON or refused. A page can send text/plain and forms to any address without asking; JSON it cannot. */
export function addJsonBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('bodyDigest', NO_BODY_DIGEST);
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.headers[PROOF_HEADER] !== undefined) request.bodyDigest = hash('sha256', body);
    const parse = () => {
      try {
        done(null, body.length === 0 && !needsBody(request) ? undefined : parseJsonBody(body));
      } catch (error) {
        done(error instanceof Error ? error : new RefusedError(refuse('invalid_json', 'The body cannot be read.')));
      }
    };
    void request.turn().then(parse);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = contentTypeRefusal(request);
    if (refusal === undefined) done();
    else reply.send(refusal);
  });
  app.addHook('preValidation', (request, reply, done) => {
    if (takesBody(request) || isEmpty(request.body)) done();
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
  if (came === undefined ? !hasBody(headers) && !needsBody(request) : JSON_IN_UTF8.test(came)) return undefined;
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

function takesBody(request: FastifyRequest): boolean {
  return request.routeOptions.schema?.body !== undefined;
}

/** A body that may be `null` may also be left out. */
function needsBody(request: FastifyRequest): boolean {
  const schema = request.routeOptions.schema?.body;
  return schema !== undefined && !mayBeNull(schema);
}

function mayBeNull(schema: unknown): boolean {
  if (!isObject(schema) || !Array.isArray(schema.anyOf)) return false;
  return schema.anyOf.some((each) => isObject(each) && each.type === 'null');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isEmpty(body: unknown): boolean {
  return body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0);
}
