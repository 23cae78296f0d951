import type { Action } from '../contract/action.ts';
import { isRefusal, type Refusal } from '../services/refusal.ts';

/** An action of a call, and which of its steps it does. */
export type Begun = { index: number; action: Action; replayed: boolean };

type Standing = { index: number; actionId: string };

type Parts = {
  get(userId: string, actionId: string): Action | Refusal;
  nowMs(): number;
};

/** A later call wants the screen as it is then. */
const OUTCOME_LASTS_MS = 60_000;
/** More than there can be prompts at one time. */
const MOST_CALLS = 500;

/**
 * If a user repeats a call, the call finds the prompt of the earlier one, and for a minute its outcome. So no second prompt is made and
 * no outcome is lost.
 */
export function createStandingCalls({ get, nowMs }: Parts) {
  const standing = new Map<string, Standing>();
  const submitting = new Map<string, Promise<void>>();

  function find(key: string, userId: string): Begun | undefined {
    const known = standing.get(key);
    if (known === undefined) return undefined;
    const action = get(userId, known.actionId);
    if (!isRefusal(action) && isFresh(action)) return { index: known.index, action, replayed: false };
    standing.delete(key);
    return undefined;
  }

  function isFresh({ finishedAt }: Action): boolean {
    return finishedAt === undefined || nowMs() - Date.parse(finishedAt) < OUTCOME_LASTS_MS;
  }

  function keep(key: string, { index, action }: Begun): void {
    standing.delete(key);
    standing.set(key, { index, actionId: action.actionId });
    const [oldest] = standing.keys();
    if (standing.size > MOST_CALLS && oldest !== undefined) standing.delete(oldest);
  }

  return {
    /** The step at which an equal call stands, else the one that `submit` begins. Equal calls that come together make one prompt. */
    async begin(key: string, userId: string, submit: () => Promise<Begun | Refusal>): Promise<Begun | Refusal> {
      for (let other = submitting.get(key); other !== undefined; other = submitting.get(key)) await other;
      const known = find(key, userId);
      if (known !== undefined) return known;
      const { promise, resolve } = Promise.withResolvers<void>();
      submitting.set(key, promise);
      try {
        const begun = await submit();
        if (!isRefusal(begun) && begun.action.status === 'awaiting_confirmation') keep(key, begun);
        return begun;
      } finally {
        submitting.delete(key);
        resolve();
      }
    },
    /** The outcome of the call was given. */
    forget(key: string): void {
      standing.delete(key);
    },
    /** The call was answered without an outcome. */
    keep,
  };
}
