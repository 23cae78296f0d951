import type { Bounds, Display } from '../../../src/contract/device.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { Failed } from '../outcome.ts';
import { displaysOf } from './displays.ts';
import { intersection } from './intersection.ts';
import type { XLayout } from './x-monitors.ts';
import type { XWindow } from './x-window.ts';

/** The area to capture, inside the root window, and a description of it in words. */
export type CaptureArea = { bounds: Bounds; what: string };

/** Finds what the parameters name: a window, else a region, else a display, the primary one unless another is named. */
export function captureAreaOf(
  { display, region }: TakeScreenshotParameters,
  { layout, window }: { layout: XLayout; window: XWindow | undefined },
): { ok: true; area: CaptureArea } | Failed {
  const displays = displaysOf(layout);
  const wanted = displays.find((one) => (display === undefined ? one.primary : one.id === display));
  if (wanted === undefined) return noSuchDisplay(String(display), displays);
  if (window !== undefined) return windowArea(window, layout);
  if (region !== undefined) return regionArea(region, display === undefined ? displays : [wanted]);
  return { ok: true, area: { bounds: wanted.bounds, what: `the display ${wanted.name}` } };
}

/** A window is captured as far as it is on the screen. */
function windowArea({ bounds, title, className }: XWindow, { width, height }: XLayout) {
  const what = title === '' ? `a window of ${className}` : `the window "${title}" of ${className}`;
  const visible = intersection(bounds, { x: 0, y: 0, width, height });
  if (visible === null) return offScreen(`${what} at ${shown(bounds)}`, `the screen is ${width}×${height}`);
  return { ok: true, area: { bounds: visible, what } } as const;
}

/** A region may lie across displays, and over places between them that no display shows and that come out black. */
function regionArea(region: Bounds, displays: readonly Display[]) {
  const isSeen = displays.some((display) => intersection(region, display.bounds) !== null);
  const inside = intersection(region, around(displays));
  const isWhole = inside?.width === region.width && inside.height === region.height;
  if (isSeen && isWhole) return { ok: true, area: { bounds: region, what: `the region ${shown(region)}` } } as const;
  const known = displays.map((one) => `${one.name} is ${shown(one.bounds)}`).join(', ');
  return offScreen(`the region ${shown(region)}`, known);
}

function offScreen(what: string, known: string): Failed {
  return {
    ok: false,
    code: 'coordinates_off_screen',
    message: `Expected something on the screen, got ${what}; ${known}.`,
    sideEffect: 'none',
  };
}

function noSuchDisplay(display: string, displays: readonly Display[]): Failed {
  const known = displays.map((one) => one.id).join(', ');
  return {
    ok: false,
    code: 'invalid_target',
    message: `Expected the id of a display, got ${JSON.stringify(display)}. There are: ${known}.`,
    sideEffect: 'none',
  };
}

function around(displays: readonly Display[]): Bounds {
  const x = Math.min(...displays.map(({ bounds }) => bounds.x));
  const y = Math.min(...displays.map(({ bounds }) => bounds.y));
  const right = Math.max(...displays.map(({ bounds }) => bounds.x + bounds.width));
  const bottom = Math.max(...displays.map(({ bounds }) => bounds.y + bounds.height));
  return { x, y, width: right - x, height: bottom - y };
}

function shown({ x, y, width, height }: Bounds): string {
  return `${width}×${height} at ${x},${y}`;
}
