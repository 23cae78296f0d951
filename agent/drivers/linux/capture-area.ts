import { intersection } from '../../../src/contract/bounds.ts';
import type { Bounds } from '../../../src/contract/device.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { Failed } from '../outcome.ts';
import { namedArea, namedWindow, shownArea } from '../pictures/named-area.ts';
import { displaysOf } from './displays.ts';
import type { XLayout } from './x-monitors.ts';
import type { XWindow } from './x-window.ts';

/** The area to capture, inside the root window, and a description of it in words. */
export type CaptureArea = { ok: true; bounds: Bounds; what: string };

/** Finds what the parameters name. A window is captured as far as it is on the screen. */
export function captureAreaOf(
  parameters: TakeScreenshotParameters,
  { layout, window }: { layout: XLayout; window: XWindow | undefined },
): CaptureArea | Failed {
  const area = namedArea(parameters, displaysOf(layout));
  if (!area.ok || window === undefined) return area;
  const what = namedWindow(window.className, window.title);
  const { width, height } = layout;
  const visible = intersection(window.bounds, { x: 0, y: 0, width, height });
  if (visible !== null) return { ok: true, bounds: visible, what };
  const message = `Expected something on the screen, got ${what} at ${shownArea(window.bounds)}; the screen is ${width}×${height}.`;
  return { ok: false, code: 'coordinates_off_screen', message, sideEffect: 'none' };
}
