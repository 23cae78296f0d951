import type { Bounds } from '../../../src/contract/device.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import { noSuchWindow } from '../expected-window.ts';
import type { Failed } from '../outcome.ts';
import type { CaptureTarget } from './capture.ts';
import type { DesktopState, MacDisplay } from './desktop-state.ts';
import { unavailable } from './display-available.ts';

/** The area to capture. `display` is the display that shows most of it, if any does. */
export type Shot = { target: CaptureTarget; bounds: Bounds; display: MacDisplay | undefined; what: string };

/** Finds what the parameters name on the desktop as it is now: a window, a region in desktop points, or a display. */
export function shotOf(
  { display, region, windowId }: TakeScreenshotParameters,
  state: DesktopState,
): { ok: true; shot: Shot } | Failed {
  const wanted = state.displays.find((one) => (display === undefined ? one.primary : one.id === display));
  if (wanted === undefined) return noSuchDisplay(display, state);
  if (windowId !== undefined) return windowShot(windowId, state);
  if (region !== undefined) return regionShot(region, display === undefined ? state.displays : [wanted]);
  if (wanted.asleep) return unavailable(`The display ${wanted.name} sleeps and shows nothing.`, 'Wake the Mac.');
  // Only the main display's number is certain (1); the others are certain by their place on the desktop.
  const target: CaptureTarget = wanted.primary
    ? { kind: 'display', number: wanted.number }
    : { kind: 'region', bounds: wanted.bounds };
  return { ok: true, shot: { target, bounds: wanted.bounds, display: wanted, what: `the display ${wanted.name}` } };
}

function windowShot(windowId: string, { windows, displays }: DesktopState): { ok: true; shot: Shot } | Failed {
  const window = windows.find((one) => one.id === windowId);
  if (window === undefined) return noSuchWindow(windowId);
  const { id, bounds, app, title } = window;
  const what = title ? `the window “${title}” of ${app}` : `a window of ${app}`;
  return { ok: true, shot: { target: { kind: 'window', id }, bounds, display: displayUnder(bounds, displays), what } };
}

function regionShot(region: Bounds, displays: readonly MacDisplay[]): { ok: true; shot: Shot } | Failed {
  const display = displayUnder(region, displays);
  if (display === undefined || !isInside(region, around(displays))) {
    const known = displays.map((one) => `${one.name} is ${shown(one.bounds)}`).join(', ');
    const message = `The region ${shown(region)} is not on the screen: ${known}.`;
    return { ok: false, code: 'coordinates_off_screen', message, sideEffect: 'none' };
  }
  const what = `the region ${shown(region)}`;
  return { ok: true, shot: { target: { kind: 'region', bounds: region }, bounds: region, display, what } };
}

function noSuchDisplay(display: string | undefined, { displays }: DesktopState): Failed {
  const known = displays.map((one) => `${one.id} (${one.name})`).join(', ');
  const message = `Expected the id of a display, got ${JSON.stringify(display)}. There are: ${known}.`;
  return { ok: false, code: 'invalid_target', message, sideEffect: 'none' };
}

function displayUnder(bounds: Bounds, displays: readonly MacDisplay[]): MacDisplay | undefined {
  const shares = displays.map((display) => ({ display, area: sharedArea(bounds, display.bounds) }));
  return shares.filter(({ area }) => area > 0).sort((one, other) => other.area - one.area)[0]?.display;
}

/** In square points; 0 when they do not overlap. */
export function sharedArea(one: Bounds, other: Bounds): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

function around(displays: readonly MacDisplay[]): Bounds {
  const x = Math.min(...displays.map(({ bounds }) => bounds.x));
  const y = Math.min(...displays.map(({ bounds }) => bounds.y));
  const right = Math.max(...displays.map(({ bounds }) => bounds.x + bounds.width));
  const bottom = Math.max(...displays.map(({ bounds }) => bounds.y + bounds.height));
  return { x, y, width: right - x, height: bottom - y };
}

function isInside(inner: Bounds, outer: Bounds): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

function shown({ x, y, width, height }: Bounds): string {
  return `${width}×${height} at ${x},${y}`;
}
