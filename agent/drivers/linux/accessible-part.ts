import { isIn, type Point } from '../../../src/contract/picture-frames.ts';
import type { AccessibilityBus, AccessibleApp } from './accessibility-bus.ts';
import { boundsOf, extentsQuestion, matchesIn, STATES } from './accessible-details.ts';
import { placement, placementInPage, scaleOfApp } from './accessible-elements.ts';
import { type AccessibleNode, type AccessibleRef, refsOf } from './accessible-node.ts';
import { type AccessibleTree, isShown } from './accessible-tree.ts';
import { BROWSER_ENGINES, DESCRIBED_ROLES } from './aria-roles.ts';
import { readNode } from './read-node.ts';
import type { XWindow } from './x-window.ts';

/** The part of an app that a look needs. A point is one that `window` itself gets, and no menu in front of it. */
export type Part =
  | { kind: 'element'; ref: AccessibleRef }
  | { kind: 'point'; point: Point; window: XWindow }
  | { kind: 'focus' }
  | { kind: 'all' };

type PartRequest = {
  app: AccessibleApp;
  part: Part;
  windows: readonly XWindow[];
  timeLeftMs(): number;
};

const ACCESSIBLE = 'org.a11y.atspi.Accessible';
const DEEPEST = 150;
/** No app has so many objects at one point or with the focus, but one that lies may say so to keep the agent busy. */
const MOST_FOUND = 200;
/** A page that shows more objects is read until the time is over. */
const MOST_SHOWN = 10_000;
const MOST_REMEMBERED = 10_000;

/** The last known parents of objects. They are asked at once, before a look needs them, and only their new answers count. */
export type Parents = Map<string, string>;

/**
 * The windows of an app, of one of them only the way to a part: far fewer questions than the whole tree takes. `null` where only the whole
 * tree tells for sure.
 */
export async function readPart(
  bus: AccessibilityBus,
  request: PartRequest,
  parents: Parents = new Map(),
): Promise<AccessibleTree[] | null> {
  const { app, part, timeLeftMs } = request;
  if (part.kind !== 'element' && !isQuick(app)) return null;
  const nodeAt = createNodeReader(bus, { ...request, parents });
  // The question goes out before the windows are known, so that one wait is enough.
  if (part.kind === 'element') void nodeAt(part.ref);
  const children = await bus.ask(app.root, { interface: ACCESSIBLE, member: 'GetChildren' }, timeLeftMs());
  const nodes = await Promise.all(refsOf(children?.[0]).map(nodeAt));
  const shown = nodes.filter((node) => node !== null).filter((node) => isShown(node, { app, contents: true }));
  const all = shown.map((node): AccessibleTree => ({ node, children: [] }));
  const toplevels = part.kind === 'element' ? all : windowOf(all, request);
  const found = await find(bus, toplevels, request);
  if (found === null) return null;
  const ways = await Promise.all(found.map((ref) => wayTo(ref, { app, nodeAt })));
  return ways.every((way) => way !== null && follow(toplevels, way, app)) ? toplevels : null;
}

type NodeAt = (ref: AccessibleRef) => Promise<AccessibleNode | null>;

/** Reads each object once. With an object, everything that it was in last is asked for, so that one wait is enough for all. */
function createNodeReader(
  bus: AccessibilityBus,
  { app, parents, timeLeftMs }: Pick<PartRequest, 'app' | 'timeLeftMs'> & { parents: Parents },
): NodeAt {
  const asked = new Map<string, Promise<AccessibleNode | null>>();
  const keyOf = (path: string) => `${app.root.bus} ${path}`;

  function read(ref: AccessibleRef): Promise<AccessibleNode | null> {
    const known = asked.get(ref.path);
    if (known !== undefined) return known;
    const node = readNode(bus, ref, timeLeftMs).then((answer) => {
      if (parents.size >= MOST_REMEMBERED) parents.clear();
      if (answer !== null && answer.parentPath !== '') parents.set(keyOf(ref.path), answer.parentPath);
      return answer;
    });
    asked.set(ref.path, node);
    return node;
  }

  return (ref) => {
    const node = read(ref);
    let path = parents.get(keyOf(ref.path));
    for (let depth = 0; path !== undefined && path !== app.root.path && depth < DEEPEST; depth += 1) {
      void read({ bus: app.root.bus, path });
      path = parents.get(keyOf(path));
    }
    return node;
  };
}

/** Browsers, whose trees are large, search in them. Other apps are asked for their whole tree. */
function isQuick({ toolkit }: AccessibleApp): boolean {
  return BROWSER_ENGINES.has(toolkit);
}

type Match = { tree: AccessibleTree; window: XWindow | null };

type OfApp = { app: AccessibleApp; windows: readonly XWindow[] };

/** Pairs an app's accessible windows with its X windows: by title, and the rest in the order that both have. */
export function matchWindows(toplevels: readonly AccessibleTree[], { app, windows }: OfApp): Match[] {
  const own = windows.filter((window) => window.pid === app.pid);
  const free = new Set(own.length > 0 ? own : windows);
  const byTitle = toplevels.map((tree): Match => {
    const window = [...free].find((candidate) => sameTitle(candidate.title, tree.node.name)) ?? null;
    if (window !== null) free.delete(window);
    return { tree, window };
  });
  if (own.length === 0) return byTitle.filter((match) => match.window !== null);
  const paired = withRest(byTitle, { free, isIts: ({ name }) => name !== '' });
  return withRest(paired, { free, isIts: ({ aria }) => DIALOGS.has(aria.role) });
}

/** An app may give a dialog no title; its X window is then named after the program. */
const DIALOGS: ReadonlySet<string> = new Set(['alertdialog', 'dialog']);

function withRest(
  matches: readonly Match[],
  { free, isIts }: { free: Set<XWindow>; isIts(node: AccessibleNode): boolean },
): Match[] {
  return matches.map((match) => {
    if (match.window !== null || !isIts(match.tree.node)) return match;
    const [window = null] = free;
    if (window !== null) free.delete(window);
    return { tree: match.tree, window };
  });
}

function sameTitle(title: string, name: string): boolean {
  return title.replace(/\s+/gu, ' ').trim() === name;
}

/** An open menu is a window of its own that no window manager knows. */
export function isPopup({ node }: AccessibleTree, { app, windows }: OfApp): boolean {
  return node.name === '' && windows.some((window) => window.shown && window.pid === app.pid);
}

/** The one with the point or with the keyboard. */
function windowOf(toplevels: readonly AccessibleTree[], { app, part, windows }: PartRequest): AccessibleTree[] {
  const isWanted = (window: XWindow | null) =>
    window !== null && (part.kind === 'point' ? window.id === part.window.id : window.focused);
  return matchWindows(toplevels, { app, windows })
    .filter(({ window }) => isWanted(window))
    .map(({ tree }) => tree);
}

/** `null` where it is not found the quick way. */
async function find(
  bus: AccessibilityBus,
  toplevels: readonly AccessibleTree[],
  { app, part, timeLeftMs }: PartRequest,
): Promise<AccessibleRef[] | null> {
  if (part.kind === 'element') return part.ref.bus === app.root.bus ? [part.ref] : [];
  const [window] = toplevels;
  if (window === undefined || part.kind === 'all') return null;
  const wanted = { states: [STATES.focused], most: MOST_FOUND + 1 };
  const found =
    part.kind === 'point'
      ? await thoseAt(bus, window.node.ref, { app, part, timeLeftMs })
      : await matchesIn(bus, window.node.ref, { wanted, timeoutMs: timeLeftMs() });
  if (found === null || found.length > MOST_FOUND) return null; // guard D5-1
  return found.length === 0 && part.kind === 'focus' ? null : found;
}

/**
 * An object may lie outside of the one that it is in, so each is asked for its place. In or outside of a page is not known yet, so each
 * counts that is there by one of the two scales.
 */
async function thoseAt(
  bus: AccessibilityBus,
  top: AccessibleRef,
  { app, part, timeLeftMs }: { app: AccessibleApp; part: Part & { kind: 'point' }; timeLeftMs(): number },
): Promise<AccessibleRef[] | null> {
  const wanted = { states: [STATES.showing], roles: DESCRIBED_ROLES, most: MOST_SHOWN };
  const boundsAt = async (ref: AccessibleRef) => boundsOf((await bus.ask(ref, extentsQuestion, timeLeftMs()))?.[0]);
  const [found, own] = await Promise.all([matchesIn(bus, top, { wanted, timeoutMs: timeLeftMs() }), boundsAt(top)]);
  if (found === null || found.length >= MOST_SHOWN) return null;
  const told = { told: own, window: part.window, toolkit: app.toolkit };
  const place = placement(told, scaleOfApp([told]));
  const inPage = placementInPage(app.toolkit, place);
  const places = await Promise.all(found.map(boundsAt));
  return found.filter((_ref, index) => {
    const extents = places[index] ?? null;
    return extents !== null && [place, inPage].some((placed) => isIn(placed(extents), part.point));
  });
}

/** From the window down to the object; `null` where it hangs in no window of the app. */
async function wayTo(
  ref: AccessibleRef,
  { app, nodeAt }: { app: AccessibleApp; nodeAt: NodeAt },
): Promise<AccessibleNode[] | null> {
  const way: AccessibleNode[] = [];
  for (let { path } = ref; path !== app.root.path; ) {
    const node = await nodeAt({ bus: app.root.bus, path });
    if (node === null || node.parentPath === '' || way.length > DEEPEST) return null;
    way.unshift(node);
    path = node.parentPath;
  }
  return way;
}

/** Adds the shown part of a way to the trees. False if the way begins in another window. */
function follow(toplevels: AccessibleTree[], way: readonly AccessibleNode[], app: AccessibleApp): boolean {
  const [top, ...below] = way;
  let at = toplevels.find(({ node }) => node.ref.path === top?.ref.path);
  if (at === undefined) return false;
  for (const node of below) {
    if (!isShown(node, { app, contents: true })) break;
    const known = at.children.find((child) => child.node.ref.path === node.ref.path);
    const next: AccessibleTree = known ?? { node, children: [] };
    if (known === undefined) at.children.push(next);
    at = next;
  }
  return true;
}
