import { hash } from 'node:crypto';
import type { Caller } from './caller.ts';

/** The records of one kind that calls make: actions or tasks. */
type Records<Found> = {
  former(userId: string, key: string): Found | undefined;
  forgetKey(userId: string, key: string): void;
};

/** `isLasting`: to do it twice may harm, so that a former outcome is of use. A look would be out of date. */
type Call<Found> = { words: string; isLasting: boolean; records: Records<Found> };

/** The key under which a call is submitted, and the record of the same call before it, if nobody has got its outcome. */
export type Keyed<Found> = { idempotencyKey?: string | undefined; former?: Found | undefined };

/** The oldest are forgotten first. Then a call that is repeated finds an outcome that its client has got already. */
const MOST_KEYS = 1_000;

/**
 * Finds the outcome of a call that was lost, because its client or the daemon went away. While a call is being answered, the same call is
 * another one. Afterwards the same call finds the former record until a client has got its outcome, for ten minutes, also after a restart.
 * A client that sends an `Idempotency-Key` repeats a call by that.
 */
export function createFormerCalls() {
  const answering = new Set<string>();
  const forgetting = new Map<string, () => void>();

  function noteKey(id: string, forget: () => void): void {
    forgetting.delete(id);
    forgetting.set(id, forget);
    const [oldest] = forgetting.keys();
    if (forgetting.size > MOST_KEYS && oldest !== undefined) forgetting.delete(oldest);
  }

  return {
    keyed<Found>({ userId, idempotencyKey, closed }: Caller, { words, isLasting, records }: Call<Found>): Keyed<Found> {
      if (idempotencyKey !== undefined) return { idempotencyKey };
      const key = `mcp-${hash('sha256', words)}`;
      const slot = `${userId} ${key}`;
      if (!isLasting || answering.has(slot)) return {};
      answering.add(slot);
      closed.addEventListener('abort', () => answering.delete(slot), { once: true });
      return { idempotencyKey: key, former: records.former(userId, key) };
    },
    /** A record stands for a call under a key of ours. */
    made(id: string, { idempotencyKey: key }: Keyed<unknown>, { userId }: Caller, records: Records<unknown>): void {
      if (key?.startsWith('mcp-')) noteKey(id, () => records.forgetKey(userId, key));
    },
    /** The outcome of a record is about to be written to a client. Once it is, the same call is a new one. */
    answered(id: string, { closed, gone }: Caller): void {
      const forget = forgetting.get(id);
      if (forget === undefined) return;
      const atEnd = () => {
        if (gone.aborted) return;
        forgetting.delete(id);
        forget();
      };
      closed.addEventListener('abort', atEnd, { once: true });
    },
  };
}
