import { randomBytes } from 'node:crypto';
import type { ConsoleStatus, Requester } from '../../src/contract/console.ts';
import type { Profile, ProfileList } from '../../src/contract/profile.ts';
import { BUILT_IN_PROFILES } from '../../src/domain/profile.ts';
import { newRequester } from './made-up.ts';
import { refused, type ScriptedConsole, type Tell } from './scripted-daemon.ts';

type People = Pick<
  ScriptedConsole,
  | 'userKeys'
  | 'profiles'
  | 'putProfile'
  | 'removeProfile'
  | 'assignProfile'
  | 'createUserKey'
  | 'removeUserKey'
  | 'pauseUser'
  | 'resumeUser'
>;
type Standing = { status(): ConsoleStatus; set(part: Partial<ConsoleStatus>): ConsoleStatus };

/** The requesters of a scripted daemon, with their keys and profiles. */
export function createScriptedPeople(tell: Tell, { status, set }: Standing): People {
  const userKeys: string[] = [];
  const assignments = new Map<string, string>();
  let custom: Profile[] = [];

  const setRequester = (userId: string, part: Partial<Requester>): Requester => {
    const { requesters } = status();
    const requester = { ...(requesters.find((one) => one.userId === userId) ?? newRequester(userId)), ...part };
    const others = requesters.filter((one) => one.userId !== userId);
    set({ requesters: [...others, requester].toSorted((one, other) => one.userId.localeCompare(other.userId)) });
    return requester;
  };
  const setProfiles = (next: Profile[]) => {
    custom = next;
    tell('profile.changed');
  };
  const profiles = (): ProfileList => ({
    items: [
      ...BUILT_IN_PROFILES.map((profile) => ({ ...profile, builtIn: true })),
      ...custom.map((profile) => ({ ...profile, builtIn: false })),
    ],
    assignments: [...assignments].map(([userId, profile]) => ({ userId, profile })),
  });

  return {
    userKeys,
    profiles,
    putProfile(profile) {
      setProfiles([...custom.filter(({ name }) => name !== profile.name), profile]);
      return profiles();
    },
    removeProfile(name) {
      setProfiles(custom.filter((profile) => profile.name !== name));
      return profiles();
    },
    assignProfile(userId, profile) {
      if (!profiles().items.some(({ name }) => name === profile)) {
        return refused('validation_failed', `There is no profile "${profile}".`);
      }
      assignments.set(userId, profile);
      tell('profile.assigned');
      return profiles();
    },
    createUserKey(userId) {
      const key = randomBytes(32).toString('base64url');
      userKeys.push(key);
      setRequester(userId, { hasKey: true });
      return { key };
    },
    removeUserKey: (userId) => setRequester(userId, { hasKey: false }),
    pauseUser: (userId) => setRequester(userId, { pausedBecause: 'you said so' }),
    resumeUser: (userId) => setRequester(userId, { pausedBecause: null }),
  };
}
