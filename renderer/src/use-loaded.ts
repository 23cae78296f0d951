import { useEffect, useState } from 'react';
import { createObservable } from './observable.ts';
import type { Room } from './room.ts';
import { useObservable } from './use-observable.ts';
import type { Answer, Failure } from './wire/answer.ts';
import { createCoalesced } from './wire/coalesce.ts';

/** The latest value, and the failure of the latest call if it failed. */
export type Loaded<Value> = { value: Value | undefined; failure: Failure | undefined };

const LOAD_GAP_MS = 500;

/**
 * Loads something when the component appears and again after every change that the daemon tells of. The answered `reload` loads
 * it at once.
 */
export function useLoaded<Value>(
  room: Pick<Room, 'feed'>,
  load: () => Promise<Answer<Value>>,
): Loaded<Value> & { reload: () => Promise<void> } {
  const [loader] = useState(() => createLoader(load));
  useEffect(() => {
    void loader.reload();
    return room.feed.subscribe(() => void loader.reload());
  }, [loader, room]);
  return { ...useObservable(loader), reload: loader.reload };
}

function createLoader<Value>(load: () => Promise<Answer<Value>>) {
  const state = createObservable<Loaded<Value>>({ value: undefined, failure: undefined });
  const reload = createCoalesced(async () => {
    const answer = await load();
    if (answer.ok) state.set({ value: answer.value, failure: undefined });
    else state.set({ value: state.get().value, failure: answer.failure });
  }, LOAD_GAP_MS);
  return { get: state.get, subscribe: state.subscribe, reload };
}
