import type { Session } from '../../../src/contract/console.ts';
import { createObservable, type Observable } from '../observable.ts';
import type { Answer, Failure } from '../wire/answer.ts';

/** Whether a person is signed in on this page. `notice` says why not, if there is something to say. */
export type SessionState =
  | { state: 'signed out'; notice: string | undefined }
  | { state: 'signing in' }
  | { state: 'signed in'; key: string };

export type PageSession = Observable<SessionState> & {
  signIn(code: string): Promise<void>;
  /** The daemon no longer knows the key. */
  lost(): void;
};

const STORAGE_KEY = 'handrail-session';

/** The session of this page. The key lives in session storage: it ends with the tab, and no other origin sees it. */
export function createSession(options: {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  exchange: (code: string) => Promise<Answer<Session>>;
}): PageSession {
  const { storage, exchange } = options;
  const state = createObservable<SessionState>(stored(storage.getItem(STORAGE_KEY)));
  return {
    get: state.get,
    subscribe: state.subscribe,
    async signIn(code) {
      state.set({ state: 'signing in' });
      const answer = await exchange(code);
      if (answer.ok) {
        storage.setItem(STORAGE_KEY, answer.value.key);
        state.set({ state: 'signed in', key: answer.value.key });
      } else {
        storage.removeItem(STORAGE_KEY);
        state.set({ state: 'signed out', notice: noticeOf(answer.failure) });
      }
    },
    lost() {
      storage.removeItem(STORAGE_KEY);
      const notice = 'Your session has ended: Handrail was restarted, or nobody was here for a long time.';
      if (state.get().state === 'signed in') state.set({ state: 'signed out', notice });
    },
  };
}

function stored(key: string | null): SessionState {
  return key === null ? { state: 'signed out', notice: undefined } : { state: 'signed in', key };
}

function noticeOf({ code, detail, retryAfterSeconds }: Failure): string {
  switch (code) {
    case 'console_session_required':
      return 'That code does not work: it was used already, is older than ten minutes, or has a typing error.';
    case 'rate_limited':
      return `Too many wrong codes. Wait ${waitWords(retryAfterSeconds)}, then use a fresh one.`;
    case 'unreachable':
      return 'Handrail does not answer. Is it still running?';
    default:
      return detail;
  }
}

function waitWords(seconds = 60): string {
  return seconds >= 60 ? 'a minute' : `${seconds} seconds`;
}
