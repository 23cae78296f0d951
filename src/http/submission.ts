import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal, type Refusal } from '../services/refusal.ts';
import type { Submission, Wait } from '../services/requester-services.ts';
import type { HeldCalls } from './open-calls.ts';
import { headerCount } from './perimeter.ts';
import { type HttpRefusal, refuse } from './problem-response.ts';

type Caller = Pick<Submission, 'userId' | 'gone' | 'program'>;

type Manner = {
  call: Caller & { idempotencyKey?: string; waitMs?: number };
  /** Headers of an answer that is not a refusal. They name the preferences that were followed. */
  headers: { 'preference-applied'?: string };
};

/** How long a call that reads one record waits for it to end. Without the preference `wait` it is answered at once. */
export function readWait(
  request: FastifyRequest & { userId: string },
  reply: FastifyReply,
  heldCalls: HeldCalls,
): Wait | Refusal {
  const { waitMs = 0, applied } = readPrefer(request.headers.prefer);
  const refusal = waitMs > 0 ? heldCalls.take(request.userId, reply.raw) : undefined;
  if (refusal !== undefined) return refusal;
  if (applied !== undefined) reply.header('preference-applied', applied);
  return { waitMs, gone: heldCalls.goneSignal(reply.raw) };
}

/**
 * Reads who submits an action or a task, under which key, and how long the call is held. A caller that asks to wait takes a place
 * among the held calls, or is refused. A caller that says nothing is held while there are places, and otherwise answered at once: a
 * refusal would break an honest script that sends many actions.
 */
export function readSubmission(
  request: FastifyRequest & { userId: string },
  reply: FastifyReply,
  heldCalls: HeldCalls,
): Manner | Refusal {
  const idempotencyKey = readIdempotencyKey(request.raw);
  if (isRefusal(idempotencyKey)) return idempotencyKey;
  const { waitMs: wishedMs, applied } = readPrefer(request.headers.prefer);
  const refusal = wishedMs ? heldCalls.take(request.userId, reply.raw) : undefined;
  if (refusal !== undefined) return refusal;
  const isHeldByDefault = wishedMs === undefined && heldCalls.takeByDefault(request.userId, reply.raw);
  const waitMs = isHeldByDefault ? undefined : (wishedMs ?? 0);
  return {
    call: {
      userId: request.userId,
      gone: heldCalls.goneSignal(reply.raw),
      program: (isAsked) => (isAsked ? request.callingProgram() : request.programOnce()),
      idempotencyKey,
      waitMs,
    },
    headers: applied === undefined ? {} : { 'preference-applied': applied },
  };
}

/** The caller's `Idempotency-Key`; `undefined` where none came. */
export function readIdempotencyKey(
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
): string | undefined | HttpRefusal {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  const isOne = headerCount(request.rawHeaders, 'idempotency-key') === 1;
  if (isOne && typeof key === 'string' && /^[ -~]{1,255}$/.test(key)) return key;
  return refuse('idempotency_key_invalid', 'One Idempotency-Key is expected, of 1 to 255 printable ASCII characters.');
}

const MAX_WAIT_SECONDS = 120;

/** The preferences in the header `Prefer` (RFC 7240); unknown or malformed preferences are ignored. */
type Preference = { waitMs?: number; applied?: string };

export function readPrefer(header: string | string[] | undefined): Preference {
  if (header === undefined) return {};
  const preferences = String(header)
    .split(',')
    .map((text) => text.trim().toLowerCase());
  const seconds = preferences
    .map((text) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(text)?.[1])
    .find((text) => text !== undefined);
  if (seconds !== undefined) {
    const wait = Math.min(Number(seconds), MAX_WAIT_SECONDS);
    return { waitMs: wait * 1_000, applied: `wait=${wait}` };
  }
  return preferences.includes('respond-async') ? { waitMs: 0, applied: 'respond-async' } : {};
}
