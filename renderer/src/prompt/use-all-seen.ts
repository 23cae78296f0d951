import { type RefCallback, useState } from 'react';

/** Gives a ref that watches one of the parts. */
export type SeenRefs = (part: string) => RefCallback<HTMLElement>;

/**
 * Calls back once every part has been on screen at some time, scrolled into view where it must be. The parts are chosen so that
 * everything between them could be read then.
 */
export function useAllSeen(parts: readonly string[], onAllSeen: () => void): SeenRefs {
  const [refs] = useState(() => {
    const missing = new Set(parts);
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
    return new Map(parts.map((part) => [part, watch(part)]));
  });
  return (part) => {
    const ref = refs.get(part);
    if (ref === undefined) throw new Error(`there is no part ${part} to be seen`);
    return ref;
  };
}
