import type { PictureFrame } from '../contract/frames.ts';

/** Requesters beyond that lose their frame, the one used longest ago first, and are told to take a screenshot. */
const MOST_FRAMES = 1_000;

/** The frame of the last whole picture, for each user and vendor. */
export function createFrames() {
  const frames = new Map<string, PictureFrame>();
  return {
    of: (key: string): PictureFrame | undefined => frames.get(key),
    keep(key: string, frame: PictureFrame): void {
      frames.delete(key);
      frames.set(key, frame);
      const [oldest] = frames.keys();
      if (frames.size > MOST_FRAMES && oldest !== undefined) frames.delete(oldest);
    },
  };
}
