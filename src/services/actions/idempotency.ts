import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Action } from '../../contract/action.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission, SubmissionAnswer } from '../services.ts';

const KEPT_MS = 24 * 3_600_000;

/**
 * One action per `Idempotency-Key` and user (IETF draft-ietf-httpapi-idempotency-key-header): the same request again gets the
 * first answer again, another request under the key is refused, and so is one while the first is still being answered.
 */
export function createIdempotency(
  { store, clock }: Context,
  viewById: (userId: string, actionId: string) => Action | Refusal,
) {
  const inFlight = new Set<string>();

  function replay(userId: string, key: string, fingerprint: string): SubmissionAnswer | Refusal | undefined {
    const ofTask = store.taskKeys.find(userId, key);
    if (ofTask !== undefined && clock.nowMs() - ofTask.createdAtMs <= KEPT_MS) return keyReused;
    const kept = store.idempotencyKeys.find(userId, key);
    if (kept === undefined || clock.nowMs() - kept.createdAtMs > KEPT_MS) return undefined;
    if (kept.fingerprint !== fingerprint) return keyReused;
    const action = kept.answer === undefined ? viewById(userId, kept.actionId) : (kept.answer as Action);
    return isRefusal(action) ? action : { kind: 'action', action, replayed: true };
  }

  return {
    /** Runs `work` once per key. `work` gets the fingerprint to store with the action it creates. */
    async once(
      submission: Submission,
      work: (fingerprint: string | undefined) => Promise<SubmissionAnswer | Refusal>,
    ): Promise<SubmissionAnswer | Refusal> {
      const { userId, idempotencyKey: key } = submission;
      if (key === undefined || submission.body.dryRun === true) return work(undefined);
      const slot = `${userId} ${key}`;
      if (inFlight.has(slot)) {
        return {
          refused: 'idempotency_in_progress',
          detail: 'A request with this Idempotency-Key is still being answered. Wait for it, or ask again in a moment.',
          retryAfterSeconds: 1,
        };
      }
      const fingerprint = hash('sha256', canonicalize(submission.body) ?? '');
      const earlier = replay(userId, key, fingerprint);
      if (earlier !== undefined) return earlier;
      inFlight.add(slot);
      try {
        const answer = await work(fingerprint);
        if (!isRefusal(answer) && answer.kind === 'action') keepAnswer(userId, key, answer.action);
        return answer;
      } finally {
        inFlight.delete(slot);
      }
    },
    sweep: (): void => {
      store.write('relaxed', () => store.idempotencyKeys.forgetBefore(clock.nowMs() - KEPT_MS));
    },
  };

  function keepAnswer(userId: string, key: string, action: Action): void {
    store.write('relaxed', () => store.idempotencyKeys.keepAnswer(userId, key, action));
  }
}

/** A key stands for one request, be it of an action or of a task. */
export const keyReused: Refusal = {
  refused: 'idempotency_key_reused',
  detail: 'This Idempotency-Key was used for another request. Use a new key for a new request.',
};
