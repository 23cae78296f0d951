import type { Bounds } from '../../../src/contract/device.ts';
import type { Missing } from '../../../src/contract/screen.ts';
import { LISTS } from '../looks/list-marks.ts';
import { type AccessibilityBus, type AccessibleApp, property, type Question } from './accessibility-bus.ts';
import { boundsOf, extentsQuestion, SCREEN_COORDINATES } from './accessible-details.ts';
import {
  type AccessibleNode,
  type AccessibleRef,
  nodeOfCacheItem,
  numberOf,
  refOf,
  refsOf,
} from './accessible-node.ts';
import { BROWSER_ENGINES } from './aria-roles.ts';
import { readNode } from './read-node.ts';

/** `others`: of a list, the entries that are not among its children. `missing`: why other things in it are not. */
export type AccessibleTree = {
  node: AccessibleNode;
  children: AccessibleTree[];
  others?: Others;
  missing?: Missing;
};

/** How many entries come before and after the children, and how many of them make a row. */
type Others = { before: number; after: number; perRow: number };

type TreeRequest = {
  app: AccessibleApp;
  /** Also look into the texts that people write and read, such as documents and pages. */
  contents: boolean;
  maxNodes: number;
  /** The upper edge of what is in view, in the coordinates of the app. */
  top?: number;
  timeLeftMs(): number;
};

export type CollectedTrees = {
  /** The windows of the app, each with the objects shown in it. */
  toplevels: AccessibleTree[];
  /** Whether there is more than `maxNodes`, or more in a part than are read of it and counted. */
  cut: boolean;
};

/** The most children read from a long list: those around the ones that are in view. */
const MAX_CHILDREN = 200;

/** AtspiRole of a main window. */
const FRAME = 23;
const CACHE = '/org/a11y/atspi/cache';
const ACCESSIBLE = 'org.a11y.atspi.Accessible';
const COMPONENT = 'org.a11y.atspi.Component';
const TABLE = 'org.a11y.atspi.Table';

/**
 * Collects the objects that an application shows, from its cache and, where the cache has gaps or is missing, from the
 * objects themselves: level by level, with all questions of a level sent at once.
 */
export async function collectTrees(bus: AccessibilityBus, request: TreeRequest): Promise<CollectedTrees> {
  // Chromium makes its cache of all objects of all pages, which takes it seconds, or tells only a few.
  const isChromium = request.app.toolkit === 'Chromium';
  const collected = await collect(bus, { request, usesCache: !isChromium });
  const isBrowser = BROWSER_ENGINES.has(request.app.toolkit);
  if (!isBrowser || !collected.toplevels.some(lacksPage)) return collected;
  // While its search is open, the window of Chromium leaves its page out of its children, and only the cache has it.
  const anew = isChromium ? await collect(bus, { request, usesCache: true }) : collected;
  const best = anew.toplevels.length < collected.toplevels.length ? collected : anew;
  // Firefox tells its page only a moment after the first question.
  for (const tree of best.toplevels.filter(lacksPage)) tree.missing ??= 'app_slow';
  return best;
}

/** A main window of a browser engine has a page. */
function lacksPage({ node, children }: AccessibleTree): boolean {
  return node.atspiRole === FRAME && !children.some(hasPage);
}

function hasPage({ node, children }: AccessibleTree): boolean {
  return isPage(node) || children.some(hasPage);
}

type Collecting = { request: TreeRequest; usesCache: boolean };

async function collect(bus: AccessibilityBus, { request, usesCache }: Collecting): Promise<CollectedTrees> {
  const reader = createReader(bus, request);
  const cached = usesCache ? await reader.cache() : indexed([]);
  const root = cached.node(request.app.root) ?? (await reader.node(request.app.root));
  const collected: CollectedTrees = { toplevels: [], cut: false };
  if (root === null) return collected;
  const top: AccessibleTree = { node: root, children: [] };
  let level = [top];
  for (let count = 0; level.length > 0; count += level.length) {
    if (count > request.maxNodes || request.timeLeftMs() <= 0) {
      collected.cut = true;
      for (const tree of level) if (tree.node.childCount !== 0) tree.missing = whyUnread(request, 'elements_cut');
      break;
    }
    await Promise.all(level.map((tree) => expand(tree, { reader, cached, request, collected })));
    level = level.flatMap((tree) => tree.children);
  }
  collected.toplevels = top.children;
  return collected;
}

type Expansion = { reader: Reader; cached: Cached; request: TreeRequest; collected: CollectedTrees };

async function expand(tree: AccessibleTree, { reader, cached, request, collected }: Expansion): Promise<void> {
  const { node } = tree;
  if (isPage(node) && !request.contents) {
    tree.missing = 'contents_left_out';
    return;
  }
  const read = await readChildren(node, { reader, cached, request });
  const shown = read.nodes.filter((child) => isInState(child, request));
  const told = shown.filter((child) => isPage(child) || isTold(child, request));
  tree.children = told.map((child) => ({ node: child, children: [] }));
  if (told.length < shown.filter(mayTell).length || read.isLeftOut) tree.missing = 'contents_left_out';
  if (read.isUnread) tree.missing = whyUnread(request, 'app_slow');
  if (isPage(node) && (await isUntold(node, { reader, request }))) tree.missing = 'app_slow';
  if (!LISTS.has(node.aria.role)) {
    if (read.count > MAX_CHILDREN) {
      collected.cut = true;
      tree.missing ??= 'elements_cut';
    }
    return;
  }
  const others = await othersOf(node, { read, reader, request });
  if (others !== undefined) tree.others = others;
}

function whyUnread({ timeLeftMs }: TreeRequest, otherwise: Missing): Missing {
  return timeLeftMs() <= 0 ? 'app_slow' : otherwise;
}

function isPage({ aria }: AccessibleNode): boolean {
  return aria.role === 'document';
}

/** Whether a content that is left out can hold anything. */
function mayTell({ name, childCount, interfaces }: AccessibleNode): boolean {
  return name !== '' || childCount !== 0 || interfaces.has('Text');
}

/** Until a browser has the objects of a page, something without address and size stands there. */
async function isUntold(
  { ref, childCount }: AccessibleNode,
  { reader, request: { app } }: Pick<Expansion, 'reader' | 'request'>,
): Promise<boolean> {
  if (childCount > 0 || !BROWSER_ENGINES.has(app.toolkit)) return false;
  return (await reader.place(ref)) === null;
}

/**
 * Children of an object. `first`: how many entries come before the first one; `count`: how many children there are in all. `isUnread`: the
 * object did not tell all that were asked for; `isLeftOut`: they were not asked for, as contents.
 */
type Children = { nodes: AccessibleNode[]; first: number; count: number; isUnread: boolean; isLeftOut?: boolean };

async function readChildren(
  node: AccessibleNode,
  { reader, cached, request }: Pick<Expansion, 'reader' | 'cached' | 'request'>,
): Promise<Children> {
  const told = node.childCount < 0 ? await reader.count(node.ref) : node.childCount;
  const count = Math.max(0, told);
  const known = cached.children(node);
  if (known.length >= Math.min(count, MAX_CHILDREN)) {
    const first =
      known.length > MAX_CHILDREN
        ? Math.max(
            0,
            known.findIndex((child) => isShown(child, request)),
          )
        : 0;
    return { nodes: known.slice(first, first + MAX_CHILDREN), first, count, isUnread: told < 0 };
  }
  const isLazy = LISTS.has(node.aria.role) && node.states.managesDescendants;
  if (isLazy) return readInView(node, { reader, contents: request.contents, count });
  const first = count > MAX_CHILDREN ? await reader.firstInView(node.ref, count) : 0;
  const refs = await reader.children(node.ref, { first, most: MAX_CHILDREN, count });
  return { nodes: await reader.nodes(refs), first, count, isUnread: refs.length === 0 };
}

/** The headers and entries in view of a list that may be long: an app makes each entry only when it is asked for. */
async function readInView(
  node: AccessibleNode,
  { reader, contents, count }: { reader: Reader; contents: boolean; count: number },
): Promise<Children> {
  // The headers of a table come before its cells. Without contents nothing else of it is told.
  const most = Math.min(await reader.columns(node), MAX_CHILDREN);
  const headers = (await reader.nodes(await reader.children(node.ref, { first: 0, most, count }))).filter(isHeader);
  if (!contents) return { nodes: headers, first: 0, count, isUnread: false, isLeftOut: count > headers.length };
  const middle = count > MAX_CHILDREN ? await reader.inTheMiddle(node.ref) : 0;
  const from = Math.max(headers.length, middle - MAX_CHILDREN / 2);
  const refs = await reader.children(node.ref, { first: from, most: MAX_CHILDREN, count });
  const hasPlace = (await Promise.all(refs.map(reader.place))).map((place) => place !== null);
  const start = Math.max(0, hasPlace.indexOf(true));
  const end = Math.max(start, hasPlace.lastIndexOf(true)) + 1;
  const entries = await reader.nodes(refs.slice(start, end));
  const isUnread = entries.length === 0 && count > headers.length;
  return { nodes: [...headers, ...entries], first: from + start - headers.length, count, isUnread };
}

function isHeader({ aria }: AccessibleNode): boolean {
  return aria.role === 'columnheader';
}

/** The entries of a list that lie around the shown ones. Undefined if the list reports no entries at all. */
async function othersOf(
  node: AccessibleNode,
  { read, reader, request }: { read: Children; reader: Reader; request: TreeRequest },
): Promise<Others | undefined> {
  const entries = read.nodes.filter((child) => !isHeader(child));
  const [entry] = entries;
  if (entry === undefined || (entry.aria.kind === 'content' && !request.contents)) return undefined;
  const perRow = entry.aria.role === 'cell' ? await reader.columns(node) : 1;
  const headers = read.nodes.length - entries.length;
  const count = read.count - headers;
  const first = entries.findIndex((each) => isShown(each, request));
  if (first < 0) return { before: 0, after: count, perRow };
  const last = entries.findLastIndex((each) => isShown(each, request));
  return { before: read.first + first, after: count - read.first - last - 1, perRow };
}

/** GTK 4 reports a hidden object, but not one that is scrolled or folded away. The extents show that later. */
export function isShown(node: AccessibleNode, request: Pick<TreeRequest, 'app' | 'contents'>): boolean {
  return isTold(node, request) && isInState(node, request);
}

function isTold({ aria }: AccessibleNode, { contents }: Pick<TreeRequest, 'contents'>): boolean {
  return aria.kind !== 'content' || contents;
}

function isInState({ states }: AccessibleNode, { app }: Pick<TreeRequest, 'app'>): boolean {
  return isGtk4(app.toolkit) ? states.visible : states.showing;
}

export function isGtk4(toolkit: string): boolean {
  return toolkit === 'GTK';
}

type Cached = {
  node(ref: AccessibleRef): AccessibleNode | null;
  children(parent: AccessibleNode): AccessibleNode[];
};

type Range = { first: number; most: number; count: number };

type Reader = {
  cache(): Promise<Cached>;
  node(ref: AccessibleRef): Promise<AccessibleNode | null>;
  count(ref: AccessibleRef): Promise<number>;
  children(ref: AccessibleRef, range: Range): Promise<AccessibleRef[]>;
  nodes(refs: readonly AccessibleRef[]): Promise<AccessibleNode[]>;
  place(ref: AccessibleRef): Promise<Bounds | null>;
  /** The index of the child that lies in the middle of an object on the screen; 0 if no child lies there. */
  inTheMiddle(ref: AccessibleRef): Promise<number>;
  /** The index of the first child that reaches into the view, where the children lie one below the other; 0 if they have no place. */
  firstInView(ref: AccessibleRef, count: number): Promise<number>;
  /** How many columns a table has, at least 1. */
  columns(node: AccessibleNode): Promise<number>;
};

function createReader(bus: AccessibilityBus, { app, top = 0, timeLeftMs }: TreeRequest): Reader {
  const ask = async (ref: AccessibleRef, question: Question) => (await bus.ask(ref, question, timeLeftMs()))?.[0];
  const about = (ref: AccessibleRef, member: string) => ask(ref, { interface: ACCESSIBLE, member });
  let cached = indexed([]);

  const node = (ref: AccessibleRef) => readNode(bus, ref, timeLeftMs);

  const place = async (ref: AccessibleRef) => boundsOf(await ask(ref, extentsQuestion));

  async function children(ref: AccessibleRef, { first, most, count }: Range): Promise<AccessibleRef[]> {
    if (first === 0 && count <= most) return refsOf(await about(ref, 'GetChildren'));
    const indexes = Array.from({ length: Math.min(most, count - first) }, (_, index) => first + index);
    const question = { interface: ACCESSIBLE, member: 'GetChildAtIndex', signature: 'i' };
    const answers = await Promise.all(indexes.map((index) => ask(ref, { ...question, body: [index] })));
    return answers.map(refOf).filter((child) => child !== null);
  }

  return {
    node,
    count: async (ref) => numberOf(await ask(ref, property(ACCESSIBLE, 'ChildCount'))),
    async cache() {
      const place = { bus: app.root.bus, path: CACHE };
      const items = await ask(place, { interface: 'org.a11y.atspi.Cache', member: 'GetItems' });
      cached = indexed(Array.isArray(items) ? items.map(nodeOfCacheItem).filter((item) => item !== null) : []);
      return cached;
    },
    children,
    place,
    async nodes(refs) {
      const nodes = await Promise.all(refs.map((each) => cached.node(each) ?? node(each)));
      return nodes.filter((each) => each !== null);
    },
    async inTheMiddle(ref) {
      const extents = await place(ref);
      if (extents === null) return 0;
      const { x, y, width, height } = extents;
      const body = [Math.round(x + width / 2), Math.round(y + height / 2), SCREEN_COORDINATES];
      const child = refOf(
        await ask(ref, { interface: COMPONENT, member: 'GetAccessibleAtPoint', signature: 'iiu', body }),
      );
      return child === null ? 0 : Math.max(0, numberOf(await about(child, 'GetIndexInParent')));
    },
    async firstInView(ref, count) {
      let [from, to] = [0, count];
      while (from < to) {
        const middle = Math.floor((from + to) / 2);
        const [child] = await children(ref, { first: middle, most: 1, count });
        const extents = child === undefined ? null : await place(child);
        if (extents === null) return 0;
        if (extents.y + extents.height > top) to = middle;
        else from = middle + 1;
      }
      return Math.max(0, Math.min(from, count - MAX_CHILDREN));
    },
    async columns({ ref, interfaces }) {
      if (!interfaces.has('Table')) return 1;
      return Math.max(1, numberOf(await ask(ref, property(TABLE, 'NColumns'))));
    },
  };
}

function indexed(nodes: readonly AccessibleNode[]): Cached {
  const byRef = new Map(nodes.map((node) => [`${node.ref.bus} ${node.ref.path}`, node]));
  const byParent = Map.groupBy(nodes, (node) => node.parentPath);
  return {
    node: (ref) => byRef.get(`${ref.bus} ${ref.path}`) ?? null,
    children: ({ ref }) =>
      (byParent.get(ref.path) ?? []).filter((child) => child.ref.path !== ref.path).sort((a, b) => a.index - b.index),
  };
}

/** The objects of a tree, each before those in it. */
export function flattened({ node, children }: AccessibleTree): AccessibleNode[] {
  return [node, ...children.flatMap(flattened)];
}

/** A tree and all trees in it, in the same order. */
export function subtrees(tree: AccessibleTree): AccessibleTree[] {
  return [tree, ...tree.children.flatMap(subtrees)];
}

/** An object of a tree and everything that it is in, the innermost first. */
export function wayIn(tree: AccessibleTree, ref: AccessibleRef): AccessibleNode[] {
  if (tree.node.ref.path === ref.path && tree.node.ref.bus === ref.bus) return [tree.node];
  for (const child of tree.children) {
    const way = wayIn(child, ref);
    if (way.length > 0) return [...way, tree.node];
  }
  return [];
}
