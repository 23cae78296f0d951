import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';

/** Who reads Guardian's answers: the person at the dashboard, a user, or nobody in particular. */
export type Viewer = { kind: 'person' } | { kind: 'user'; userId: string } | { kind: 'nobody' };

const KEY = 'guardianPseudonymKey';
const MOST_REMEMBERED = 1_000;

/** The name a viewer gets to see for a user: their id for the person and themselves, for others always the same pseudonym. */
export function createNames({ store }: Context): (viewer: Viewer, userId: string) => string {
  let key: string | undefined;
  const pseudonyms = new Map<string, string>();
  return (viewer, userId) => {
    if (viewer.kind === 'person' || (viewer.kind === 'user' && viewer.userId === userId)) return userId;
    return pseudonyms.get(userId) ?? pseudonymOf(userId);
  };

  function pseudonymOf(userId: string): string {
    key ??= readOrCreateKey();
    const pseudonym = `user-${createHmac('sha256', key).update(userId).digest('hex').slice(0, 4)}`;
    if (pseudonyms.size >= MOST_REMEMBERED) pseudonyms.clear();
    pseudonyms.set(userId, pseudonym);
    return pseudonym;
  }

  function readOrCreateKey(): string {
    const stored = store.settings.get(KEY);
    if (typeof stored === 'string') return stored;
    const fresh = randomBytes(32).toString('hex');
    store.write('durable', () => store.settings.set(KEY, fresh));
    return fresh;
  }
}
