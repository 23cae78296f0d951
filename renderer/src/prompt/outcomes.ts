import type { ConsoleClient } from '../../../src/client/console-client.ts';
import type { Action } from '../../../src/contract/action.ts';
import type { Confirmation } from '../../../src/contract/console.ts';
import type { StreamEvent } from '../../../src/contract/event.ts';
import type { Task } from '../../../src/contract/task.ts';
import { DENIAL_HELD_MS, PROMPT_EXPIRY_MS } from '../../../src/contract/times.ts';
import { typeWords } from '../activity/activity-words.ts';
import type { Feed } from '../feed/feed.ts';
import { createObservable, type Observable } from '../observable.ts';
import { createThrottled } from '../wire/throttle.ts';

/** A request that the person answered on this page, and how it stands. Times are epoch milliseconds. */
export type Outcome = {
  confirmationId: string;
  /** The sentence of the prompt. */
  sentence: string;
  decision: 'allow' | 'deny';
  record: Action | Task;
  /** The ids of the equal prompts that got the same answer. */
  equal: readonly string[];
  /** Until when the denial can be undone. */
  undoUntilMs: number;
  answeredAtMs: number;
  /** Since when it has ended and is known to the end. */
  knownAtMs?: number;
  /** The ids of the grants that the approval gave. */
  grantIds: readonly string[];
};

/** `isLasting`: it is an approval that gives a grant. */
type Answer = Pick<Outcome, 'decision' | 'record' | 'equal'> & { isLasting: boolean };

export type Outcomes = Observable<readonly Outcome[]> & {
  add(confirmation: Confirmation, answer: Answer): void;
  remove(confirmationId: string): void;
  /** Keeps what has not ended up to date until the answered function is called. */
  watch(): () => void;
};

type Client = Pick<ConsoleClient, 'activityDetail' | 'task'>;

const MOST_OUTCOMES = 5;
const UPDATE_GAP_MS = 250;
/** The page stops to offer an undo a little before the daemon stops to take it. */
const MARGIN_MS = 500;

/** The latest answers of the person with their outcomes, the newest first. */
export function createOutcomes({ client, feed, now }: { client: Client; feed: Feed; now: () => number }): Outcomes {
  const state = createObservable<readonly Outcome[]>([]);

  const knownOnce = (isKnown: boolean) => (isKnown ? { knownAtMs: now() } : {});

  async function updated(outcome: Outcome): Promise<Outcome> {
    const { record, knownAtMs } = outcome;
    if (knownAtMs !== undefined) return outcome;
    if ('steps' in record) {
      const answer = await client.task(record.taskId);
      return answer.ok ? { ...outcome, record: answer.value, ...knownOnce(isOver(answer.value)) } : outcome;
    }
    const answer = await client.activityDetail(record.actionId);
    if (!answer.ok) return outcome;
    const { action, journal } = answer.value;
    return { ...outcome, record: action, ...knownOnce(isOver(action)), grantIds: grantIdsIn(journal) };
  }

  const update = createThrottled(async () => {
    const fresh = new Map((await Promise.all(state.get().map(updated))).map((one) => [one.confirmationId, one]));
    state.set(state.get().map((one) => fresh.get(one.confirmationId) ?? one));
  }, UPDATE_GAP_MS);

  return {
    get: state.get,
    subscribe: state.subscribe,
    add({ id: confirmationId, prompt: { sentence }, expiresAt }, { decision, record, equal, isLasting }) {
      const heldUntilMs = Math.min(now() + DENIAL_HELD_MS, Date.parse(expiresAt)) - MARGIN_MS;
      const undoUntilMs = decision === 'deny' ? heldUntilMs : 0;
      const known = { answeredAtMs: now(), ...knownOnce(isOver(record) && !isLasting) };
      const added = { confirmationId, sentence, decision, record, equal, undoUntilMs, ...known, grantIds: [] };
      const others = state.get().filter((one) => one.confirmationId !== confirmationId);
      state.set([added, ...others].slice(0, MOST_OUTCOMES));
      if (isLasting) void update();
    },
    remove: (confirmationId) => state.set(state.get().filter((one) => one.confirmationId !== confirmationId)),
    watch: () => feed.subscribe(() => void (state.get().some(({ knownAtMs }) => knownAtMs === undefined) && update())),
  };
}

/** How long the card of an answer stays after the request has ended. */
const STAYS_MS = 60_000;

/** Whether the page still shows the card of an answer. */
export function isShownStill({ knownAtMs }: Pick<Outcome, 'knownAtMs'>, nowMs: number): boolean {
  return knownAtMs === undefined || nowMs - knownAtMs < STAYS_MS;
}

/** Whether nothing more happens to an action or a task by itself. */
function isOver(record: Action | Task): boolean {
  return record.finishedAt !== undefined || record.status === 'success' || record.status === 'denied';
}

/** Access to apps is given once its action has succeeded, every other grant with the approval. */
function grantIdsIn(journal: readonly StreamEvent[]): string[] {
  return journal.flatMap(({ kind, metadata: { grantId } }) =>
    kind === 'grant.created' && typeof grantId === 'string' ? [grantId] : [],
  );
}

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
const MOST_EXPIRED = 50;

/** The requests that nobody answered in time, the latest first, until the person has looked at them. */
export function createExpiredRequests({ client, feed, storage, now }: Options): ExpiredRequests {
  const state = createObservable<readonly Expired[]>([]);
  const add = (found: readonly Expired[]) => {
    if (found.length > 0) state.set([...found, ...state.get()].toSorted(latestFirst).slice(0, MOST_EXPIRED));
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
    const answer = await client.activity(`status=expired&limit=${MOST_EXPIRED}&since=${since}`);
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
