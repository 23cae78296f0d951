import { type RefCallback, useState } from 'react';

/** The parts of a prompt that must each have been on screen: if these were, everything between them could be read. */
export type SeenRefs = {
  start: RefCallback<HTMLElement>;
  arguments: RefCallback<HTMLElement>;
  end: RefCallback<HTMLElement>;
};

/** Calls back once every part has been on screen at some time, scrolled into view where it must be. */
export function useAllSeen(onAllSeen: () => void): SeenRefs {
  const [refs] = useState(() => {
    const missing = new Set<string>(['start', 'arguments', 'end']);
    const watch = (part: string) => (element: HTMLElement | null) => {
      if (element === null) return undefined;
      const observer = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        missing.delete(part);
        if (missing.size === 0) onAllSeen();
      });
      observer.observe(element);
      return () => observer.disconnect();
    };
    return { start: watch('start'), arguments: watch('arguments'), end: watch('end') };
  });
  return refs;
}
