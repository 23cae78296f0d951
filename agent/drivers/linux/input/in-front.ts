import type { Point } from '../../../../src/contract/frames.ts';
import type { AccessibilityBus } from '../accessibility-bus.ts';
import { SCREEN_COORDINATES } from '../accessible-details.ts';
import { type AccessibleNode, refOf } from '../accessible-node.ts';
import { readNode } from '../read-node.ts';

const BUDGET_MS = 500;
/** A page can nest as deep as it likes; the control that a click reaches is near. */
const MOST_STEPS = 20;

/**
 * The names of what a page has in front of an object at a point, such as a bar that stays in place while the page scrolls below it.
 * `above`: the object and everything that it is in. Nothing where the page has the object itself there, or something in it or around it.
 */
export async function inFrontOf(
  bus: AccessibilityBus,
  { above, point }: { above: readonly AccessibleNode[]; point: Point },
): Promise<string[]> {
  const page = above.findLast(({ interfaces }) => interfaces.has('Document'));
  if (page === undefined) return [];
  const endMs = performance.now() + BUDGET_MS;
  const timeLeftMs = () => Math.max(0, endMs - performance.now());
  const body = [Math.round(point.x), Math.round(point.y), SCREEN_COORDINATES];
  const question = { interface: 'org.a11y.atspi.Component', member: 'GetAccessibleAtPoint', signature: 'iiu', body };
  const known = new Set(above.map(({ ref }) => ref.path));
  const names = new Set<string>();
  let at = refOf((await bus.ask(page.ref, question, timeLeftMs()))?.[0]);
  for (let step = 0; at !== null && !known.has(at.path) && step < MOST_STEPS; step += 1) {
    const node = await readNode(bus, at, timeLeftMs);
    if (node !== null && node.name !== '') names.add(node.name);
    at = node === null ? null : { bus: at.bus, path: node.parentPath };
  }
  return at !== null && at.path === above[0]?.ref.path ? [] : [...names];
}
