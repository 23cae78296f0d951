import type { Profile, ProfileList } from '../contract/profile.ts';
import type { Reply } from './reply.ts';

type Send = <Value>(line: string, body?: object) => Promise<Reply<Value>>;

/** Calls about profiles and the requesters that they apply to. Each answers with all profiles. */
export function profileCalls(send: Send) {
  return {
    profiles: () => send<ProfileList>('GET /api/console/profiles'),
    /** Makes a profile, or changes the one with that name. */
    putProfile: (profile: Profile) => send<ProfileList>('PUT /api/console/profiles', profile),
    /** Removes a profile that applies to nobody. */
    removeProfile: (name: string) => send<ProfileList>(`DELETE /api/console/profiles/${encodeURIComponent(name)}`),
    /** Lets a profile apply to a user, or to `*`: everybody without one of their own. */
    assignProfile: (userId: string, profile: string) =>
      send<ProfileList>(`PUT /api/console/users/${encodeURIComponent(userId)}/profile`, { profile }),
  };
}
