import { MOST_DOCUMENTS, siteOf } from '../../../../src/contract/web-address.ts';
import { isDeveloperTools } from '../../../targets/own-pages.ts';
import type { AccessibilityBus, AccessibleApp } from '../accessibility-bus.ts';
import { matchesIn, STATES, type Wanted } from '../accessible-details.ts';
import { type AccessibleNode, type AccessibleRef, textOf } from '../accessible-node.ts';
import { type AccessibleTree, collectTrees, flattened } from '../accessible-tree.ts';
import { BROWSER_ENGINES } from '../aria-roles.ts';
import { readNode, timeLeftOf } from '../read-node.ts';

/** `documents`: the innermost first, '' where the address is not known. Before them the page to which a link leads. */
export type Surroundings = { documents: string[]; pagesBeside: string[]; defaultButton?: string };

export type Place = {
  app: AccessibleApp | undefined;
  /** The object and everything that it is in, the innermost first. */
  above: readonly AccessibleNode[];
  /** The objects of the app that were read so far. */
  trees: readonly AccessibleTree[];
  isWhole: boolean;
  windowTitle: string;
  /** Whether keys go there. */
  takesKeys: boolean;
  /** Return makes a new line there. */
  isMultiLine: boolean;
};

const BUDGET_MS = 1_000;
const MOST_NODES = 2_000;
const MOST_PAGES = 8;
const MOST_FOUND = 40;
/** The windows, dialogs and forms that have a default button of their own. */
const WITH_DEFAULT: ReadonlySet<string> = new Set(['form', 'alertdialog', 'dialog', 'window']);
/** By AtspiRole: the kinds of documents, and of buttons. Chromium gives every object the interface of a document. */
const DOCUMENT_ROLES = [82, 84, 92, 93, 94, 95, 96];
const DOCUMENTS: readonly Wanted[] = [{ states: [STATES.showing], roles: DOCUMENT_ROLES, most: 20 }];
const DEFAULTS: readonly Wanted[] = [{ states: [STATES.showing, STATES.isDefault] }];
const BUTTONS = [9, 22, 43, 62, 129];
const OF_A_FORM: readonly Wanted[] = [
  ...DEFAULTS,
  { states: [STATES.showing, STATES.enabled], roles: BUTTONS, most: 1 },
];

/** The pages around a place, and the button that Return presses there. */
export async function surroundingsOf(bus: AccessibilityBus, place: Place): Promise<Surroundings> {
  const { app, above, takesKeys, isMultiLine } = place;
  if (app === undefined) return { documents: [], pagesBeside: [] };
  const asking = { bus, app, place, timeLeftMs: timeLeftOf(BUDGET_MS) };
  const [leadsTo, around, button] = await Promise.all([
    linkAt(asking),
    addressesOf(bus, documentsAmong(above, app), asking.timeLeftMs),
    takesKeys && !isMultiLine ? defaultButton(asking) : undefined,
  ]);
  const documents = [...leadsTo, ...around]; // guard N45-1
  const mayReachOthers = documents.some(isDeveloperTools) || (takesKeys && documents.every(isUnknown));
  const beside = mayReachOthers ? (await pagesIn(asking)).filter((address) => !isUnknown(address)) : [];
  return {
    documents,
    pagesBeside: beside,
    defaultButton: button,
  };
}

type Asking = { bus: AccessibilityBus; app: AccessibleApp; place: Place; timeLeftMs(): number };

/** Firefox gives a document the role that its page asks for. */
export function isDocument({ interfaces, atspiRole }: AccessibleNode, { toolkit }: AccessibleApp): boolean {
  return DOCUMENT_ROLES.includes(atspiRole) || (toolkit !== 'Chromium' && interfaces.has('Document'));
}

/** The documents around a place. */
export function documentsAmong(above: readonly AccessibleNode[], app: AccessibleApp): AccessibleRef[] {
  const documents = above.filter((node) => isDocument(node, app)).slice(0, MOST_DOCUMENTS + 1);
  return documents.map(({ ref }) => ref);
}

function isUnknown(address: string): boolean {
  return address === '';
}

/** The addresses of the documents among some objects. */
export function addressesAround(
  bus: AccessibilityBus,
  { app, above, timeLeftMs }: { app: AccessibleApp; above: readonly AccessibleNode[]; timeLeftMs(): number },
): Promise<string[]> {
  return addressesOf(bus, documentsAmong(above, app), timeLeftMs);
}

/** '' for a document that does not tell its address. */
export async function addressesOf(
  bus: AccessibilityBus,
  documents: readonly AccessibleRef[],
  timeLeftMs: () => number,
): Promise<string[]> {
  const question = { interface: 'org.a11y.atspi.Document', member: 'GetAttributeValue', signature: 's' };
  const asked = documents.map(async (ref) => {
    const answers = await Promise.all(ADDRESS.map((name) => bus.ask(ref, { ...question, body: [name] }, timeLeftMs())));
    return answers.map((answer) => plainAddress(answer?.[0])).find((url) => url !== '') ?? '';
  });
  return Promise.all(asked);
}

/**
 * Where the link leads that a place is in, if it leads to the web. Chromium does not tell the links of an image map, so an image by itself
 * may lead anywhere.
 */
async function linkAt({ bus, place, timeLeftMs }: Asking): Promise<string[]> {
  const link = place.above.find(({ aria }) => aria.role === 'link');
  if (link === undefined) return isLoneImage(place.above) ? [''] : []; // guard N45-2
  const question = { interface: 'org.a11y.atspi.Hyperlink', member: 'GetURI', signature: 'i', body: [0] };
  const address = plainAddress((await bus.ask(link.ref, question, timeLeftMs()))?.[0]);
  return siteOf(address) === undefined ? [] : [address];
}

function isLoneImage([innermost, ...around]: readonly AccessibleNode[]): boolean {
  return innermost?.aria.role === 'img' && !around.some(({ aria }) => aria.role === 'button');
}

/** Chromium has the first, Firefox the second. */
const ADDRESS = ['URI', 'DocURL'];
const LONGEST_ADDRESS = 8_000;

function plainAddress(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, LONGEST_ADDRESS) : '';
}

/** The pages that a window shows. A page in a tab behind is not shown. */
async function pagesIn(asking: Asking): Promise<string[]> {
  const { place, app } = asking;
  const windows = place.isWhole || isBrowser(app) ? place.trees : (await wholeTrees(asking, app.root)).toplevels;
  const own = windows.filter(({ node }) => node.name === textOf(place.windowTitle));
  const some = own.length > 0 ? own : windows;
  const nodes = await Promise.all(some.map((tree) => inside(asking, tree, DOCUMENTS)));
  const pages = nodes
    .flat()
    .filter((node) => isDocument(node, app))
    .slice(0, MOST_PAGES);
  const refs = pages.map(({ ref }) => ref);
  return addressesOf(asking.bus, refs, asking.timeLeftMs);
}

/** The address of the page that a window shows, which the pages in it come after; '' where it is not told. */
export async function pageOf(
  bus: AccessibilityBus,
  { pid, title }: { pid: number | null; title: string },
): Promise<string> {
  const timeLeftMs = timeLeftOf(BUDGET_MS);
  const apps = ((await bus.apps(timeLeftMs())) ?? []).filter((app) => app.pid !== null && app.pid === pid);
  const pages = apps.map(async (app) => {
    const { toplevels: trees } = await collectTrees(bus, { app, contents: false, maxNodes: MOST_NODES, timeLeftMs });
    const place = { app, above: [], trees, isWhole: false, windowTitle: title, takesKeys: false, isMultiLine: false };
    return pagesIn({ bus, app, place, timeLeftMs });
  });
  return (await Promise.all(pages)).flat()[0] ?? '';
}

/** The one that the app calls so or, in a form of a page, the first. */
async function defaultButton(asking: Asking): Promise<string | undefined> {
  const { place, timeLeftMs } = asking;
  const holder = place.above.slice(1).find(({ aria }) => WITH_DEFAULT.has(aria.role));
  if (holder === undefined || timeLeftMs() === 0) return undefined;
  const isForm = holder.aria.role === 'form';
  const tree = place.trees.map((each) => subtreeAt(each, holder)).find((each) => each !== undefined);
  const nodes = await inside(asking, tree ?? { node: holder, children: [] }, isForm ? OF_A_FORM : DEFAULTS);
  const buttons = nodes.filter(({ aria, states }) => aria.role === 'button' && states.enabled);
  const named = buttons.find(({ states }) => states.isDefault) ?? (isForm ? buttons[0] : undefined);
  return named?.name;
}

/** The objects inside another object. They come from an earlier read, from a search by the browser, or from a new read. */
async function inside(asking: Asking, tree: AccessibleTree, searches: readonly Wanted[]): Promise<AccessibleNode[]> {
  const { bus, app, place, timeLeftMs } = asking;
  if (place.isWhole) return flattened(tree);
  if (isBrowser(app)) {
    const search = (wanted: Wanted) => matchesIn(bus, tree.node.ref, { wanted, timeoutMs: timeLeftMs() });
    const found = await Promise.all(searches.map(search));
    const refs = found.flatMap((some) => some ?? []).slice(0, MOST_FOUND);
    const nodes = await Promise.all(refs.map((ref) => readNode(bus, ref, timeLeftMs)));
    if (found.every((some) => some !== null)) return nodes.filter((node) => node !== null);
  }
  return (await wholeTrees(asking, tree.node.ref)).toplevels.flatMap(flattened);
}

function wholeTrees({ bus, app, timeLeftMs }: Asking, root: AccessibleRef) {
  return collectTrees(bus, { app: { ...app, root }, contents: true, maxNodes: MOST_NODES, timeLeftMs });
}

function isBrowser({ toolkit }: AccessibleApp): boolean {
  return BROWSER_ENGINES.has(toolkit);
}

function subtreeAt(tree: AccessibleTree, node: AccessibleNode): AccessibleTree | undefined {
  if (tree.node === node) return tree;
  return tree.children.map((child) => subtreeAt(child, node)).find((found) => found !== undefined);
}
