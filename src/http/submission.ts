import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal, type Refusal } from '../services/refusal.ts';
import type { HeldCalls } from './held-calls.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { readPrefer } from './prefer.ts';

type Manner = {
  call: { userId: string; gone: AbortSignal; idempotencyKey?: string; waitMs?: number };
  /** What an answer that is no refusal says of the caller's wishes. */
  headers: { 'preference-applied'?: string };
};

/** How long a call that reads one record waits for it to end. Without a wish it is answered at once. */
export function readWait(
  request: FastifyRequest & { userId: string },
  reply: FastifyReply,
  heldCalls: HeldCalls,
): { waitMs: number; gone: AbortSignal } | Refusal {
  const { waitMs = 0, applied } = readPrefer(request.headers.prefer);
  const refusal = waitMs > 0 ? heldCalls.take(request.userId, reply.raw) : undefined;
  if (refusal !== undefined) return refusal;
  if (applied !== undefined) reply.header('preference-applied', applied);
  return { waitMs, gone: heldCalls.goneSignal(reply.raw) };
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
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(waitMs !== undefined && { waitMs }),
    },
    headers: applied === undefined ? {} : { 'preference-applied': applied },
  };
}
