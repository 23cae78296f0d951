import { type RefCallback, useState } from 'react';

/** Gives a ref that watches one of the parts. */
export type SeenRefs = (part: string) => RefCallback<HTMLElement>;

/**
 * Calls back once every part has been on screen at some time, scrolled into view where it must be. The parts are chosen so that
 * everything between them could be read then. `again`: some parts show something else now, so they must be on screen once more.
 */
export function useAllSeen(
  parts: readonly string[],
  onAllSeen: () => void,
): { refOf: SeenRefs; again(changed: readonly string[]): void } {
  const [watched] = useState(() => {
    const missing = new Set(parts);
    const seen = (part: string) => {
      missing.delete(part);
      if (missing.size === 0) onAllSeen();
    };
    return { missing, watches: new Map(parts.map((part) => [part, createWatch(() => seen(part))])) };
  });
  const watchOf = (part: string) => {
    const watch = watched.watches.get(part);
    if (watch === undefined) throw new Error(`there is no part ${part} to be seen`);
    return watch;
  };
  return {
    refOf: (part) => watchOf(part).ref,
    again(changed) {
      for (const part of changed) watched.missing.add(part);
      for (const part of changed) watchOf(part).again();
    },
  };
}

/** Calls back when an element comes on screen, and after `again` once more. */
function createWatch(onSeen: () => void) {
  let look = (): void => undefined;
  const ref: RefCallback<HTMLElement> = (element) => {
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      onSeen();
    });
    look = () => {
      // A part that was seen before the change has to be seen again.
      observer.disconnect();
      observer.observe(element);
    };
    look();
    return () => observer.disconnect();
  };
  return { ref, again: () => look() };
}
