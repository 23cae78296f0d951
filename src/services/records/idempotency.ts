import { hash } from 'node:crypto';
import type { KeptKey, KeyTable } from '../../store/records/idempotency-keys.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';

const KEPT_MS = 24 * 3_600_000;

export type Idempotency = ReturnType<typeof createIdempotency>;

type Call = {
  userId: string;
  idempotencyKey?: string;
  body: { dryRun?: boolean };
  /** The body as canonical JSON (RFC 8785). */
  canonicalBody(): string;
};

/** A kind of request: its key table, and how it reads its records (actions or tasks). */
export type Subjects<Answer, View> = {
  keys: KeyTable;
  viewById(userId: string, id: string): View | Refusal;
  /** The record that an answer shows; `undefined` if the request made none. */
  viewIn(answer: Answer): View | undefined;
  replayed(view: View): Answer;
  /** Whether the record will not change: then it is read again for a repeated key, and no copy of the answer is kept. */
  isFinal(view: View): boolean;
};

/**
 * One action or task per `Idempotency-Key` and user (IETF draft-ietf-httpapi-idempotency-key-header). The same request again gets
 * the first answer. Another request under the key is refused, and so is any while the first is being answered.
 */
export function createIdempotency({ store, clock }: Context) {
  const inFlight = new Set<string>();
  const tables = [store.idempotencyKeys, store.taskKeys];
  const isFresh = (kept: KeptKey | undefined) => kept !== undefined && clock.nowMs() - kept.createdAtMs <= KEPT_MS;

  /** Forgets keys whose time is over. */
  function sweep(): void {
    store.write('relaxed', () => {
      for (const keys of tables) keys.forgetBefore(clock.nowMs() - KEPT_MS);
    });
  }

  function replay<Answer, View>(
    { userId, key, fingerprint }: { userId: string; key: string; fingerprint: string },
    { keys, viewById, replayed }: Subjects<Answer, View>,
  ): Answer | Refusal | undefined {
    if (tables.some((others) => others !== keys && isFresh(others.find(userId, key)))) return keyReused;
    const kept = keys.find(userId, key);
    if (kept === undefined) return undefined;
    if (!isFresh(kept)) {
      // The next request under the key stores it anew.
      sweep();
      return undefined;
    }
    if (kept.fingerprint !== fingerprint) return keyReused;
    const view = kept.answer === undefined ? viewById(userId, kept.subjectId) : (kept.answer as View);
    return isRefusal(view) ? view : replayed(view);
  }

  return {
    /** Runs `work` once per key. `work` stores the fingerprint with its record. */
    async once<Answer extends object, View extends object>(
      call: Call,
      of: Subjects<Answer, View>,
      work: (fingerprint: string | undefined) => Promise<Answer | Refusal>,
    ): Promise<Answer | Refusal> {
      const { userId, idempotencyKey: key, body } = call;
      if (key === undefined || body.dryRun === true) return work(undefined);
      const slot = `${userId} ${key}`;
      if (inFlight.has(slot)) return inProgress;
      const fingerprint = hash('sha256', call.canonicalBody());
      const earlier = replay({ userId, key, fingerprint }, of);
      if (earlier !== undefined) return earlier;
      inFlight.add(slot);
      try {
        const answer = await work(fingerprint);
        const view = isRefusal(answer) ? undefined : of.viewIn(answer);
        if (view !== undefined && !of.isFinal(view))
          store.write('relaxed', () => of.keys.keepAnswer(userId, key, view));
        return answer;
      } finally {
        inFlight.delete(slot);
      }
    },
    sweep,
    /**
     * The record that was made under a key and that may still be asked for: one that has not ended, or has ended at most ten minutes ago.
     * The key of any other is forgotten.
     */
    former<View extends FormerView>(
      userId: string,
      key: string,
      { keys, viewById }: Pick<Subjects<unknown, View>, 'keys' | 'viewById'>,
    ): View | undefined {
      const kept = keys.find(userId, key);
      if (kept === undefined) return undefined;
      const view = viewById(userId, kept.subjectId);
      if (!isRefusal(view) && mayBeAskedFor(view, clock.nowMs())) return view;
      store.write('relaxed', () => keys.remove(userId, key));
      return undefined;
    },
    /** The caller has the outcome: the next request under the key is another one. */
    forget: (userId: string, key: string, keys: KeyTable): void =>
      store.write('relaxed', () => keys.remove(userId, key)),
  };
}

type FormerView = { status: string; finishedAt?: string };
const FORMER_MS = 600_000;

/** A caller that called it off wants no outcome. */
function mayBeAskedFor({ status, finishedAt }: FormerView, nowMs: number): boolean {
  return status !== 'cancelled' && (finishedAt === undefined || nowMs - Date.parse(finishedAt) <= FORMER_MS);
}

const inProgress: Refusal = {
  refused: 'idempotency_in_progress',
  detail: 'A request with this Idempotency-Key is still being answered. Wait for it, or ask again in a moment.',
  retryAfterSeconds: 1,
};

/** A key stands for one request, be it of an action or of a task. */
const keyReused: Refusal = {
  refused: 'idempotency_key_reused',
  detail: 'This Idempotency-Key was used for another request. Use a new key for a new request.',
};
