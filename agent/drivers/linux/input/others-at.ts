import type { Point } from '../../../../src/contract/frames.ts';
import type { AccessibilityBus } from '../accessibility-bus.ts';
import { SCREEN_COORDINATES } from '../accessible-details.ts';
import { type AccessibleNode, refOf } from '../accessible-node.ts';
import { readNode } from '../read-node.ts';

const BUDGET_MS = 500;
/** A page can nest as deep as it likes; the control that a click reaches is near. */
const MOST_STEPS = 20;

/**
 * The names of the other objects of a page at a point, besides one and its parents (`above`): something in front of it, such as a bar that stays
 * in place while the page scrolls, or a text in it that says something else than its name. Null where the app does not tell all of them.
 */
export async function othersAt(
  bus: AccessibilityBus,
  { above, point }: { above: readonly AccessibleNode[]; point: Point },
): Promise<string[] | null> {
  const page = above.findLast(({ interfaces }) => interfaces.has('Document'));
  if (page === undefined) return [];
  const endMs = performance.now() + BUDGET_MS;
  const timeLeftMs = () => Math.max(0, endMs - performance.now());
  const body = [Math.round(point.x), Math.round(point.y), SCREEN_COORDINATES];
  const question = { interface: 'org.a11y.atspi.Component', member: 'GetAccessibleAtPoint', signature: 'iiu', body };
  const known = new Set(above.map(({ ref }) => ref.path));
  const names = new Set<string>();
  const answer = await bus.ask(page.ref, question, timeLeftMs());
  if (answer === null) return null;
  let at = refOf(answer[0]);
  for (let step = 0; at !== null && !known.has(at.path); step += 1) {
    const node = step < MOST_STEPS ? await readNode(bus, at, timeLeftMs) : null;
    if (node === null) return null;
    if (node.name !== '') names.add(node.name);
    at = { bus: at.bus, path: node.parentPath };
  }
  return [...names].filter((name) => above[0]?.name.includes(name) !== true);
}
