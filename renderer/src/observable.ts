export type Observable<Value> = {
  get(): Value;
  /** Answers with the unsubscribe. */
  subscribe(listener: () => void): () => void;
};

/** A value that can be watched. Setting an equal value notifies nobody. */
export function createObservable<Value>(initial: Value): Observable<Value> & { set(value: Value): void } {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
