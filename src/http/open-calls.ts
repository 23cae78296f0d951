import type { ServerResponse } from 'node:http';
import { limitFor } from '../services/requesters/requesters.ts';
import { type HttpRefusal, refuse } from './problem-response.ts';

const RETRY_AFTER_SECONDS = 5;

/** Stands for the person at the dashboard, whose places nobody else can take. No user id has a space. */
export const PERSON = ' person';

/** Calls that wait for something and streams of events: how many there may be, and how they learn that nobody listens. */
export type HeldCalls = {
  /** Takes a place until the response has ended; a refusal when this user's places, or all, are taken. */
  take(userId: string, response: ServerResponse): HttpRefusal | undefined;
  /** The same for a call that did not ask to be held. `false`: no place is free, and it should be answered at once. */
  takeByDefault(userId: string, response: ServerResponse): boolean;
  /** Aborts when the caller hangs up, or when the server closes and wants its answers now. */
  goneSignal(response: ServerResponse): AbortSignal;
  releaseAll(): void;
};

type Limit = { perUser: number; inAll: number };
type Options = { asked: Limit; byDefault: Limit; isKnown(userId: string): boolean };

/** `isKnown` answers whether a requester may use the places that made-up ids cannot fill. */
export function createHeldCalls({ isKnown, ...limits }: Options): HeldCalls {
  const asked = createPlaces(limits.asked, isKnown);
  const byDefault = createPlaces(limits.byDefault, isKnown);
  const waiting = new Set<AbortController>();
  return {
    take(userId, response) {
      const full = asked.take(userId, response);
      return full === undefined ? undefined : tooMany(full);
    },
    takeByDefault: (userId, response) => byDefault.take(userId, response) === undefined,
    goneSignal(response) {
      const controller = new AbortController();
      waiting.add(controller);
      response.once('close', () => {
        waiting.delete(controller);
        if (!response.writableFinished) controller.abort();
      });
      return controller.signal;
    },
    releaseAll() {
      for (const controller of waiting) controller.abort();
    },
  };
}

/** `take` answers which limit left no place, if one did. */
function createPlaces(limit: Limit, isKnown: Options['isKnown']) {
  const heldBy = new Map<string, number>();
  let inAll = 0;
  const change = (userId: string, by: 1 | -1) => {
    if (userId !== PERSON) inAll += by; // guard E2-31
    const held = (heldBy.get(userId) ?? 0) + by;
    if (held === 0) heldBy.delete(userId);
    else heldBy.set(userId, held);
  };
  return {
    take(userId: string, response: ServerResponse): string | undefined {
      if ((heldBy.get(userId) ?? 0) >= limit.perUser) return `${limit.perUser} of one user`;
      const isFull = inAll >= limit.inAll && inAll >= limitFor(userId !== PERSON && isKnown(userId), limit.inAll);
      if (userId !== PERSON && isFull) return `${limit.inAll} in all`;
      change(userId, 1);
      response.once('close', () => change(userId, -1));
      return undefined;
    },
  };
}

function tooMany(held: string): HttpRefusal {
  return refuse(
    'rate_limited',
    `At most ${held} may wait or stream at one time. End one, or ask again without waiting.`,
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
}
