import type { Requester } from '../../../src/contract/console-status.ts';
import type { ProfileList } from '../../../src/contract/profile.ts';

/** The user id that stands for everybody without a profile of their own. */
export const EVERYBODY_ELSE = '*';

/** The profile that the daemon applies to everybody until the person chooses another. */
const UNLESS_SAID = 'assist';

/** One line of the list: a profile that applies to a user. `requester` is absent for a user without recent requests. */
export type PersonRow = {
  userId: string;
  requester?: Requester;
  profile: string;
  /** `own`: chosen for this user; `shared`: the one for everybody else. */
  assignment: 'own' | 'shared';
};

/** Everybody else first, then recent requesters, then other users with a profile. */
export function personRows(requesters: readonly Requester[], { assignments }: ProfileList): PersonRow[] {
  const own = new Map(assignments.map(({ userId, profile }) => [userId, profile]));
  const shared = own.get(EVERYBODY_ELSE) ?? UNLESS_SAID;
  const asked = new Set(requesters.map(({ userId }) => userId));
  const silent = assignments.filter(({ userId }) => userId !== EVERYBODY_ELSE && !asked.has(userId));
  return [
    { userId: EVERYBODY_ELSE, profile: shared, assignment: 'own' },
    ...requesters.map((requester): PersonRow => {
      const profile = own.get(requester.userId);
      const { userId } = requester;
      return profile === undefined
        ? { userId, requester, profile: shared, assignment: 'shared' }
        : { userId, requester, profile, assignment: 'own' };
    }),
    ...silent.map(({ userId, profile }): PersonRow => ({ userId, profile, assignment: 'own' })),
  ];
}

/** The user ids that have asked, and those with a profile of their own. */
export function knownUsers(requesters: readonly Requester[], assignments: ProfileList['assignments']): string[] {
  const users = [...requesters, ...assignments].map(({ userId }) => userId);
  return [...new Set(users)].filter((userId) => userId !== EVERYBODY_ELSE);
}
