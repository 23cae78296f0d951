import type { Feed } from '../feed/feed.ts';
import type { Observable } from '../observable.ts';
import type { Preferences } from '../preferences.ts';

type Options = {
  feed: Pick<Feed, 'get' | 'subscribe'>;
  preferences: Observable<Preferences>;
  attention: Observable<boolean>;
  play: () => void;
  /** Shows a notification of the browser that opens the dashboard and answers nothing. */
  notify: () => void;
};

/**
 * Calls the person for a prompt once, by sound or notification where they chose it. The daemon decides when the person may be
 * called, at most 6 times a minute, and marks the prompt with `calledAt`. Answers with the function that stops it.
 */
export function createAnnouncer({ feed, preferences, attention, play, notify }: Options): () => void {
  let announced = new Set<string>();
  return feed.subscribe(() => {
    const called = feed.get().confirmations.filter(({ calledAt }) => calledAt !== undefined);
    const fresh = called.find(({ id }) => !announced.has(id));
    announced = new Set(called.map(({ id }) => id));
    if (fresh === undefined) return;
    const { sound, notifications } = preferences.get();
    if (sound) play();
    if (notifications && !attention.get()) notify();
  });
}
