import type { ConsoleClient } from '../../../src/client/console-client.ts';
import type { Reply } from '../../../src/client/reply.ts';
import type { Action } from '../../../src/contract/action.ts';
import type { Confirmation } from '../../../src/contract/console.ts';
import { DENIAL_HELD_MS } from '../../../src/contract/denial.ts';
import type { Task } from '../../../src/contract/task.ts';
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
  /** Until when the denial can be undone. */
  undoUntilMs: number;
};

export type Outcomes = Observable<readonly Outcome[]> & {
  add(confirmation: Confirmation, answer: { decision: 'allow' | 'deny'; record: Action | Task }): void;
  remove(confirmationId: string): void;
  /** Keeps what has not ended up to date until the answered function is called. */
  watch(): () => void;
};

type Client = Pick<ConsoleClient, 'activityDetail' | 'task'>;

const MOST = 3;
const UPDATE_GAP_MS = 250;
/** The page stops to offer an undo a little before the daemon stops to take it. */
const MARGIN_MS = 500;

/** The latest answers of the person with their outcomes, the newest first. */
export function createOutcomes({ client, feed, now }: { client: Client; feed: Feed; now: () => number }): Outcomes {
  const state = createObservable<readonly Outcome[]>([]);

  async function updated(outcome: Outcome): Promise<Outcome> {
    const { record } = outcome;
    if (isOver(record)) return outcome;
    const answer = 'taskId' in record && 'steps' in record ? await client.task(record.taskId) : await actionOf(record);
    return answer.ok ? { ...outcome, record: answer.value } : outcome;
  }

  async function actionOf({ actionId }: Pick<Action, 'actionId'>): Promise<Reply<Action>> {
    const answer = await client.activityDetail(actionId);
    return answer.ok ? { ok: true, value: answer.value.action } : answer;
  }

  const update = createThrottled(async () => {
    const fresh = new Map((await Promise.all(state.get().map(updated))).map((one) => [one.confirmationId, one]));
    state.set(state.get().map((one) => fresh.get(one.confirmationId) ?? one));
  }, UPDATE_GAP_MS);

  return {
    get: state.get,
    subscribe: state.subscribe,
    add({ id: confirmationId, prompt, expiresAt }, { decision, record }) {
      const heldUntilMs = Math.min(now() + DENIAL_HELD_MS, Date.parse(expiresAt)) - MARGIN_MS;
      const undoUntilMs = decision === 'deny' ? heldUntilMs : 0;
      const { sentence } = prompt;
      const others = state.get().filter((one) => one.confirmationId !== confirmationId);
      // The daemon records an earlier denial of the same requester at once.
      const settled = others.map((one) => (isOfSame(one, prompt.requester.userId) ? { ...one, undoUntilMs: 0 } : one));
      state.set([{ confirmationId, sentence, decision, record, undoUntilMs }, ...settled].slice(0, MOST));
    },
    remove: (confirmationId) => state.set(state.get().filter((one) => one.confirmationId !== confirmationId)),
    watch: () => feed.subscribe(() => void (state.get().some(({ record }) => !isOver(record)) && update())),
  };
}

function isOfSame({ record }: Outcome, userId: string): boolean {
  return record.userId === userId;
}

/** Whether nothing more happens to an action or a task by itself. */
export function isOver(record: Action | Task): boolean {
  return record.finishedAt !== undefined || record.status === 'success' || record.status === 'denied';
}
