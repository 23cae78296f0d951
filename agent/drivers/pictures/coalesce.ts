import { unlessStopped } from '../stopping.ts';

/** Work that callers who ask for the same thing at the same time share. */
export type Coalesced<Result> = (
  request: { key: string; signal: AbortSignal },
  start: (signal: AbortSignal) => Promise<Result>,
) => Promise<Result | 'stopped'>;

type Shared<Result> = { result: Promise<Result>; waiting: number; abort: AbortController };

/**
 * Runs `start` once for all requests with the same key that arrive while it runs. A caller whose signal is aborted gets
 * `stopped` at once; the work is aborted when the last caller has stopped.
 */
export function createCoalesced<Result>(): Coalesced<Result> {
  const running = new Map<string, Shared<Result>>();

  function begin(key: string, start: (signal: AbortSignal) => Promise<Result>): Shared<Result> {
    const abort = new AbortController();
    const forget = () => {
      if (running.get(key)?.abort === abort) running.delete(key);
    };
    const shared = { result: start(abort.signal).finally(forget), waiting: 0, abort };
    running.set(key, shared);
    return shared;
  }

  return async ({ key, signal }, start) => {
    if (signal.aborted) return 'stopped';
    const shared = running.get(key) ?? begin(key, start);
    shared.waiting += 1;
    const outcome = await unlessStopped(shared.result, signal);
    shared.waiting -= 1;
    if (outcome === 'stopped' && shared.waiting === 0) {
      running.delete(key);
      shared.abort.abort(signal.reason);
      await shared.result.catch(() => undefined);
    }
    return outcome;
  };
}
