import { isSameBounds } from '../../src/contract/bounds.ts';
import {
  FRAME_LIVES_MS,
  type Frame,
  globalPoint,
  isIn,
  isStale,
  type Point,
} from '../../src/contract/picture-frames.ts';
import type { ScreenElement } from '../../src/contract/screen.ts';
import type { Sighting, WindowPlace } from '../drivers/input.ts';
import type { Failed } from '../drivers/outcome.ts';

/** A frame, and the windows and elements that were on the screen then. */
export type SeenFrame = {
  frame: Frame;
  /**
   * The windows of each look before and after the picture. The window at a place is known only if all looks agree. A frame without
   * windows leads nowhere.
   */
  looks: readonly (readonly WindowPlace[])[];
  /** The one window that the picture shows, even where others cover it. */
  windowId?: string | undefined;
  /** The elements that were told with it. */
  elements?: readonly ScreenElement[];
};

export type Frames = ReturnType<typeof createFrames>;

const MOST_FRAMES = 16;

/** Remembers the latest frames: points in them lead to the desktop while what they show is still there. */
export function createFrames(now: () => number = Date.now) {
  const frames = new Map<string, SeenFrame>();

  function keep(seen: SeenFrame): void {
    frames.delete(seen.frame.frameId);
    frames.set(seen.frame.frameId, seen);
    for (const [id, { frame }] of frames) {
      if (frames.size > MOST_FRAMES || now() - frame.takenAt > FRAME_LIVES_MS) frames.delete(id);
    }
  }

  /** The point of the desktop that a point of a picture means. */
  function place(frameId: string, point: Point): { seen: SeenFrame; at: Point } | Failed {
    const seen = frames.get(frameId);
    if (seen === undefined || isStale(seen.frame, now()))
      return stale('The frame is not known, or older than a minute.');
    const at = globalPoint(seen.frame, point);
    return at === undefined ? OUTSIDE : { seen, at };
  }

  return { keep, place };
}

/** Why a point of a frame may not be used, if so: something else is there by now. Told by structure, never by pixels. */
export function changeSince({ looks, windowId, elements }: SeenFrame, at: Point, now: Sighting): Failed | null {
  const before = looks.map((windows) => windowAt(windows, at, windowId));
  const isSame = before.length > 0 && before.every((window) => window !== undefined && isSameWindow(window, now));
  if (!isSame) return stale('Another window is at this point than in the picture, or it has moved.');
  if (elements === undefined || now.element === null) return null;
  const known = elements.find(({ id }) => id === now.element?.elementId);
  if (known === undefined) return null;
  const { role, name, bounds } = now.element;
  const isKept = known.role === role && known.name === name && isSameBounds(known.bounds, bounds);
  return isKept ? null : stale('Another element is at this point than in the picture.');
}

function windowAt(windows: readonly WindowPlace[], at: Point, windowId?: string): WindowPlace | undefined {
  if (windowId !== undefined) return windows.find(({ id }) => Number(id) === Number(windowId) || id === windowId);
  return windows
    .toSorted((one, other) => one.zIndex - other.zIndex)
    .find((one) => one.onScreen && isIn(one.bounds, at));
}

function isSameWindow({ id, pid, bounds }: WindowPlace, now: Sighting): boolean {
  return id === now.windowId && pid === now.pid && isSameBounds(bounds, now.windowBounds);
}

function stale(why: string): Failed {
  return {
    ok: false,
    code: 'stale_frame',
    message: `${why} Nothing was done.`,
    fix: 'Take a new look.',
    sideEffect: 'none',
  };
}

/** The picture showed a window at the point. */
export const WINDOW_GONE = stale('No window is at this point any longer.');

const OUTSIDE: Failed = {
  ok: false,
  code: 'coordinates_off_screen',
  message: 'Expected a point inside of the picture.',
  fix: 'Give x and y in the pixels of the picture that frameId names.',
  sideEffect: 'none',
};
