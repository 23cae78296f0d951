import type { Reply } from '../../../src/client/call.ts';
import type { ConsoleClient } from '../../../src/client/console-client.ts';
import type { ConsoleSession } from '../../../src/contract/session.ts';
import type { Notices } from '../notices.ts';
import { createObservable, type Observable } from '../observable.ts';

const LOAD_EVERY_MS = 5_000;

export type SessionList = Observable<readonly ConsoleSession[]> & {
  /** Keeps the list up to date until the answered function is called. */
  watch(): () => void;
  end(sessionId: string): Promise<void>;
  endOthers(): Promise<void>;
};

type Client = Pick<ConsoleClient, 'sessions' | 'endSession' | 'endOtherSessions'>;

/** The signed-in pages. They are loaded only while somebody looks at them. */
export function createSessionList(client: Client, notices: Notices): SessionList {
  const state = createObservable<readonly ConsoleSession[]>([]);

  async function load(): Promise<void> {
    const answer = await client.sessions();
    if (answer.ok) state.set(answer.value.items);
  }

  async function act(call: Promise<Reply<unknown>>, doneText: string): Promise<void> {
    notices.outcome(await call, doneText);
    await load();
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    watch() {
      void load();
      const timer = setInterval(() => void load(), LOAD_EVERY_MS);
      return () => clearInterval(timer);
    },
    end: (sessionId) => act(client.endSession(sessionId), 'That page is signed out.'),
    endOthers: () => act(client.endOtherSessions(), 'All other pages are signed out.'),
  };
}
