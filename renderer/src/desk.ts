import type { ConsoleClient } from '../../src/client/console-client.ts';
import type { Confirmation, Decision, Prompt, QueuedConfirmation } from '../../src/contract/console.ts';
import type { Feed } from './feed/feed.ts';
import type { Notices } from './notices.ts';
import { createObservable, type Observable } from './observable.ts';
import type { Outcome, Outcomes } from './prompt/outcomes.ts';
import { givesGrant } from './prompt/scope-words.ts';
import { chosen } from './prompt/urgency.ts';

/** The prompt that lies before the person, and whether their answer to it is on its way. */
export type DeskState = { prompt: Confirmation | undefined; isAnswering: boolean };

export type PersonAnswer = Pick<Decision, 'decision' | 'scope' | 'presence' | 'access' | 'note'> & {
  /** The ids of equal prompts that get the same answer. */
  equal?: readonly string[];
  /** A folder that an approval allows from now on, too. */
  folder?: Prompt['folder'];
};

export type Desk = Observable<DeskState> & {
  /** A denial can be undone for a while. */
  answer(confirmation: Confirmation, answer: PersonAnswer): Promise<void>;
  /** Denies some of the prompts that wait, each by a decision of its own. */
  denyEach(rows: readonly QueuedConfirmation[]): Promise<void>;
  /** Takes a denial back: the request waits again. */
  undo(outcome: Pick<Outcome, 'confirmationId' | 'equal'>): Promise<void>;
  /** Stops watching. */
  stop(): void;
};

type Options = {
  feed: Feed;
  attention: Observable<boolean>;
  client: Pick<ConsoleClient, 'allowFolder' | 'decide' | 'undoDenial' | 'confirmation'>;
  outcomes: Pick<Outcomes, 'add' | 'remove'>;
  notices: Notices;
  now: () => number;
};

/** Lays one prompt at a time before the person, brings their answer to the daemon, and says what became of it. */
export function createDesk({ feed, attention, client, outcomes, notices, now }: Options): Desk {
  const state = createObservable<DeskState>({ prompt: undefined, isAnswering: false });
  const answered = new Set<string>();
  let fetching: string | undefined;

  /** Gets a prompt of which the list has a row only, and chooses anew: by then another one may be first. */
  async function fetchWhole({ id, actionDigest }: QueuedConfirmation): Promise<void> {
    if (fetching === id) return;
    fetching = id;
    const answer = await client.confirmation(id);
    fetching = undefined;
    if (answer.ok && answer.value.actionDigest === actionDigest) choose(answer.value);
  }

  function choose(fetched?: Confirmation): void {
    const { prompt: before, isAnswering } = state.get();
    const waiting = feed.get().confirmations.filter(({ id }) => !answered.has(id));
    const next = chosen(waiting, { atId: before?.id, isAttended: attention.get() });
    const prompt = next === undefined ? undefined : whole(next, [before, fetched]);
    if (next !== undefined && prompt === undefined) void fetchWhole(next);
    const isGone = before !== undefined && !answered.has(before.id) && !waiting.some(({ id }) => id === before.id);
    // A request that expired is listed by its name.
    if (isGone && Date.parse(before.expiresAt) > now()) notices.problem(WITHDRAWN);
    if (prompt !== before) state.set({ prompt, isAnswering });
  }

  async function answer(confirmation: Confirmation, given: PersonAnswer): Promise<void> {
    const { equal = [], folder, ...answer } = given;
    const { id, nonce, actionDigest } = confirmation;
    if (state.get().isAnswering) return;
    state.set({ ...state.get(), isAnswering: true });
    const undoable = answer.decision === 'deny' ? { undoable: true } : {};
    const others = equal.length === 0 ? {} : { equal: [...equal] };
    const result = await client.decide(id, { ...answer, ...undoable, ...others, nonce, actionDigest });
    if (result.ok) {
      for (const each of [id, ...equal]) answered.add(each);
      const { decision } = answer;
      outcomes.add(confirmation, {
        decision,
        equal,
        record: result.value,
        isLasting: givesGrant(confirmation, answer),
      });
    }
    notices.outcome(result);
    // The request itself was allowed first: with its folder allowed it would no longer wait for an answer.
    if (result.ok && folder !== undefined)
      notices.outcome(
        await client.allowFolder({ userId: confirmation.prompt.requester.userId, ...folder, isReal: true }),
      );
    state.set({ ...state.get(), isAnswering: false });
    choose();
    await feed.refresh();
  }

  const stops = [feed.subscribe(() => choose()), attention.subscribe(() => choose())];
  choose();
  return {
    get: state.get,
    subscribe: state.subscribe,
    async denyEach(rows) {
      for (const { id, actionDigest } of rows) {
        const found = await client.confirmation(id);
        if (!found.ok || found.value.actionDigest !== actionDigest) continue;
        await answer(found.value, { decision: 'deny', scope: 'once' });
      }
    },
    answer,
    async undo({ confirmationId, equal }) {
      const result = await client.undoDenial(confirmationId);
      for (const each of result.ok ? equal : []) if ((await client.undoDenial(each)).ok) answered.delete(each);
      if (result.ok) {
        answered.delete(confirmationId);
        outcomes.remove(confirmationId);
      }
      notices.outcome(result, 'Undone. The request waits for you again.');
      await feed.refresh();
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}

/** The complete prompt of a row: the row itself if complete, or a copy of the same prompt with the newer fields of the row. */
function whole(
  row: Confirmation | QueuedConfirmation,
  copies: readonly (Confirmation | undefined)[],
): Confirmation | undefined {
  if ('nonce' in row) return row;
  const copy = copies.find((one) => one?.id === row.id && one.actionDigest === row.actionDigest);
  if (copy === undefined) return undefined;
  const { place, waiting } = row.prompt;
  return { ...copy, ...row, prompt: { ...copy.prompt, place, waiting } };
}

const WITHDRAWN = 'The request was withdrawn, or answered elsewhere.';
