import { useEffect, useState } from 'react';
import type { Failure, Reply } from '../../src/client/call.ts';
import type { DashboardModel } from './dashboard-model.ts';
import { createObservable } from './observable.ts';
import { useObservable } from './use-observable.ts';
import { createThrottled } from './wire/throttle.ts';

/** The latest value, and the failure of the latest call if it failed. */
export type Loaded<Value> = { value: Value | undefined; failure: Failure | undefined };

const LOAD_GAP_MS = 500;

/**
 * Loads something when the component appears and again after every change that the daemon tells of. The answered `reload` loads
 * it at once.
 */
export function useLoaded<Value>(
  model: Pick<DashboardModel, 'feed'>,
  load: () => Promise<Reply<Value>>,
): Loaded<Value> & { reload: () => Promise<void> } {
  const [loader] = useState(() => createLoader(load));
  useEffect(() => {
    void loader.reload();
    return model.feed.subscribe(() => void loader.reload());
  }, [loader, model]);
  return { ...useObservable(loader), reload: loader.reload };
}

function createLoader<Value>(load: () => Promise<Reply<Value>>) {
  const state = createObservable<Loaded<Value>>({ value: undefined, failure: undefined });
  const reload = createThrottled(async () => {
    const answer = await load();
    if (answer.ok) state.set({ value: answer.value, failure: undefined });
    else state.set({ value: state.get().value, failure: answer.failure });
  }, LOAD_GAP_MS);
  return { get: state.get, subscribe: state.subscribe, reload };
}
