import { randomUUID } from 'node:crypto';
import type { ConsoleService } from '../../src/services/offered-services.ts';
import { refused } from './refused.ts';

/** The code that signs in once. */
export const ONE_USE_CODE = '7KQF-3XWA';

export type FakeSessions = {
  sessions: ConsoleService['sessions'];
  codes: Set<string>;
  /** How many codes were sent, right or wrong. */
  attempts(): number;
  /** How many sessions there are. */
  sessionCount(): number;
  /** Ends every session, as a restart of the daemon does. */
  forgetSessions(): void;
};

/** The sign-in of a daemon, in memory. `signedIn`: the key of a session that the code has opened already. */
export function createFakeSessions(signedIn?: string): FakeSessions {
  const keys = new Map<string, AbortController>();
  const codes = new Set([ONE_USE_CODE]);
  let wrongCodes = 0;
  let attempts = 0;
  if (signedIn !== undefined) {
    codes.delete(ONE_USE_CODE);
    keys.set(signedIn, new AbortController());
  }

  return {
    codes,
    sessions: {
      open(code) {
        attempts += 1;
        if (!codes.delete(code)) {
          if (wrongCodes >= 5) return { ...refused('rate_limited', 'Five wrong codes.'), retryAfterSeconds: 60 };
          wrongCodes += 1;
          return refused('console_session_required', 'The code is wrong, used or old.');
        }
        const key = randomUUID();
        keys.set(key, new AbortController());
        return { key, expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
      },
      close(key) {
        keys.get(key)?.abort();
        keys.delete(key);
      },
      isOpen: (key) => keys.has(key),
      proofFault: () => undefined,
      shownIn: () => undefined,
      wasOpen: (key) => keys.has(key),
      whyEnded: () => undefined,
      signal: (key) => keys.get(key)?.signal ?? AbortSignal.abort(),
      createCodeIn: () => 'FRESH-CODE',
      list: () => [],
      endById: () => refused('not_found', 'There is no such session.'),
      endOthers: () => 0,
    },
    attempts: () => attempts,
    sessionCount: () => keys.size,
    forgetSessions: () => keys.clear(),
  };
}
