import type { Confirmation, Decision } from '../../src/contract/console.ts';
import type { Feed } from './feed/feed.ts';
import type { Notices } from './notices.ts';
import { createObservable, type Observable } from './observable.ts';
import { chosen } from './prompt/urgency.ts';
import type { ConsoleClient } from './wire/console-client.ts';

/** The prompt that lies before the person, and whether their answer to it is on its way. */
export type DeskState = { prompt: Confirmation | undefined; isAnswering: boolean };

export type PersonAnswer = Pick<Decision, 'decision' | 'scope' | 'presence'>;

export type Desk = Observable<DeskState> & {
  answer(confirmation: Confirmation, answer: PersonAnswer): Promise<void>;
  /** Stops watching. */
  stop(): void;
};

type Options = {
  feed: Feed;
  attention: Observable<boolean>;
  client: Pick<ConsoleClient, 'decide'>;
  notices: Notices;
  now: () => number;
};

/** Lays one prompt at a time before the person, brings their answer to the daemon, and says what became of it. */
export function createDesk({ feed, attention, client, notices, now }: Options): Desk {
  const state = createObservable<DeskState>({ prompt: undefined, isAnswering: false });
  const answered = new Set<string>();

  function choose(): void {
    const { prompt: before, isAnswering } = state.get();
    const waiting = feed.get().confirmations.filter(({ id }) => !answered.has(id));
    const prompt = chosen(waiting, { atId: before?.id, isAttended: attention.get() });
    const isGone = before !== undefined && !answered.has(before.id) && !waiting.some(({ id }) => id === before.id);
    if (isGone) notices.problem(Date.parse(before.expiresAt) <= now() ? TIME_RAN_OUT : WITHDRAWN);
    if (prompt !== before) state.set({ prompt, isAnswering });
  }

  const stops = [feed.subscribe(choose), attention.subscribe(choose)];
  choose();
  return {
    get: state.get,
    subscribe: state.subscribe,
    async answer({ id, nonce, actionDigest, prompt }, answer) {
      if (state.get().isAnswering) return;
      state.set({ ...state.get(), isAnswering: true });
      const result = await client.decide(id, { ...answer, nonce, actionDigest });
      if (result.ok) answered.add(id);
      notices.outcome(result, `${answer.decision === 'allow' ? 'Allowed' : 'Denied'}: ${prompt.sentence}`);
      state.set({ ...state.get(), isAnswering: false });
      choose();
      await feed.refresh();
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}

const TIME_RAN_OUT = 'Time ran out, which means no. Nothing was done.';
const WITHDRAWN = 'That request was withdrawn, or answered elsewhere.';
