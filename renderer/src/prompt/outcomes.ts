import type { ConsoleClient } from '../../../src/client/console-client.ts';
import type { Reply } from '../../../src/client/reply.ts';
import type { Action } from '../../../src/contract/action.ts';
import type { Confirmation, Grant, GrantScope } from '../../../src/contract/console.ts';
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
  /** The ids of the equal prompts that got the same answer. */
  equal: readonly string[];
  /** Until when the denial can be undone. */
  undoUntilMs: number;
  /** The grant that the approval gave, until it is revoked. */
  grant?: Grant;
};

type Answer = Pick<Outcome, 'decision' | 'record' | 'equal'> & { scope: GrantScope };

export type Outcomes = Observable<readonly Outcome[]> & {
  add(confirmation: Confirmation, answer: Answer): void;
  remove(confirmationId: string): void;
  /** Ends the grant that an approval gave. */
  revoke(outcome: Outcome): Promise<Reply<undefined>>;
  /** Keeps what has not ended up to date until the answered function is called. */
  watch(): () => void;
};

type Client = Pick<ConsoleClient, 'activityDetail' | 'grants' | 'revoke' | 'task'>;

const MOST = 5;
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

  const change = (confirmationId: string, changed: (outcome: Outcome) => Outcome) =>
    state.set(state.get().map((one) => (one.confirmationId === confirmationId ? changed(one) : one)));

  /** Finds the grant that an approval has just given: the latest one for the same requester, type, device and span. */
  async function findGrant({ id, prompt }: Confirmation, { record, scope }: Answer): Promise<void> {
    const answer = await client.grants();
    if (!answer.ok || !('actionId' in record)) return;
    const [grant] = answer.value.items
      .filter(
        (each) =>
          each.userId === prompt.requester.userId &&
          each.actionType === record.actionType &&
          each.deviceId === record.targetDeviceId &&
          each.scope === scope,
      )
      .toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt));
    if (grant !== undefined) change(id, (outcome) => ({ ...outcome, grant }));
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    add(confirmation, answer) {
      const { id: confirmationId, prompt, expiresAt } = confirmation;
      const { decision, record, equal, scope } = answer;
      const heldUntilMs = Math.min(now() + DENIAL_HELD_MS, Date.parse(expiresAt)) - MARGIN_MS;
      const undoUntilMs = decision === 'deny' ? heldUntilMs : 0;
      const { sentence } = prompt;
      const others = state.get().filter((one) => one.confirmationId !== confirmationId);
      state.set([{ confirmationId, sentence, decision, record, equal, undoUntilMs }, ...others].slice(0, MOST));
      if (decision === 'allow' && scope !== 'once') void findGrant(confirmation, answer);
    },
    async revoke({ confirmationId, grant }) {
      if (grant === undefined) return { ok: true, value: undefined };
      const answer = await client.revoke(grant.id);
      if (answer.ok) change(confirmationId, ({ grant: _grant, ...outcome }) => outcome);
      return answer;
    },
    remove: (confirmationId) => state.set(state.get().filter((one) => one.confirmationId !== confirmationId)),
    watch: () => feed.subscribe(() => void (state.get().some(({ record }) => !isOver(record)) && update())),
  };
}

/** Whether nothing more happens to an action or a task by itself. */
export function isOver(record: Action | Task): boolean {
  return record.finishedAt !== undefined || record.status === 'success' || record.status === 'denied';
}
