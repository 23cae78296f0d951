import type { Failure, Reply } from '../../../src/client/call.ts';
import type { Session } from '../../../src/contract/session.ts';
import { createObservable, type Observable } from '../observable.ts';
import { isOwnAddress } from '../pages.ts';
import { SESSION_KEY } from '../wire/early-answer.ts';

/** Whether a person is signed in on this page. `notice` says why not, if there is something to say. */
type SessionState =
  | { state: 'signed out'; notice: SessionNotice | undefined }
  | { state: 'signing in' }
  | { state: 'signed in'; key: string };

export type SessionNotice = { tone: 'done' | 'problem'; text: string };

export type PageSession = Observable<SessionState> & {
  signIn(code: string): Promise<void>;
  /** Signs in without a code, in a window of the Mac app; undefined in a browser. */
  signInHere: (() => Promise<void>) | undefined;
  /** Ends the session at the daemon and forgets its key, whether the daemon answers or not. */
  signOut(): Promise<void>;
  /** The daemon refuses the key. */
  lost(failure: Failure): void;
};

/** The session of this page. The key lives in session storage: it ends with the tab, and no other origin sees it. */
export function createSession(options: {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  exchange: (code: string) => Promise<Reply<Session>>;
  end: (key: string) => Promise<Reply<undefined>>;
  /** In a window of the Mac app: asks the app for a session. */
  openHere?: (() => Promise<Reply<Session>>) | undefined;
}): PageSession {
  const { storage, exchange, end, openHere } = options;
  const state = createObservable<SessionState>(stored(storage.getItem(SESSION_KEY)));
  let isLeaving = false;

  async function open(ask: () => Promise<Reply<Session>>): Promise<void> {
    // A second press must not send the code twice: the daemon would take it for a second program that has read it.
    if (state.get().state === 'signing in') return;
    state.set({ state: 'signing in' });
    const answer = await ask();
    if (answer.ok) {
      storage.setItem(SESSION_KEY, answer.value.key);
      state.set({ state: 'signed in', key: answer.value.key });
    } else {
      storage.removeItem(SESSION_KEY);
      state.set({ state: 'signed out', notice: problem(noticeOf(answer.failure)) });
    }
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    signIn: (code) => open(() => exchange(code)),
    signInHere: openHere === undefined ? undefined : () => open(openHere),
    async signOut() {
      const current = state.get();
      if (current.state !== 'signed in' || isLeaving) return;
      isLeaving = true;
      const answer = await end(current.key);
      isLeaving = false;
      storage.removeItem(SESSION_KEY);
      const isUnheard = !answer.ok && answer.failure.code === 'unreachable';
      state.set({ state: 'signed out', notice: isUnheard ? problem(LEFT_UNHEARD) : { tone: 'done', text: LEFT } });
    },
    lost({ reason, detail }) {
      // Calls that are under way while the person signs out are refused too, and that is no news.
      if (isLeaving) return;
      storage.removeItem(SESSION_KEY);
      const notice = problem(reason === undefined ? ENDED : detail);
      if (state.get().state === 'signed in') state.set({ state: 'signed out', notice });
    },
  };
}

const ENDED = 'Your session has ended: Handrail stopped, or this page was unused for twelve hours.';
const LEFT = 'You have signed out.';
const LEFT_UNHEARD = 'You have signed out here. Handrail did not answer, so it may not know yet.';

function problem(text: string): SessionNotice {
  return { tone: 'problem', text };
}

function stored(key: string | null): SessionState {
  return key === null ? { state: 'signed out', notice: undefined } : { state: 'signed in', key };
}

function noticeOf({ code, reason, detail }: Failure): string {
  if (reason !== undefined) return detail;
  switch (code) {
    case 'console_session_required':
      return 'Wrong code: it is mistyped, used, or older than ten minutes.';
    case 'rate_limited':
      return 'Too many wrong codes. A fresh one works at once.';
    case 'unreachable':
      return 'Handrail does not answer. Is it running?';
    default:
      return detail;
  }
}

type Place = { location: Pick<Location, 'hash'>; history: Pick<History, 'replaceState'> };

/**
 * Removes everything after `#` from the address, unless it leads to one of our pages. Otherwise a sign-in code that was pasted
 * there would stay in the address bar and the history.
 */
export function cleanAddress({ location, history }: Place): void {
  if (location.hash !== '' && !isOwnAddress(location.hash.slice(1))) history.replaceState(null, '', '/');
}
