import { hash, randomBytes } from 'node:crypto';
import type { Session } from '../contract/console.ts';
import type { JournalEvent } from '../store/journal.ts';
import type { Clock, Context } from './context.ts';
import type { Refusal } from './refusal.ts';
import { timestamp } from './timestamps.ts';

const CODE_LIFE_MS = 10 * 60_000;
const SESSION_IDLE_MS = 12 * 3_600_000;
const WRONG_CODES_A_MINUTE = 5;
const MADE_CODES_REMEMBERED = 100;
const PAST_KEYS = { name: 'consoleSessionDigests', most: 100 };

type LiveSession = { idleUntilMs: number; ended: AbortController };

export type ConsoleSessions = ReturnType<typeof createConsoleSessions>;

/**
 * Who sits at the dashboard. Codes and sessions live in memory only, as digests. The digests of the latest keys are also stored,
 * which opens nothing: a page that was open when the daemon was restarted shows a key that was once ours.
 */
export function createConsoleSessions({ store, clock }: Context) {
  const codes = createCodes(clock);
  const sessions = new Map<string, LiveSession>();
  let past = pastDigests(store);

  function journal(event: JournalEvent, also: () => void = () => undefined): void {
    store.write('relaxed', () => {
      store.journal.append(clock.nowMs(), event);
      also();
    });
  }

  function end(digest: string): void {
    const session = sessions.get(digest);
    sessions.delete(digest);
    session?.ended.abort();
  }

  /** Nobody may call for as long as a session is idle, and whoever listens to it must learn that it is over. */
  function endWhenIdle(digest: string, session: LiveSession): void {
    clock.after(session.idleUntilMs - clock.nowMs(), () => {
      if (clock.nowMs() >= session.idleUntilMs) end(digest);
      else if (sessions.has(digest)) endWhenIdle(digest, session);
    });
  }

  return {
    /** A fresh one-use code, valid for ten minutes; earlier unused ones end. */
    createCode: codes.create,
    open(code: string): Session | Refusal {
      const spent = codes.spend(code);
      if (spent === 'one wrong too many') return tooManyWrong;
      if (spent !== 'good') {
        journal({ kind: 'session.refused', metadata: spent === 'spent' ? { spent: true } : {} });
        return wrongCode;
      }
      const key = randomBytes(32).toString('base64url');
      const idleUntilMs = clock.nowMs() + SESSION_IDLE_MS;
      const session = { idleUntilMs, ended: new AbortController() };
      sessions.set(digestOf(key), session);
      endWhenIdle(digestOf(key), session);
      past = [...past, digestOf(key)].slice(-PAST_KEYS.most);
      journal({ kind: 'session.opened' }, () => store.settings.set(PAST_KEYS.name, past));
      return { key, expiresAt: timestamp(idleUntilMs) };
    },
    /** Whether a key is of a live session; using it keeps the session alive. */
    isOpen(key: string): boolean {
      const digest = digestOf(key);
      const session = sessions.get(digest);
      if (session === undefined) return false;
      if (clock.nowMs() >= session.idleUntilMs) {
        end(digest);
        return false;
      }
      session.idleUntilMs = clock.nowMs() + SESSION_IDLE_MS;
      return true;
    },
    /** Whether a key is, or was, of one of the latest sessions. */
    wasOpen: (key: string): boolean => past.includes(digestOf(key)),
    /** The person signs out: the key is good for nothing from here on. */
    close(key: string): void {
      end(digestOf(key));
      journal({ kind: 'session.closed' });
    },
    /** Aborts when the session of this key ends. */
    signal: (key: string): AbortSignal => sessions.get(digestOf(key))?.ended.signal ?? AbortSignal.abort(),
  };
}

const tooManyWrong: Refusal = {
  refused: 'rate_limited',
  detail:
    "This sign-in code is wrong too, after five within a minute. Press Enter in the daemon's terminal for a fresh one; it is taken at once.",
  retryAfterSeconds: 60,
};

const wrongCode: Refusal = {
  refused: 'console_session_required',
  detail:
    "The sign-in code is wrong, used or older than ten minutes. Press Enter in the daemon's terminal for a fresh one.",
};

/**
 * The one sign-in code that is good at a time. It is looked for first: nobody can keep the person out by sending wrong ones, of
 * which five a minute are judged. One that was good once is told from one that never was, for the latest of this run.
 */
function createCodes(clock: Clock) {
  const codes = new Map<string, { expiresAtMs: number }>();
  let made: string[] = [];
  let wrongAtMs: number[] = [];
  return {
    create(): string {
      const code = randomBytes(16).toString('base64url');
      made = [...made, digestOf(code)].slice(-MADE_CODES_REMEMBERED);
      codes.clear();
      codes.set(digestOf(code), { expiresAtMs: clock.nowMs() + CODE_LIFE_MS });
      return code;
    },
    spend(code: string): 'good' | 'spent' | 'wrong' | 'one wrong too many' {
      const found = codes.get(digestOf(code));
      codes.delete(digestOf(code));
      if (found !== undefined && clock.nowMs() < found.expiresAtMs) return 'good';
      wrongAtMs = wrongAtMs.filter((atMs) => clock.nowMs() - atMs < 60_000);
      if (wrongAtMs.length >= WRONG_CODES_A_MINUTE) return 'one wrong too many';
      wrongAtMs.push(clock.nowMs());
      return made.includes(digestOf(code)) ? 'spent' : 'wrong';
    },
  };
}

function pastDigests(store: Context['store']): string[] {
  const stored = store.settings.get(PAST_KEYS.name);
  return Array.isArray(stored) ? stored.filter((digest) => typeof digest === 'string') : [];
}

/** Looked up by digest, so that neither memory nor timing gives a secret away. */
function digestOf(secret: string): string {
  return hash('sha256', secret);
}
