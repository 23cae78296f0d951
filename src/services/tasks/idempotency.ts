import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Task } from '../../contract/task.ts';
import { keyReused } from '../actions/idempotency.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { TaskAnswer, TaskCall } from '../services.ts';

const KEPT_MS = 24 * 3_600_000;

/** One task per `Idempotency-Key` and user, by the same rules as for actions; a key used for an action is taken, too. */
export function createTaskIdempotency(
  { store, clock }: Context,
  viewById: (userId: string, taskId: string) => Task | Refusal,
) {
  const inFlight = new Set<string>();
  const isFresh = (kept: { createdAtMs: number } | undefined) =>
    kept !== undefined && clock.nowMs() - kept.createdAtMs <= KEPT_MS;

  function replay(userId: string, key: string, fingerprint: string): TaskAnswer | Refusal | undefined {
    if (isFresh(store.idempotencyKeys.find(userId, key))) return keyReused;
    const kept = store.taskKeys.find(userId, key);
    if (kept === undefined || !isFresh(kept)) return undefined;
    if (kept.fingerprint !== fingerprint) return keyReused;
    const task = kept.answer === undefined ? viewById(userId, kept.taskId) : (kept.answer as Task);
    return isRefusal(task) ? task : { kind: 'task', task, replayed: true };
  }

  return {
    /** Runs `work` once per key. `work` gets the fingerprint to store with the task it creates. */
    async once(
      call: TaskCall,
      work: (fingerprint: string | undefined) => Promise<TaskAnswer | Refusal>,
    ): Promise<TaskAnswer | Refusal> {
      const { userId, idempotencyKey: key } = call;
      if (key === undefined || call.body.dryRun === true) return work(undefined);
      const slot = `${userId} ${key}`;
      if (inFlight.has(slot)) return inProgress;
      const fingerprint = hash('sha256', canonicalize(call.body) ?? '');
      const earlier = replay(userId, key, fingerprint);
      if (earlier !== undefined) return earlier;
      inFlight.add(slot);
      try {
        const answer = await work(fingerprint);
        if (!isRefusal(answer) && answer.kind === 'task')
          store.write('relaxed', () => store.taskKeys.keepAnswer(userId, key, answer.task));
        return answer;
      } finally {
        inFlight.delete(slot);
      }
    },
    sweep: (): void => {
      store.write('relaxed', () => store.taskKeys.forgetBefore(clock.nowMs() - KEPT_MS));
    },
  };
}

const inProgress: Refusal = {
  refused: 'idempotency_in_progress',
  detail: 'A request with this Idempotency-Key is still being answered. Wait for it, or ask again in a moment.',
  retryAfterSeconds: 1,
};
