import type { Bounds } from '../../../src/contract/device.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import { noSuchWindow } from '../expected-window.ts';
import type { Failed } from '../outcome.ts';
import { displayUnder, namedArea, namedWindow } from '../pictures/named-area.ts';
import type { CaptureTarget } from './capture.ts';
import type { DesktopState, MacDisplay } from './desktop-state.ts';
import { unavailable } from './display-available.ts';

/** The area to capture. `display` is the display that shows most of it, if any does. */
export type Shot = { target: CaptureTarget; bounds: Bounds; display: MacDisplay | undefined; what: string };

/** Finds what the parameters name on the desktop as it is now: a window, a region in desktop points, or a display. */
export function shotOf(
  parameters: TakeScreenshotParameters,
  { displays, windows }: DesktopState,
): { ok: true; shot: Shot } | Failed {
  const { region, windowId } = parameters;
  const area = namedArea(parameters, displays);
  if (!area.ok) return area;
  if (windowId !== undefined) {
    const window = windows.find((one) => one.id === windowId);
    if (window === undefined) return noSuchWindow(windowId);
    const { id, bounds, app, title } = window;
    const [what, display] = [namedWindow(app, title), displayUnder(bounds, displays)];
    return { ok: true, shot: { target: { kind: 'window', id }, bounds, display, what } };
  }
  const { bounds, display, what } = area;
  if (region === undefined && display.asleep)
    return unavailable(`The display ${display.name} sleeps and shows nothing.`, 'Wake the Mac.');
  // Only the main display's number is certain (1); the others are certain by their place on the desktop.
  const target: CaptureTarget =
    region === undefined && display.primary ? { kind: 'display', number: display.number } : { kind: 'region', bounds };
  return { ok: true, shot: { target, bounds, display, what } };
}
