import { unlessStopped } from './stopping.ts';

export type Turn<Result> = { key: string; signal: AbortSignal; work(): Promise<Result> };

/** Lets work wait for the work given before under the same key. Answers `null` when it was stopped before its turn. */
export type Turns = <Result>(turn: Turn<Result>) => Promise<Result | null>;

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return async ({ key, signal, work }) => {
    const before = last.get(key) ?? Promise.resolve();
    const done = Promise.withResolvers<void>();
    const mine = before.then(() => done.promise);
    last.set(key, mine);
    try {
      await unlessStopped(before, signal);
      return signal.aborted ? null : await work();
    } finally {
      done.resolve();
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
