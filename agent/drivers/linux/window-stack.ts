import type { Attributes, Geometry } from 'x11';
import { intersection } from '../../../src/contract/bounds.ts';
import type { Bounds } from '../../../src/contract/device.ts';
import type { Ask, XLine } from './x-line.ts';

/** The windows in front of one, and where that one is. Two looks at the same windows are equal when nothing has changed. */
export type Stack = { top: number; inside: Geometry; covers: Cover[] };

export type Cover = { xid: number; isSeen: boolean; bounds: Bounds };

const VIEWABLE = 2;
const DRAWS = 1;

/** The child of the root window that holds a window: its frame, or the window itself. */
export async function topLevelOf(ask: Ask, root: number, window: number): Promise<number | null> {
  let current = window;
  for (let depth = 0; depth < 16; depth += 1) {
    const tree = await ask<{ parent: number }>((client, reply) => client.QueryTree(current, reply));
    if (tree === null || tree.parent === 0) return null;
    if (tree.parent === root) return current;
    current = tree.parent;
  }
  return null;
}

/** Asks everything at once, so that no other program comes in between where the server is grabbed. */
export async function readStack(line: XLine, top: number, known: readonly number[]): Promise<Stack | null> {
  const { ask } = line;
  const [order, inside, ...covers] = await Promise.all([
    childrenAbove(line, top),
    ask<Geometry>((client, reply) => client.GetGeometry(top, reply)),
    ...known.map((xid) => readCover(ask, xid)),
  ]);
  if (order === null || inside === null || order.join() !== known.join()) return null;
  return { top, inside, covers };
}

/** The windows in front of one, the lowest first. */
export async function childrenAbove({ ask, root }: XLine, top: number): Promise<number[] | null> {
  const tree = await ask<{ children: number[] }>((client, reply) => client.QueryTree(root, reply));
  const place = tree?.children.indexOf(top) ?? -1;
  return tree === null || place < 0 ? null : tree.children.slice(place + 1);
}

/** The parts of an area that other windows cover. */
export function coveredParts({ covers }: Stack, area: Bounds): Bounds[] {
  return covers.flatMap(({ isSeen, bounds }) => (isSeen ? (intersection(bounds, area) ?? []) : []));
}

async function readCover(ask: Ask, xid: number): Promise<Cover> {
  const [geometry, attributes] = await Promise.all([
    ask<Geometry>((client, reply) => client.GetGeometry(xid, reply)),
    ask<Attributes>((client, reply) => client.GetWindowAttributes(xid, reply)),
  ]);
  const isSeen = geometry !== null && attributes?.mapState === VIEWABLE && attributes.klass === DRAWS;
  const { xPos = 0, yPos = 0, width = 0, height = 0, borderWidth = 0 } = geometry ?? {};
  const bounds = { x: xPos, y: yPos, width: width + 2 * borderWidth, height: height + 2 * borderWidth };
  return { xid, isSeen, bounds };
}
