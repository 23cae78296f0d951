import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { createRemembered } from './remembered.ts';

/** Who reads Guardian's answers: the person at the dashboard, a user, or nobody in particular. */
export type Viewer = { kind: 'person' } | { kind: 'user'; userId: string } | { kind: 'nobody' };

/**
 * Names of users and of their steps as a viewer may read them. The person and the user themselves read the real names; everybody
 * else reads pseudonyms, which stay the same in every answer.
 */
export type Names = {
  user(viewer: Viewer, userId: string): string;
  /** A step id is text of the requester's own, and may name a person or a project. */
  step(viewer: Viewer, userId: string, stepId: string): string;
};

const KEY = 'guardianPseudonymKey';
const MOST_REMEMBERED = 1_000;
/** Two of a task's 100 steps must not share a name: with 32 bits they do once in 900,000 tasks. */
const STEP_DIGITS = 8;

export function createNames({ store }: Context): Names {
  let key: string | undefined;
  const users = createRemembered<string, string>(MOST_REMEMBERED);
  const steps = createRemembered<string, string>(MOST_REMEMBERED);
  return {
    user: (viewer, userId) =>
      readsNamesOf(viewer, userId) ? userId : users(userId, () => `user-${digits(userId, 4)}`),
    step(viewer, userId, stepId) {
      // No user id holds a line feed, so no two pairs are the same text.
      const step = `${userId}\n${stepId}`; // guard E2-36
      return readsNamesOf(viewer, userId) ? stepId : steps(step, () => `step-${digits(step, STEP_DIGITS)}`);
    },
  };

  function digits(name: string, count: number): string {
    key ??= readOrCreateKey();
    return createHmac('sha256', key).update(name).digest('hex').slice(0, count);
  }

  function readOrCreateKey(): string {
    const stored = store.settings.get(KEY);
    if (typeof stored === 'string') return stored;
    const fresh = randomBytes(32).toString('hex');
    store.write('durable', () => store.settings.set(KEY, fresh));
    return fresh;
  }
}

function readsNamesOf(viewer: Viewer, userId: string): boolean {
  return viewer.kind === 'person' || (viewer.kind === 'user' && viewer.userId === userId);
}
