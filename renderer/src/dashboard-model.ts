import type { Failure, Reply } from '../../src/client/call.ts';
import { type ConsoleClient, createConsoleClient } from '../../src/client/console-client.ts';
import type { GuardianDashboard } from '../../src/contract/risk.ts';
import type { ShellBridge } from '../../src/contract/shell.ts';
import { createAnnouncer, playCall, showNotification } from './calls/announcer.ts';
import { createFirstCalls, type FirstCalls } from './connect/first-calls.ts';
import { createDesk, type Desk } from './desk.ts';
import { createFeed, type Feed } from './feed/feed.ts';
import { createWatch, type Watch } from './guardian/watch.ts';
import { createNotices, type Notices } from './notices.ts';
import { createObservable, type Observable } from './observable.ts';
import { placeOf } from './pages.ts';
import type { PreferenceStore } from './preferences.ts';
import { createExpiredRequests, createOutcomes, type ExpiredRequests, type Outcomes } from './prompt/outcomes.ts';
import { createSessionList, type SessionList } from './session/session-list.ts';

/** The parts that a signed-in page works with. */
export type DashboardModel = {
  client: ConsoleClient;
  feed: Feed;
  notices: Notices;
  attention: Observable<boolean>;
  desk: Desk;
  outcomes: Outcomes;
  expired: ExpiredRequests;
  firstCalls: FirstCalls;
  preferences: PreferenceStore;
  sessions: SessionList;
  guardian: GuardianWatch;
  /** The calls to the Mac app around the page; undefined in a browser. */
  app: ShellBridge | undefined;
  /** Makes a call, says what became of it (where that does not show by itself), and loads anew. */
  act(call: Promise<Reply<unknown>>, doneText?: string): Promise<void>;
  /** Keeps up with the daemon until the answered function is called. */
  open(): () => void;
};

type DashboardModelOptions = {
  window: Window;
  fetch: typeof globalThis.fetch;
  key: string;
  preferences: PreferenceStore;
  /** The risk, where it is known already. */
  risk: GuardianDashboard | undefined;
  onSessionLost: (failure: Failure) => void;
};

export function createDashboardModel({
  window,
  fetch,
  key,
  preferences,
  risk,
  onSessionLost,
}: DashboardModelOptions): DashboardModel {
  const client = createConsoleClient({ fetch, key, onSessionLost });
  const notices = createNotices();
  const feed = createFeed(client, ({ insightId, title }) =>
    notices.news(title, () => void client.acknowledgeInsight(insightId)),
  );
  const attention = createAttention(window);
  const outcomes = createOutcomes({ client, feed, now: Date.now });
  const expired = createExpiredRequests({ client, feed, storage: window.localStorage, now: Date.now });
  const firstCalls = createFirstCalls({ feed });
  const desk = createDesk({ feed, attention, client, outcomes, notices, now: Date.now });
  const guardian = createGuardianWatch(client, feed, risk);
  const { hash } = window.location;
  const isOverview = placeOf(hash.slice(1)).page === 'overview';
  // The overview is nothing without it, so it is asked for before the page is drawn.
  if (risk === undefined && isOverview && !window.document.hidden) void guardian.load();
  return {
    client,
    feed,
    notices,
    attention,
    desk,
    outcomes,
    expired,
    firstCalls,
    preferences,
    sessions: createSessionList(client, notices),
    guardian,
    app: window.handrailShell,
    async act(call, doneText) {
      const answer = await call;
      const say = () => notices.outcome(answer, doneText);
      say();
      await feed.refresh();
      // The refresh may have noticed that the prompt is gone. That is no problem, since this call ended it, so the outcome
      // is shown again. A later outcome stays.
      if (doneText !== undefined && notices.get()?.tone === 'problem') say();
    },
    open() {
      const closed = new AbortController();
      const stopCalls = createAnnouncer({ feed, preferences, attention, play: playCall, notify: showNotification });
      const stopUpdates = outcomes.watch();
      const stopExpired = expired.watch();
      const stopFirstCalls = firstCalls.watch();
      void feed.follow(closed.signal);
      return () => {
        closed.abort();
        stopCalls();
        stopUpdates();
        stopExpired();
        stopFirstCalls();
        desk.stop();
      };
    },
  };
}

type GuardianWatch = Watch<GuardianDashboard>;

/** Guardian's answer for the last day. It is kept when the person goes to another page, and loaded only while one shows it. */
function createGuardianWatch(
  client: Pick<ConsoleClient, 'guardian'>,
  feed: Pick<Feed, 'subscribe'>,
  known?: GuardianDashboard,
): GuardianWatch {
  return createWatch({ load: client.guardian, feed, isHidden: () => document.hidden, known });
}

type Watched = Pick<Window, 'addEventListener' | 'document'>;

/** Whether a person can see the page and their keys go to it. */
function createAttention(window: Watched): Observable<boolean> {
  const { document } = window;
  const isAttended = () => document.visibilityState === 'visible' && document.hasFocus();
  const attention = createObservable(isAttended());
  const look = () => attention.set(isAttended());
  window.addEventListener('focus', look);
  window.addEventListener('blur', () => attention.set(false));
  document.addEventListener('visibilitychange', look);
  return attention;
}
