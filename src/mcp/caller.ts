import type { Refusal } from '../services/refusal.ts';
import type { FindCaller } from '../services/requester-services.ts';

/** Who makes a call, and how it may wait. */
export type Caller = {
  userId: string;
  /** Aborts when the client went away, or called the call off, before it had the answer. */
  gone: AbortSignal;
  /** Aborts when the answer is wanted now: the client has gone, or the daemon closes. */
  hurry: AbortSignal;
  /** Aborts when the answer was written, or the connection ended before that. */
  closed: AbortSignal;
  /** The `Idempotency-Key` of the client. With the same one the call is the same call. */
  idempotencyKey?: string;
  /** How long the call may be held. */
  holdMs: number;
  /** The program that calls, with the name that it claims. */
  program: FindCaller;
  /** Counts a refusal, as over HTTP. */
  refused(refusal: Refusal): void;
};

/** Tells a client how its call stands. */
export type Tell = (message: string, progress: { elapsedMs: number; holdMs: number }) => Promise<void>;
