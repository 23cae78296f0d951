import { createAttention } from './attention.ts';
import { createDesk, type Desk } from './desk.ts';
import { createFeed, type Feed } from './feed/feed.ts';
import { createNotices, type Notices } from './notices.ts';
import type { Observable } from './observable.ts';
import { createSessionList, type SessionList } from './session/session-list.ts';
import type { Answer, Failure } from './wire/answer.ts';
import { type ConsoleClient, createConsoleClient } from './wire/console-client.ts';

/** What a signed-in page works with. */
export type Room = {
  client: ConsoleClient;
  feed: Feed;
  notices: Notices;
  attention: Observable<boolean>;
  desk: Desk;
  sessions: SessionList;
  /** Makes a call, says what became of it (where that does not show by itself), and loads anew. */
  act(call: Promise<Answer<unknown>>, doneText?: string): Promise<void>;
  /** Keeps up with the daemon until the answered function is called. */
  open(): () => void;
};

export function createRoom(options: { window: Window; key: string; onSessionLost: (failure: Failure) => void }): Room {
  const { window, key, onSessionLost } = options;
  const client = createConsoleClient({ fetch: window.fetch.bind(window), key, onSessionLost });
  const notices = createNotices();
  const feed = createFeed(client, ({ insightId, title }) =>
    notices.news(title, () => void client.acknowledgeInsight(insightId)),
  );
  const attention = createAttention(window);
  const desk = createDesk({ feed, attention, client, notices, now: Date.now });
  return {
    client,
    feed,
    notices,
    attention,
    desk,
    sessions: createSessionList(client, notices),
    async act(call, doneText) {
      const answer = await call;
      const say = () => notices.outcome(answer, doneText);
      say();
      await feed.refresh();
      // Said again over a trouble: that a prompt has gone is none when this call took it away. What was done since stays said.
      if (doneText !== undefined && notices.get()?.tone === 'problem') say();
    },
    open() {
      const closed = new AbortController();
      void feed.follow(closed.signal);
      return () => {
        closed.abort();
        desk.stop();
      };
    },
  };
}
