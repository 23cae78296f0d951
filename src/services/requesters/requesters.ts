import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Requester } from '../../contract/console-status.ts';
import { breakerReason, OF_LAST } from '../../domain/persons-answer.ts';
import type { PendingConfirmation } from '../../store/records/confirmations.ts';
import type { UserRow } from '../../store/records/users.ts';
import type { CallsOff } from '../call-off.ts';
import type { Context } from '../context.ts';
import type { Permissions } from '../permissions/permissions.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { timestamp } from '../steady-clock.ts';

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

const MOST_REMEMBERED = 10_000;

export type KnownRequesters = ReturnType<typeof createKnownRequesters>;

/**
 * A requester is known once the person has allowed one of its requests, gave it a key, or gave it a profile of its own. Made-up
 * user ids have none of that, so they cannot take the places reserved for known requesters. Age does not count: any program can
 * make up ids today and use them next month.
 */
export function createKnownRequesters({ store }: Context, { hasProfile }: { hasProfile(userId: string): boolean }) {
  const allowed = new Set<string>();

  function wasAllowed(userId: string): boolean {
    if (allowed.has(userId)) return true;
    const isAllowed = store.confirmations.hasAllowed(userId);
    if (isAllowed && allowed.size < MOST_REMEMBERED) allowed.add(userId);
    return isAllowed;
  }

  return {
    isKnown: (userId: string): boolean =>
      hasProfile(userId) || store.users.find(userId)?.keyHash !== undefined || wasAllowed(userId),
  };
}

const LISTED = 100;

export type RequesterList = ReturnType<typeof createRequesterList>;

type RequesterListParts = {
  permissions: Pick<Permissions, 'profileNameOf'>;
  /** The prompts that wait. */
  waiting(): PendingConfirmation[];
};

/** The requesters as the person sees them. */
export function createRequesterList({ store }: Context, { permissions, waiting }: RequesterListParts) {
  /** How many prompts of each user wait: read once for a whole list. */
  function waitingByUser(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { userId } of waiting()) counts.set(userId, (counts.get(userId) ?? 0) + 1);
    return counts;
  }

  function view(row: UserRow, counts: ReadonlyMap<string, number>): Requester {
    return {
      userId: row.id,
      knownSince: timestamp(row.firstSeenAtMs),
      profile: permissions.profileNameOf(row.id),
      hasKey: row.keyHash !== undefined,
      pausedBecause: row.pausedBecause ?? null,
      waiting: counts.get(row.id) ?? 0,
    };
  }

  return {
    /** The requesters that wait or are paused, and the latest to appear: made-up ids must not hide the others. */
    list(): Requester[] {
      const counts = waitingByUser();
      const asking = [...counts.keys()].flatMap((userId) => store.users.find(userId) ?? []);
      const rows = [...store.users.paused(LISTED), ...asking, ...store.users.list(LISTED)];
      return [...new Map(rows.map((row) => [row.id, row])).values()].map((row) => view(row, counts));
    },
    /** A requester after a change, or why there was none. */
    view: (row: UserRow | Refusal): Requester | Refusal => (isRefusal(row) ? row : view(row, waitingByUser())),
  };
}

/** The part beyond each shared limit that is reserved for requesters the person knows. */
const RESERVED = 1 / 4; // guard A12-2

/**
 * How many a requester may find taken before it is refused. Made-up ids can fill a shared limit; the places beyond it are left for
 * known requesters.
 */
export function limitFor(isKnown: boolean, inAll: number): number {
  return isKnown ? inAll + Math.floor(inAll * RESERVED) : inAll;
}
