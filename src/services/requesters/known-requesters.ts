import type { Context } from '../context.ts';

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
