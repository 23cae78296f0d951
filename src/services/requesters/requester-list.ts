import type { Requester } from '../../contract/console-status.ts';
import type { PendingConfirmation } from '../../store/records/confirmations.ts';
import type { UserRow } from '../../store/records/users.ts';
import type { Context } from '../context.ts';
import type { Permissions } from '../permissions/permissions.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { timestamp } from '../timestamps.ts';

const LISTED = 100;

export type RequesterList = ReturnType<typeof createRequesterList>;

type Parts = {
  permissions: Pick<Permissions, 'profileNameOf'>;
  /** The prompts that wait. */
  waiting(): PendingConfirmation[];
};

/** The requesters as the person sees them. */
export function createRequesterList({ store }: Context, { permissions, waiting }: Parts) {
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
