import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Failure, Reply } from '../../src/client/call.ts';
import type { DashboardModel } from './dashboard-model.ts';
import { createObservable, type Observable } from './observable.ts';
import { createThrottled } from './wire/throttle.ts';

/** The latest value, and the failure of the latest call if it failed. */
type Loaded<Value> = { value: Value | undefined; failure: Failure | undefined };

const LOAD_GAP_MS = 500;

export function useObservable<Value>({ get, subscribe }: Observable<Value>): Value {
  return useSyncExternalStore(subscribe, get);
}

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

/** Whether a media query such as `(width < 860px)` holds, also after the window changed. */
export function useMedia(query: string): boolean {
  const [list] = useState(() => window.matchMedia(query));
  const subscribe = useCallback(
    (onChange: () => void) => {
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [list],
  );
  return useSyncExternalStore(subscribe, () => list.matches);
}

/** The time of day in epoch milliseconds, as it is every `stepMs`. */
export function useNow(stepMs: number): number {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const timer = setInterval(onChange, stepMs / 4);
      return () => clearInterval(timer);
    },
    [stepMs],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / stepMs) * stepMs);
}
