import { requestIdOf } from '../src/contract/link.ts';
import type { AttemptKey, ResultMessage } from './result-message.ts';

/** The answers of attempts, each from its end until the daemon acknowledges it. */
export function createKeptAnswers() {
  /** By request id. */
  const kept = new Map<string, { key: AttemptKey; answer: ResultMessage }>();
  /** Attempts whose outcome the daemon no longer needs. */
  const unwanted = new Set<string>();
  return {
    keys: (): AttemptKey[] => [...kept.values()].map(({ key }) => key),
    find: (key: AttemptKey): ResultMessage | undefined => kept.get(requestIdOf(key))?.answer,
    /** False, and nothing is kept, when the daemon no longer needs the answer. */
    keep(key: AttemptKey, answer: ResultMessage): boolean {
      const requestId = requestIdOf(key);
      if (unwanted.delete(requestId)) return false;
      kept.set(requestId, { key, answer });
      return true;
    },
    acknowledged: (key: AttemptKey): void => void kept.delete(requestIdOf(key)),
    /** Drops the answer, or the one to come: then it is true that the attempt has not ended. */
    forget(key: AttemptKey): boolean {
      const requestId = requestIdOf(key);
      if (kept.delete(requestId)) return false;
      unwanted.add(requestId);
      return true;
    },
  };
}
