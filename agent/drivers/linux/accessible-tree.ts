import type { AccessibilityBus, AccessibleApp, Question } from './accessibility-bus.ts';
import { property } from './accessibility-bus.ts';
import {
  type AccessibleNode,
  type AccessibleRef,
  described,
  nodeOfCacheItem,
  numberOf,
  refOf,
  refsOf,
} from './accessible-node.ts';

export type AccessibleTree = { node: AccessibleNode; children: AccessibleTree[]; beyond?: Beyond };

/** How many entries of a list are not showing. */
type Beyond = { above: number; below: number };

export type TreeRequest = {
  app: AccessibleApp;
  /** Also look into what people write and read. */
  contents: boolean;
  maxNodes: number;
  timeLeftMs(): number;
};

export type CollectedTrees = {
  /** The windows of the app, each with the objects shown in it. */
  toplevels: AccessibleTree[];
  /** Whether there is more than `maxNodes`, or than fits a list. */
  cut: boolean;
};

/** The most children read from a long list. */
const MAX_CHILDREN = 200;

const CACHE = '/org/a11y/atspi/cache';
const ACCESSIBLE = 'org.a11y.atspi.Accessible';

/**
 * Collects the objects that an application shows, from its cache and, where the cache has gaps or is missing, from the
 * objects themselves: level by level, with all questions of a level sent at once.
 */
export async function collectTrees(bus: AccessibilityBus, request: TreeRequest): Promise<CollectedTrees> {
  const reader = createReader(bus, request);
  const cached = await reader.cache();
  const root = cached.node(request.app.root) ?? (await reader.node(request.app.root));
  const collected: CollectedTrees = { toplevels: [], cut: false };
  if (root === null) return collected;
  const top: AccessibleTree = { node: root, children: [] };
  let level = [top];
  for (let count = 0; level.length > 0; count += level.length) {
    if (count > request.maxNodes || request.timeLeftMs() <= 0) {
      collected.cut = true;
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
  const known = cached.children(node);
  if (node.childCount > MAX_CHILDREN) collected.cut = true;
  const isComplete = known.length >= Math.min(node.childCount, MAX_CHILDREN);
  const children = isComplete ? known : await reader.children(node, cached);
  const told = children.slice(0, MAX_CHILDREN);
  tree.children = told.filter((child) => isShown(child, request)).map((child) => ({ node: child, children: [] }));
  const beyond = LISTS.has(node.aria.role) ? beyondShown(told, request) : undefined;
  if (beyond !== undefined) tree.beyond = beyond;
}

const LISTS: ReadonlySet<string> = new Set(['grid', 'list', 'listbox', 'table', 'tree', 'treegrid']);

/** The entries before the first and after the last that shows; `undefined` where all show, or none does. */
function beyondShown(entries: readonly AccessibleNode[], request: TreeRequest): Beyond | undefined {
  const first = entries.findIndex((entry) => isShown(entry, request));
  const last = entries.findLastIndex((entry) => isShown(entry, request));
  const beyond = { above: first, below: entries.length - 1 - last };
  return first >= 0 && beyond.above + beyond.below > 0 ? beyond : undefined;
}

/** GTK 4 does not say what is scrolled or folded away, only what is hidden; its extents tell the rest later. */
function isShown({ aria, states }: AccessibleNode, { app, contents }: TreeRequest): boolean {
  if (aria.kind === 'content' && !contents) return false;
  return isGtk4(app.toolkit) ? states.visible : states.showing;
}

export function isGtk4(toolkit: string): boolean {
  return toolkit === 'GTK';
}

type Cached = {
  node(ref: AccessibleRef): AccessibleNode | null;
  children(parent: AccessibleNode): AccessibleNode[];
};

type Reader = {
  cache(): Promise<Cached>;
  node(ref: AccessibleRef): Promise<AccessibleNode | null>;
  children(parent: AccessibleNode, cached: Cached): Promise<AccessibleNode[]>;
};

function createReader(bus: AccessibilityBus, { app, timeLeftMs }: TreeRequest): Reader {
  const ask = async (ref: AccessibleRef, question: Question) => (await bus.ask(ref, question, timeLeftMs()))?.[0];
  const about = (ref: AccessibleRef, member: string) => ask(ref, { interface: ACCESSIBLE, member });

  const node = (ref: AccessibleRef) => readNode(bus, ref, timeLeftMs);

  async function childRefs({ ref, childCount }: AccessibleNode): Promise<AccessibleRef[]> {
    if (childCount <= MAX_CHILDREN) return refsOf(await about(ref, 'GetChildren'));
    const indexes = Array.from({ length: MAX_CHILDREN }, (_, index) => index);
    const question = { interface: ACCESSIBLE, member: 'GetChildAtIndex', signature: 'i' };
    const answers = await Promise.all(indexes.map((index) => ask(ref, { ...question, body: [index] })));
    return answers.map(refOf).filter((child) => child !== null);
  }

  return {
    node,
    async cache() {
      const place = { bus: app.root.bus, path: CACHE };
      const items = await ask(place, { interface: 'org.a11y.atspi.Cache', member: 'GetItems' });
      return indexed(Array.isArray(items) ? items.map(nodeOfCacheItem).filter((item) => item !== null) : []);
    },
    async children(parent, cached) {
      const refs = await childRefs(parent);
      const nodes = await Promise.all(refs.map((ref) => cached.node(ref) ?? node(ref)));
      return nodes.filter((child) => child !== null);
    },
  };
}

/** What one object tells of itself; `null` when it is gone. */
export async function readNode(
  bus: AccessibilityBus,
  ref: AccessibleRef,
  timeLeftMs: () => number,
): Promise<AccessibleNode | null> {
  const ask = async (question: Question) => (await bus.ask(ref, question, timeLeftMs()))?.[0];
  const about = (member: string) => ask({ interface: ACCESSIBLE, member });
  const [role, states, interfaces, name, description, childCount] = await Promise.all([
    about('GetRole'),
    about('GetState'),
    about('GetInterfaces'),
    ask(property(ACCESSIBLE, 'Name')),
    ask(property(ACCESSIBLE, 'Description')),
    ask(property(ACCESSIBLE, 'ChildCount')),
  ]);
  if (role === undefined) return null;
  const own = described({ interfaces, name, role, description, states });
  return { ref, parentPath: '', index: -1, childCount: numberOf(childCount), ...own };
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
