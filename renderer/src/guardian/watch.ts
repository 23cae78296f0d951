import type { Failure, Reply } from '../../../src/client/call.ts';
import { createObservable, type Observable } from '../observable.ts';

/** The latest answer. `failure`: why the latest load did not work; the answer before it stays. */
export type Watched<Value> = { value: Value | undefined; failure: Failure | undefined };

export type Watch<Value> = Observable<Watched<Value>> & {
  /** Keeps the answer up to date until the answered function is called. An answer that was asked for just now does to begin with. */
  watch(): () => void;
  load(): Promise<void>;
};

type Options<Value> = {
  load: () => Promise<Reply<Value>>;
  /** Tells of every change at the daemon. */
  feed: Pick<Observable<unknown>, 'subscribe'>;
  /** Whether nobody can see the page: then nothing is loaded. */
  isHidden: () => boolean;
  /** An answer that came just now. */
  known?: Value | undefined;
};

/** Events come in bursts, and charts change slowly: a burst costs one load. */
const LOAD_GAP_MS = 3_000;
/** Windows of time move on although nothing happens. */
const LOAD_AT_LEAST_EVERY_MS = 60_000;

/** An answer of the daemon that is loaded at first, after its events, and once a minute, but only while somebody looks. */
export function createWatch<Value>({ load, feed, isHidden, known }: Options<Value>): Watch<Value> {
  const state = createObservable<Watched<Value>>({ value: known, failure: undefined });
  let running: Promise<void> | undefined;
  let askedAtMs = known === undefined ? Number.NEGATIVE_INFINITY : Date.now();

  async function loadOnce(): Promise<void> {
    askedAtMs = Date.now();
    const answer = await load();
    const { value } = state.get();
    state.set(answer.ok ? { value: answer.value, failure: undefined } : { value, failure: answer.failure });
  }

  function loadNow(): Promise<void> {
    running ??= loadOnce().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    // A load that runs may have begun before the change that the caller knows of.
    load: async () => {
      await running;
      await loadNow();
    },
    watch() {
      let hasNews = true;
      let waitedMs = 0;
      const unsubscribe = feed.subscribe(() => {
        hasNews = true;
      });
      const look = () => {
        if (isHidden() || (!hasNews && waitedMs < LOAD_AT_LEAST_EVERY_MS)) {
          waitedMs += LOAD_GAP_MS;
          return;
        }
        [hasNews, waitedMs] = [false, 0];
        void loadNow();
      };
      if (Date.now() - askedAtMs >= LOAD_GAP_MS) look();
      const timer = setInterval(look, LOAD_GAP_MS);
      return () => {
        clearInterval(timer);
        unsubscribe();
      };
    },
  };
}
