import type { Bounds } from '../../../src/contract/device.ts';
import { isGtk4 } from './accessible-tree.ts';
import type { XWindow } from './x-window.ts';

/** One window as its app tells its place, `null` where it tells none, beside its X window, if one was found. */
export type ToldWindow = { told: Bounds | null; window: XWindow | null; toolkit: string };

/** Pixels of the desktop that the app counts as one. Popups have no X window to be compared with, so it is asked of the app's other windows. */
export function scaleOfApp(windows: readonly ToldWindow[]): number {
  return windows.map(scaleOf).find((scale) => scale !== null) ?? 1;
}

/** How far the sizes of one window may be apart, in pixels of the app: an app rounds the borders of its frame. */
const ROUNDING = 2;

/** `null` where the window as it is told is not one on the screen. */
function scaleOf({ told, window, toolkit }: ToldWindow): number | null {
  if (told === null || window === null) return null;
  // GTK 4 leaves the borders out. Its scale is whole under X11.
  if (isGtk4(toolkit)) return Math.max(1, Math.round(window.bounds.width / told.width));
  const scales = [window.clientBounds, window.bounds].map((surface) => scaleTo(surface, told));
  return scales.find((scale) => scale !== null) ?? null;
}

function scaleTo(surface: Bounds, told: Bounds): number | null {
  const ratio = surface.width / told.width;
  const fits = (scale: number) =>
    Math.abs(surface.width - told.width * scale) <= ROUNDING * scale &&
    Math.abs(surface.height - told.height * scale) <= ROUNDING * scale;
  return [Math.round(ratio), ratio].find((scale) => scale >= 1 && fits(scale)) ?? null;
}

export type Place = (extents: Bounds) => Bounds;

/**
 * Where something that a window tells is on the desktop. GTK 4 does not know where its windows are and tells places inside the window's
 * content, which stands in the middle of the X window: around it are borders of equal width, or a shadow that is not part of the window.
 */
export function placement({ told, window, toolkit }: ToldWindow, scale: number): Place {
  if (!isGtk4(toolkit) || window === null || told === null) return (extents) => scaled(extents, scale);
  const own = scaled(told, scale);
  // A frame around the app's own surface is the window manager's, and GTK knows nothing of it.
  const surface = window.bounds.height > window.clientBounds.height ? window.clientBounds : window.bounds;
  const shiftX = surface.x + Math.round((surface.width - own.width) / 2) - own.x;
  const shiftY = surface.y + Math.round((surface.height - own.height) / 2) - own.y;
  return (extents) => {
    const { x, y, width, height } = scaled(extents, scale);
    return { x: x + shiftX, y: y + shiftY, width, height };
  };
}

/** Chromium tells what is in a page in pixels of the desktop, and its own controls in those of its scale. */
export function placementInPage(toolkit: string, outside: Place): Place {
  return toolkit === 'Chromium' ? (extents) => extents : outside;
}

function scaled({ x, y, width, height }: Bounds, scale: number): Bounds {
  return {
    x: Math.round(x * scale),
    y: Math.round(y * scale),
    width: Math.round(width * scale),
    height: Math.round(height * scale),
  };
}
