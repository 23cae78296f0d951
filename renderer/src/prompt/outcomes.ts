import type { ConsoleClient } from '../../../src/client/console-client.ts';
import type { Action } from '../../../src/contract/action.ts';
import type { Confirmation } from '../../../src/contract/console.ts';
import type { StreamEvent } from '../../../src/contract/event.ts';
import type { Task } from '../../../src/contract/task.ts';
import { DENIAL_HELD_MS } from '../../../src/contract/times.ts';
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

const MOST = 5;
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
      state.set([added, ...others].slice(0, MOST));
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
