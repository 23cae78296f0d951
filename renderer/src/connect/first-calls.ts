import type { Feed } from '../feed/feed.ts';
import { createObservable, type Observable } from '../observable.ts';

/** `arrived`: user ids of the requesters that called first while the card was open, in their order. */
export type FirstCallsState = { isOpen: boolean; arrived: readonly string[] };

/** The card that connects an agent, and the requesters that appear while it is open. */
export type FirstCalls = Observable<FirstCallsState> & {
  open(): void;
  close(): void;
  /** Looks for new requesters until the answered function is called. */
  watch(): () => void;
};

/**
 * The card is open at first for a person who has never had a requester, and otherwise when it is opened. It stays open until it
 * is closed, so that the names stay in sight after a prompt.
 */
export function createFirstCalls({ feed }: { feed: Pick<Feed, 'get' | 'subscribe'> }): FirstCalls {
  const state = createObservable<FirstCallsState>({ isOpen: false, arrived: [] });
  let isFirstLook = true;
  const known = new Set<string>();
  let newestMs = Number.NEGATIVE_INFINITY;

  function look(): void {
    const { status } = feed.get();
    if (status === undefined) return;
    // The daemon lists only some of very many requesters: an old one that comes into the list is known since before.
    const fresh = status.requesters
      .filter(({ userId, knownSince }) => !known.has(userId) && Date.parse(knownSince) >= newestMs)
      .toSorted((one, other) => Date.parse(one.knownSince) - Date.parse(other.knownSince));
    for (const { userId, knownSince } of status.requesters) {
      known.add(userId);
      newestMs = Math.max(newestMs, Date.parse(knownSince));
    }
    if (isFirstLook) {
      isFirstLook = false;
      if (known.size === 0) state.set({ isOpen: true, arrived: [] });
      return;
    }
    const { isOpen, arrived } = state.get();
    if (isOpen && fresh.length > 0) state.set({ isOpen, arrived: [...arrived, ...fresh.map(({ userId }) => userId)] });
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    open: () => state.set({ isOpen: true, arrived: [] }),
    close: () => state.set({ isOpen: false, arrived: [] }),
    watch() {
      look();
      return feed.subscribe(look);
    },
  };
}
