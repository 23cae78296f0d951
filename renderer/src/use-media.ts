import { useCallback, useState, useSyncExternalStore } from 'react';

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
