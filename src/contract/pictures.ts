import type { Bounds } from './device.ts';
import type { Mark, ScreenElement } from './screen.ts';

/** A picture with more numbers cannot be read. */
export const MOST_MARKS = 500;

/**
 * The elements that can be acted on, in the order of the description. `within`: the part of the desktop that the picture shows.
 * `numberOf`: the number of an element, by its id. Where elements have the same bounds, only the innermost gets a mark, so that each
 * number is readable.
 */
export function marksOf(
  elements: readonly ScreenElement[],
  within: Bounds,
  numberOf: (elementId: string) => number,
): Mark[] {
  const marked = new Map<string, ScreenElement & { bounds: Bounds }>();
  for (const element of elements) {
    if (element.bounds === null || !isActedOn(element) || !isMiddleIn(element.bounds, within)) continue;
    const { x, y, width, height } = element.bounds;
    const place = [x, y, width, height].join();
    marked.delete(place);
    marked.set(place, { ...element, bounds: element.bounds });
  }
  return [...marked.values()].slice(0, MOST_MARKS).map(({ id, role, name, bounds }) => ({
    mark: numberOf(id),
    elementId: id,
    role,
    name,
    bounds,
  }));
}

const ACTED_ON: ReadonlySet<string> = new Set([
  ...['button', 'link', 'checkbox', 'radio', 'switch', 'combobox', 'textbox', 'searchbox', 'spinbutton', 'slider'],
  ...['menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'option', 'treeitem', 'scrollbar'],
]);

/** A thing without such a role counts if its app tells an action of it, as of a picture that can be clicked. */
function isActedOn({ role, enabled, actions }: ScreenElement): boolean {
  return enabled && (ACTED_ON.has(role) || (actions.length > 0 && !STRUCTURE.has(role)));
}

/** Apps tell an action of these, too, which only gives them the focus. */
const STRUCTURE: ReadonlySet<string> = new Set([
  'window',
  'dialog',
  'group',
  'document',
  'generic',
  'toolbar',
  'menubar',
]);

function isMiddleIn({ x, y, width, height }: Bounds, within: Bounds): boolean {
  const [across, down] = [x + width / 2 - within.x, y + height / 2 - within.y];
  return across >= 0 && across < within.width && down >= 0 && down < within.height;
}

/** How much a channel may differ in a picture of one colour: JPEG may miss it by one or two. */
const MOST_APART = 4;

/** Whether a picture shows nothing: all of its pixels, four bytes each, are of one colour. */
export function isOneColour(pixels: Uint8Array | Uint8ClampedArray): boolean {
  const [red = 0, green = 0, blue = 0] = pixels;
  for (let at = 0; at < pixels.length; at += 4) {
    if (
      Math.abs((pixels[at] ?? 0) - red) > MOST_APART ||
      Math.abs((pixels[at + 1] ?? 0) - green) > MOST_APART ||
      Math.abs((pixels[at + 2] ?? 0) - blue) > MOST_APART
    )
      return false;
  }
  return true;
}

export type PictureSize = { width: number; height: number };

/** `maxEdge`: of the longer edge; `maxPixels`: of the whole picture. */
type PictureLimit = { maxEdge?: number | undefined; maxPixels?: number | undefined };

/** The size of a picture within the limits, of the same proportions and never larger than it is. Each edge has at least one pixel. */
export function sizeWithin({ width, height }: PictureSize, { maxEdge, maxPixels }: PictureLimit): PictureSize {
  const byEdge = maxEdge === undefined ? 1 : maxEdge / Math.max(width, height);
  const byPixels = maxPixels === undefined ? 1 : Math.sqrt(maxPixels / (width * height));
  const scale = Math.min(1, byEdge, byPixels);
  if (scale === 1) return { width, height };
  const edge = (length: number) => Math.max(1, Math.floor(length * scale));
  return { width: edge(width), height: edge(height) };
}
