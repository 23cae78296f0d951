import { useCallback, useSyncExternalStore } from 'react';

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
