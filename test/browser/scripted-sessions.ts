import { randomUUID } from 'node:crypto';
import { ONE_USE_CODE, refused, type ScriptedConsole } from './scripted-daemon.ts';

type Sessions = Pick<
  ScriptedConsole,
  | 'codes'
  | 'openSession'
  | 'closeSession'
  | 'isSession'
  | 'wasSession'
  | 'sessionSignal'
  | 'attempts'
  | 'sessionCount'
  | 'forgetSessions'
>;

/** The sign-in of a scripted daemon. */
export function createScriptedSessions(): Sessions {
  const keys = new Map<string, AbortController>();
  const codes = new Set([ONE_USE_CODE]);
  let wrongCodes = 0;
  let attempts = 0;

  return {
    codes,
    openSession(code) {
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
    closeSession(key) {
      keys.get(key)?.abort();
      keys.delete(key);
    },
    isSession: (key) => keys.has(key),
    wasSession: (key) => keys.has(key),
    sessionSignal: (key) => keys.get(key)?.signal ?? AbortSignal.abort(),
    attempts: () => attempts,
    sessionCount: () => keys.size,
    forgetSessions: () => keys.clear(),
  };
}
