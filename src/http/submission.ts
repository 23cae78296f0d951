import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal, type Refusal } from '../services/refusal.ts';
import type { Submission, Wait } from '../services/requester-services.ts';
import { turnOf } from './charged-work.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import type { HeldCalls } from './open-calls.ts';
import { readPrefer } from './prefer.ts';

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
  return { waitMs, gone: heldCalls.goneSignal(reply.raw), turn: turnOf(request) };
}

/**
 * In what manner an action or a task is submitted: by whom, under which key, and how long the caller waits for the end.
 * One that waits takes a place among the held calls. One that did not say is held as the action asks for, as long as there are
 * places; without one it is answered at once, which an honest script that sends many can live with and a refusal it could not.
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
      program: () => request.callingProgram(),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(waitMs !== undefined && { waitMs }),
    },
    headers: applied === undefined ? {} : { 'preference-applied': applied },
  };
}
