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
