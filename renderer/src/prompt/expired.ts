import type { ConsoleClient } from '../../../src/client/console-client.ts';
import { PROMPT_EXPIRY_MS } from '../../../src/contract/times.ts';
import { typeWords } from '../activity/activity-words.ts';
import type { Feed } from '../feed/feed.ts';
import { createObservable, type Observable } from '../observable.ts';

/** A request that expired without an answer. `atMs`: when, in epoch milliseconds. */
export type Expired = { id: string; userId: string; sentence: string; atMs: number };

export type ExpiredRequests = Observable<readonly Expired[]> & {
  /** The person has looked at the list: it becomes empty, here and on pages that are opened later. */
  close(): void;
  /** Loads those of the time before this page, and adds to them until the answered function is called. */
  watch(): () => void;
};

type Options = {
  client: Pick<ConsoleClient, 'activity'>;
  feed: Feed;
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  now: () => number;
};

const LOOKED_AT = 'handrail-expired-looked-at';
const AT_MOST_AGO_MS = 12 * 3_600_000;
/** The list of the activity is asked by when its requests came, which is up to this before they expire. */
const LONGEST_WAIT_MS = PROMPT_EXPIRY_MS.most;
const MOST = 50;

/** The requests that nobody answered in time, the latest first, until the person has looked at them. */
export function createExpiredRequests({ client, feed, storage, now }: Options): ExpiredRequests {
  const state = createObservable<readonly Expired[]>([]);
  const add = (found: readonly Expired[]) => {
    if (found.length > 0) state.set([...found, ...state.get()].toSorted(latestFirst).slice(0, MOST));
  };
  let waiting = feed.get().confirmations;

  function compare(): void {
    const { confirmations } = feed.get();
    const still = new Set(confirmations.map(({ id }) => id));
    const gone = waiting.filter(({ id, expiresAt }) => !still.has(id) && Date.parse(expiresAt) <= now());
    waiting = confirmations;
    add(
      gone.map(({ id, expiresAt, prompt: { requester, sentence } }) => {
        return { id, userId: requester.userId, sentence, atMs: Date.parse(expiresAt) };
      }),
    );
  }

  async function loadEarlier(): Promise<void> {
    const sinceMs = Math.max(now() - AT_MOST_AGO_MS, Number(storage.getItem(LOOKED_AT) ?? 0) || 0);
    const since = encodeURIComponent(new Date(sinceMs - LONGEST_WAIT_MS).toISOString());
    const answer = await client.activity(`status=expired&limit=${MOST}&since=${since}`);
    if (!answer.ok) return;
    const earlier = answer.value.items.map(({ actionId, actionType, userId, createdAt, finishedAt = createdAt }) => {
      return { id: actionId, userId, sentence: typeWords(actionType), atMs: Date.parse(finishedAt) };
    });
    add(earlier.filter(({ atMs }) => atMs >= sinceMs));
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    close() {
      storage.setItem(LOOKED_AT, String(now()));
      state.set([]);
    },
    watch() {
      void loadEarlier();
      return feed.subscribe(compare);
    },
  };
}

function latestFirst(one: Expired, other: Expired): number {
  return other.atMs - one.atMs;
}
