import type { Bounds } from '../../../src/contract/device.ts';
import type { WindowManners } from './window-manners.ts';

/** One top-level window. Its id is in the usual form for people and tools: `0x` and eight hexadecimal digits. */
export type XWindow = WindowManners & {
  id: string;
  xid: number;
  /** WM_CLASS: instance and class name; empty when the window has none. */
  instanceName: string;
  className: string;
  /** The desktop id a GTK application gave its window, if it did. */
  applicationId: string | null;
  pid: number | null;
  title: string;
  startupId: string | null;
  /** The visible window in root coordinates: with its frame and title bar, without the shadow. */
  bounds: Bounds;
  /** The app's own drawing surface, in root coordinates. */
  clientBounds: Bounds;
  focused: boolean;
  minimized: boolean;
  /** Mapped, not minimized, and on the workspace that is shown. */
  shown: boolean;
  /** A window a person works in, and no splash screen, panel, menu or notification. */
  isMain: boolean;
};

export type XDesktop = {
  /** In front first. */
  windows: XWindow[];
  hasWindowManager: boolean;
  /** Changes seen on the display when this was asked for. */
  revision: number;
};

/** `isItself` is false where a menu or the like of it gets the clicks. `popup`: the place of that; a hint is none. */
export type WindowAt = { window: XWindow; isItself: boolean; popup?: Bounds };
