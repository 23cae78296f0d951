import type { Point } from '../contract/frames.ts';
import type { KeptFrame } from './member.ts';

/** Requesters beyond that lose their frame, the one used longest ago first, and are told to take a screenshot. */
const MOST_FRAMES = 1_000;

type Kept = { frame: KeptFrame; pointer: Point | undefined };

/** The frame of the last whole picture for each user and vendor, and where the last action left the pointer. */
export function createFrames() {
  const frames = new Map<string, Kept>();
  return {
    of: (key: string): Partial<Kept> => frames.get(key) ?? {},
    keep(key: string, frame: KeptFrame): void {
      const before = frames.get(key);
      frames.delete(key);
      frames.set(key, { frame, pointer: before && isAlike(before.frame, frame) ? before.pointer : undefined });
      const [oldest] = frames.keys();
      if (frames.size > MOST_FRAMES && oldest !== undefined) frames.delete(oldest);
    },
    point(key: string, pointer: Point): void {
      const kept = frames.get(key);
      if (kept !== undefined) frames.set(key, { ...kept, pointer });
    },
  };
}

/** Whether a pixel of one picture is the same place in the other. */
function isAlike(one: KeptFrame, other: KeptFrame): boolean {
  return JSON.stringify([one.source, one.image]) === JSON.stringify([other.source, other.image]);
}
