import { around, intersection, isSameBounds } from '../../../src/contract/bounds.ts';
import type { Bounds, Display } from '../../../src/contract/device.ts';
import type { TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { Failed } from '../outcome.ts';

/** An area of the desktop, in words too. `display` shows most of it. */
export type NamedArea<Known> = { ok: true; bounds: Bounds; what: string; display: Known };

/** The region that the parameters name, or else the display: the primary one unless another is named. */
export function namedArea<Known extends Display>(
  { display, region, windowId }: TakeScreenshotParameters,
  displays: readonly Known[],
): NamedArea<Known> | Failed {
  const wanted = displays.find((one) => (display === undefined ? one.primary : one.id === display));
  if (wanted === undefined) return noSuchDisplay(display, displays);
  if (windowId === undefined && region !== undefined)
    return regionArea(region, display === undefined ? displays : [wanted]);
  return { ok: true, bounds: wanted.bounds, what: `the display ${wanted.name}`, display: wanted };
}

/** A region may lie across displays, and over places between them that no display shows and that come out black. */
function regionArea<Known extends Display>(region: Bounds, displays: readonly Known[]): NamedArea<Known> | Failed {
  const display = displayUnder(region, displays);
  if (display !== undefined && isSameBounds(intersection(region, around(displays)), region))
    return { ok: true, bounds: region, what: `the region ${shownArea(region)}`, display };
  const known = displays.map((one) => `${one.name} is ${shownArea(one.bounds)}`).join(', ');
  const message = `The region ${shownArea(region)} is not on the screen: ${known}.`;
  return { ok: false, code: 'coordinates_off_screen', message, sideEffect: 'none' };
}

/** The display that shows most of an area, if any does. */
export function displayUnder<Known extends Display>(bounds: Bounds, displays: readonly Known[]): Known | undefined {
  const shares = displays.flatMap((display) => {
    const shared = intersection(bounds, display.bounds);
    return shared === null ? [] : [{ display, area: shared.width * shared.height }];
  });
  return shares.sort((one, other) => other.area - one.area)[0]?.display;
}

/** A window in words. */
export function namedWindow(app: string, title: string | null): string {
  return title ? `the window “${title}” of ${app}` : `a window of ${app}`;
}

export function shownArea({ x, y, width, height }: Bounds): string {
  return `${width}×${height} at ${x},${y}`;
}

function noSuchDisplay(display: string | undefined, displays: readonly Display[]): Failed {
  const known = displays.map(({ id, name }) => (id === name ? id : `${id} (${name})`)).join(', ');
  const message = `Expected the id of a display, got ${JSON.stringify(display)}. There are: ${known}.`;
  return { ok: false, code: 'invalid_target', message, sideEffect: 'none' };
}
