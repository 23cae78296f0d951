import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { breakerReason, OF_LAST } from '../../domain/persons-answer.ts';
import type { UserRow } from '../../store/records/users.ts';
import type { CallsOff } from '../call-off.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';

export type Requesters = ReturnType<typeof createRequesters>;

type RequesterChange = `requester.${'paused' | 'resumed' | 'key_removed'}`;

type Parts = { callOffs: CallsOff };

/** The requesters: whether each needs a key, and whether it is paused because too many of its requests were denied. */
export function createRequesters(context: Context, { callOffs }: Parts) {
  const { store, clock } = context;

  function change(userId: string, kind: RequesterChange, work: (atMs: number) => void): UserRow | Refusal {
    if (store.users.find(userId) === undefined) {
      return { refused: 'not_found', detail: `No user ${userId} has ever asked for anything.` };
    }
    const atMs = clock.nowMs();
    store.write('durable', () => {
      work(atMs);
      store.journal.append(atMs, { kind, userId });
    });
    return store.users.find(userId) as UserRow;
  }

  return {
    /** Why nothing is taken from this user now, if so. */
    refusalFor(userId: string): Refusal | undefined {
      const because = store.users.find(userId)?.pausedBecause;
      return because === undefined
        ? undefined
        : {
            refused: 'requester_paused',
            detail: `Requests of ${userId} are paused: ${because}. The person can resume them at the dashboard.`,
            retryAfterSeconds: 60,
          };
    },
    /** Allowed actions that have not been sent are called off, too. */
    pause(userId: string, because: string): UserRow | Refusal {
      const callOff = callOffs.prepare({ because: 'requester_paused', userId });
      const paused = change(userId, 'requester.paused', (atMs) => {
        store.users.pause(userId, atMs, because);
        callOff.note();
      });
      if (!isRefusal(paused)) callOff.begin();
      return paused;
    },
    resume: (userId: string) => change(userId, 'requester.resumed', (atMs) => store.users.resume(userId, atMs)),
    /**
     * Why the latest answer of the person makes this user be paused, if it does. Equal prompts that the person met as one count once,
     * unless everything of a user was denied.
     */
    trips(userId: string, { deniedAll }: { deniedAll: boolean }): string | undefined {
      const { latestAnswers, latestDecisions } = store.confirmations;
      const since = store.users.find(userId)?.denialsCountFromMs ?? 0;
      return breakerReason((deniedAll ? latestAnswers : latestDecisions)(userId, since, OF_LAST));
    },
    /**
     * A fresh key that calls under this id must show from now on; answered once and kept as a digest only. The id may be one that
     * nobody has used yet, so that no other program can be the first to use it.
     */
    createKey(userId: string): { key: string } {
      const key = randomBytes(32).toString('base64url');
      const atMs = clock.nowMs();
      store.write('durable', () => {
        store.users.see(userId, atMs);
        store.users.setKeyHash(userId, hash('sha256', key));
        store.journal.append(atMs, { kind: 'requester.key_created', userId });
      });
      return { key };
    },
    removeKey: (userId: string) => change(userId, 'requester.key_removed', () => store.users.setKeyHash(userId, null)),
    /** Whether a call under this id may be believed: it needs no key, or showed the right one. */
    isGenuine(userId: string, key: string | undefined): boolean {
      const keyHash = store.users.find(userId)?.keyHash;
      if (keyHash === undefined) return true;
      return key !== undefined && timingSafeEqual(Buffer.from(keyHash, 'hex'), Buffer.from(hash('sha256', key), 'hex'));
    },
  };
}
