import { randomBytes } from 'node:crypto';
import type { ConsoleStatus, Requester } from '../../src/contract/console-status.ts';
import type { Profile, ProfileList } from '../../src/contract/profile.ts';
import { BUILT_IN_PROFILES } from '../../src/domain/profile.ts';
import { refused } from '../http/refused.ts';
import { newRequester } from './made-up.ts';
import type { ScriptedConsole, Tell } from './scripted-daemon.ts';

type People = Pick<ScriptedConsole, 'userKeys' | 'profiles' | 'requesters'>;
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
  const list = (): ProfileList => ({
    items: [
      ...BUILT_IN_PROFILES.map((profile) => ({ ...profile, builtIn: true })),
      ...custom.map((profile) => ({ ...profile, builtIn: false })),
    ],
    assignments: [...assignments].map(([userId, profile]) => ({ userId, profile })),
  });

  return {
    userKeys,
    profiles: {
      list,
      put(profile) {
        setProfiles([...custom.filter(({ name }) => name !== profile.name), profile]);
        return list();
      },
      remove(name) {
        setProfiles(custom.filter((profile) => profile.name !== name));
        return list();
      },
      assign(userId, profile) {
        if (!list().items.some(({ name }) => name === profile)) {
          return refused('validation_failed', `There is no profile "${profile}".`);
        }
        assignments.set(userId, profile);
        tell('profile.assigned');
        return list();
      },
    },
    requesters: {
      createKey(userId) {
        const key = randomBytes(32).toString('base64url');
        userKeys.push(key);
        setRequester(userId, { hasKey: true });
        return { key };
      },
      removeKey: (userId) => setRequester(userId, { hasKey: false }),
      pause: (userId) => setRequester(userId, { pausedBecause: 'you said so' }),
      resume: (userId) => setRequester(userId, { pausedBecause: null }),
    },
  };
}
