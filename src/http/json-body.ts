import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { PROOF_HEADER } from '../contract/session-proof.ts';
import type { App } from './app.ts';
import { type HttpRefusal, quoted, RefusedError, refuse } from './problem-response.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const SPACE = 0x20;

const BLANK = /[ \t\r\n]*/y;
const TOKEN = /"(?:[^"\\]|\\.)*"|[-\d][\d.eE+-]*|true|false|null|[[\]{}:,]/y;
const BEFORE_VALUES: readonly (string | undefined)[] = [undefined, '[', ',', ':'];
const NO_VALUES: readonly string[] = [']', '}', ',', ':'];

export const MAX_DEPTH = 64;

const TOO_DEEP = `more than ${MAX_DEPTH} levels`;

/** The largest graph of a task, 100 steps of which each depends on all before it, has about 6,000. */
export const MAX_MEMBERS = 10_000;

/**
 * Parses a request body. Refuses text that is not JSON, bytes that are not UTF-8, keys that aim at prototypes, and deep nesting.
 * Half of a surrogate pair and a number that is too large are refused, too: they have no canonical form, so they have no digest.
 */
function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw notJson('bytes that are not UTF-8');
  if (body.length > 2 * MAX_MEMBERS) refuseExcess(body);
  const value = parsed(withoutByteOrderMark(body.toString()));
  const complaint = complaintAbout(value, 0);
  if (complaint !== undefined) throw notJson(complaint);
  return value;
}

/** A body with too many members has more than two bytes for each, so shorter ones need not be looked at. */
function refuseExcess(body: Buffer): void {
  const excess = excessIn(body, { members: MAX_MEMBERS, levels: MAX_DEPTH });
  if (excess === 'levels') throw notJson(TOO_DEEP);
  if (excess === 'members') throw new RefusedError(tooManyMembers);
}

const tooManyMembers = refuse(
  'payload_too_large',
  `A body may have ${MAX_MEMBERS} members: names in objects and items in arrays, counted together. This one has more. Send less at once.`,
  { facts: { maxMembers: MAX_MEMBERS } },
);

function notJson(what: string): RefusedError {
  return new RefusedError(refusal(what));
}

function refusal(what: string): HttpRefusal {
  return refuse('invalid_json', `The body must be JSON in UTF-8; this one has ${what}.`);
}

/** Some editors and languages begin every text with one. */
function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw notJson(text === '' ? 'nothing in it' : `a syntax error at ${placeOfFault(text, error)}`);
    throw error;
  }
}

function complaintAbout(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'half of a surrogate pair';
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : 'a number beyond the largest of JavaScript';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return TOO_DEEP;
  for (const [key, member] of Object.entries(value)) {
    const complaint = keyComplaint(key, member) ?? complaintAbout(member, depth + 1);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

function keyComplaint(key: string, member: unknown): string | undefined {
  if (!key.isWellFormed()) return 'half of a surrogate pair';
  const aimsAtPrototype = key === '__proto__' || (key === 'constructor' && hasPrototypeKey(member));
  return aimsAtPrototype ? 'a key that aims at a prototype' : undefined;
}

function hasPrototypeKey(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

/**
 * The place where the JSON parser stopped, without a character of the body: `line 2, column 5`. Lines and columns count from
 * 1.
 */
function placeOfFault(text: string, error: SyntaxError): string {
  const [, told] = /at position (\d+) \(line \d+ column \d+\)$/.exec(error.message) ?? [];
  const position = told === undefined ? valueMissingAt(text) : Number(told);
  const before = text.slice(0, position).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return position < text.length ? place : `${place}, where it ends`;
}

/** The parser tells no position where it expected a value and something else came; all before that is well formed. */
function valueMissingAt(text: string): number {
  let position = 0;
  let last: string | undefined;
  while (position < text.length) {
    position += matchAt(BLANK, text, position)?.length ?? 0;
    const token = matchAt(TOKEN, text, position);
    const isMisplaced = token !== undefined && BEFORE_VALUES.includes(last) && NO_VALUES.includes(token);
    if (token === undefined || (isMisplaced && !(last === '[' && token === ']'))) return position;
    position += token.length;
    last = token;
  }
  return position;
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}

type Limits = { members: number; levels: number };

/**
 * Which limit a JSON text exceeds, if one: on the members of objects and items of arrays, counted together, or on the levels of
 * nesting. It reads the bytes once and builds nothing, so that a body can be refused for less than its parsing costs. A text that
 * is not JSON gets any answer.
 */
export function excessIn(body: Uint8Array, most: Limits): keyof Limits | undefined {
  let members = 0;
  let levels = 0;
  let hasJustBegun = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    // The control characters below the space are blanks in JSON, or no JSON.
    if (byte <= SPACE) continue;
    if (byte === QUOTE) at = endOfString(body, at);
    if (byte === COMMA || (hasJustBegun && !isClosing(byte))) members += 1;
    hasJustBegun = isOpening(byte);
    levels += levelChange(byte);
    if (levels > most.levels) return 'levels';
    if (members > most.members) return 'members';
  }
  return undefined;
}

function levelChange(byte: number): number {
  if (isOpening(byte)) return 1;
  return isClosing(byte) ? -1 : 0;
}

function isOpening(byte: number): boolean {
  return byte === 0x5b || byte === 0x7b;
}

function isClosing(byte: number): boolean {
  return byte === 0x5d || byte === 0x7d;
}

/** Where the string that begins at `from` has its closing quote, or the end of the text. */
function endOfString(body: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}

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
  if (came === undefined ? !hasBody(headers) && !needsBody(request) : JSON_IN_UTF8.test(came)) return undefined; // guard H8-1
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
