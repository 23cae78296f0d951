import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, type Problem, type ProblemCode } from '../contract/problem.ts';
import type { Refusal } from '../services/refusal.ts';

type ProblemResponse = { status: number; headers: Record<string, string>; body: Problem };

/** On every response. A page with scripts of its own replaces the policy; nothing else is replaced. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** A refusal that `http` itself makes. */
export type HttpRefusal = Refusal & { madeBy: 'http'; headers?: Record<string, string> };

export function refuse(
  code: ProblemCode,
  detail: string,
  more: Omit<HttpRefusal, 'refused' | 'detail' | 'madeBy'> = {},
): HttpRefusal {
  return { refused: code, detail, madeBy: 'http', ...more };
}

function isHttpRefusal(refusal: Refusal): refusal is HttpRefusal {
  return 'madeBy' in refusal;
}

/** Carries a refusal out of the places where Fastify takes nothing but errors, such as a body parser. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly refusal: HttpRefusal;

  constructor(refusal: HttpRefusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/** A received value, fit to be shown in a `detail`: quoted, and cut if it is longer than a person would read. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

/** The one place where a refusal becomes an HTTP response. */
export function problemResponse(refusal: Refusal, requestId: string): ProblemResponse {
  const [status, title] = PROBLEMS[refusal.refused];
  return {
    status,
    headers: {
      ...SECURITY_HEADERS,
      'content-type': PROBLEM_MEDIA_TYPE,
      'x-request-id': requestId,
      ...(refusal.retryAfterSeconds !== undefined && { 'retry-after': String(refusal.retryAfterSeconds) }),
      ...(isHttpRefusal(refusal) && refusal.headers),
    },
    body: {
      ...refusal.facts,
      type: `urn:handrail:problem:${refusal.refused}`,
      title,
      status,
      detail: refusal.see === undefined ? refusal.detail : `${refusal.detail} ${SEE[refusal.see]}`,
      instance: `urn:uuid:${requestId}`,
      code: refusal.refused,
      ...(refusal.errors && { errors: refusal.errors }),
    },
  };
}

const SEE: Record<NonNullable<Refusal['see']>, string> = {
  actionTypes: 'GET /api/tee/action-types describes each type and its parameters.',
  actions: 'GET /api/tee/actions lists them.',
  tasks: 'GET /api/tee/tasks lists them.',
  devices: 'Register one with POST /api/tee/devices/register, or list them with GET /api/tee/devices.',
};

/** How long a refused peer may go on sending before its connection is cut. */
const LINGER_MS = 500;

/**
 * Writes a problem on a socket that no HTTP response object stands for, and closes it. Bytes that the peer still sends are
 * read and dropped for a moment: closing over unread bytes would reset the connection and lose the answer.
 */
export function endWithProblem(socket: Duplex, refusal: Refusal, requestId: string): void {
  socket.on('error', () => socket.destroy());
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
  socket.end(responseText(refusal, requestId));
  socket.resume();
}

function responseText(refusal: Refusal, requestId: string): string {
  const { status, headers, body } = problemResponse(refusal, requestId);
  const text = JSON.stringify(body);
  const all = { ...headers, connection: 'close', 'content-length': String(Buffer.byteLength(text)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`;
}
