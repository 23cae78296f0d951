import type { FileDialog } from '../../../../src/contract/file-dialog.ts';
import { type AccessibilityBus, type AccessibleApp, property, type Question } from '../accessibility-bus.ts';
import { type AccessibleNode, type AccessibleRef, numberOf, refOf, refsOf } from '../accessible-node.ts';
import { type AccessibleTree, collectTrees, flattened, subtrees } from '../accessible-tree.ts';
import { timeLeftOf } from '../read-node.ts';

export type DialogPlace = {
  app: AccessibleApp | undefined;
  /** The object and everything that it is in, the innermost first; none where the app tells nothing of the place. */
  above: readonly AccessibleNode[];
  /** The objects of the app that were read so far. */
  trees: readonly AccessibleTree[];
  isWhole: boolean;
  /** Whether its window is a dialog, as the window says itself. One of GTK 4 that is of no other window does not. */
  isDialog: boolean;
  /** A text that was typed and that no field has told yet. */
  unread: string | undefined;
};

type Dialog = Omit<FileDialog, 'file'>;

const BUDGET_MS = 1_000;
const MOST_NODES = 4_000;
const UNTOLD: Dialog = { kind: 'unknown', part: 'other' };

/** By AtspiRole. */
const FILE_CHOOSER = 19;
const TOGGLE = 62;
const BUTTON = 43;

const ACCESSIBLE = 'org.a11y.atspi.Accessible';
const TABLE = 'org.a11y.atspi.Table';
const LISTS: ReadonlySet<string> = new Set(['list', 'listbox', 'table', 'tree', 'treegrid', 'grid']);

function isList({ aria }: AccessibleNode): boolean {
  return LISTS.has(aria.role);
}

type ChooserReader = ReturnType<typeof createChooserReader>;

type Chooser = { tree: AccessibleTree; unread: string | undefined; timeLeftMs(): number };

/**
 * Reads the file chooser of GTK 3. Its words are in the language of the person, so its parts are known by their places: of a dialog that
 * saves the name comes first, before the lists, or in the bar of the title; the path bar is a row of toggles from the folder up to the
 * root, with two buttons behind.
 */
function createChooserReader(bus: AccessibilityBus, { tree, unread = '', timeLeftMs }: Chooser) {
  const widget = subtrees(tree).findLast(({ node }) => node.atspiRole === FILE_CHOOSER) ?? tree;
  const [first] = widget.children;
  const beside = tree === widget ? [] : tree.children.filter((each) => !holds(each, widget.node));
  const bars = beside.filter(isBar);
  const popovers = beside.filter((each) => !isBar(each)).flatMap(flattened);
  const inBar = bars.flatMap(flattened).filter(isField);
  const fields = inBar.length > 0 || first === undefined ? inBar : flattened(first).filter(isField);
  const [table, ...otherTables] = flattened(widget).filter((node) => isList(node) && node.interfaces.has('Table'));
  const asking = createAsking(bus, timeLeftMs);

  /** Where a field and a row could both count, the keyboard decides, as with a click on a button. */
  async function chosen(kind: 'open' | 'save', [row]: readonly number[]): Promise<string | undefined> {
    const [field, ...otherFields] = fields;
    if (field === undefined)
      return row === undefined || table === undefined ? undefined : pathOfRow(asking, { widget, table, row });
    const counts = kind === 'save' || row === undefined || field.states.focused;
    if (!counts || otherFields.length > 0 || isSearch(field)) return undefined;
    const text = await textOf(asking, field);
    // The rest of a text that is still on its way would make another path of it.
    return text.includes(unread) ? typedPath(asking, widget, text) : undefined; // guard N32-3
  }

  /**
   * Whether a press there takes what the dialog is to take: on the field, a row, an entry of a list that drops down, or a button beside the
   * widget. All else has an effect of its own, such as a popover, which is in the dialog itself, in a button or in a list.
   */
  function mayTake(above: readonly AccessibleNode[], list: AccessibleNode): boolean {
    const at = above.findIndex((node) => isSame(node, list));
    if (at >= 0) return at === 0 || above[at - 1]?.aria.role === 'cell';
    if (above.some((node) => node.aria.role === 'combobox' || fields.some((field) => isSame(field, node)))) return true;
    return !above.some((node) => isSame(node, widget.node)) && isInActions(above);
  }

  /** The buttons of a dialog are in one box with the widget, or they stand in the bar of the title. */
  function isInActions(above: readonly AccessibleNode[]): boolean {
    const at = above.findIndex((node) => isSame(node, tree.node)) - 1;
    const branch = tree.children.find(({ node }) => above[at] !== undefined && isSame(node, above[at]));
    if (branch === undefined) return false;
    return bars.includes(branch) ? at === 1 : holds(branch, widget.node);
  }

  return {
    kind(): FileDialog['kind'] {
      if (first === undefined) return 'unknown';
      if (inBar.length === 0 && flattened(first).some(isList)) return 'open'; // guard N46-3
      return fields.length === 1 && flattened(widget).some(isList) ? 'save' : 'unknown';
    },
    /** Whether a popover is open, which may lie over it. It is told in the dialog, and often also where it was opened. */
    isBehind([node]: readonly AccessibleNode[]): boolean {
      return popovers.length > 0 && !popovers.some((each) => node !== undefined && isSame(each, node));
    },
    /** The path that the dialog takes if it is accepted with the innermost of these objects. */
    async pathAt(above: readonly AccessibleNode[], kind: 'open' | 'save'): Promise<string | undefined> {
      if (table === undefined || otherTables.length > 0 || !mayTake(above, table)) return undefined; // guard N46-1
      const selected = await selectedRows(asking, table);
      if (selected === undefined || selected.length > 1) return undefined;
      const cell = above[above.findIndex(({ ref }) => ref.path === table.ref.path) - 1];
      if (cell !== undefined) return pathOfRow(asking, { widget, table, row: await rowOf(asking, { cell, table }) });
      return chosen(kind, selected);
    },
  };
}

function isSame(one: AccessibleNode, other: AccessibleNode): boolean {
  return one.ref.path === other.ref.path;
}

/** With the settings of GNOME the bar of the title has the buttons, and the name. A popover beside it has only one child. */
function isBar({ children }: AccessibleTree): boolean {
  return children.length > 1;
}

function holds(tree: AccessibleTree, wanted: AccessibleNode): boolean {
  return flattened(tree).some((node) => isSame(node, wanted));
}

function isField({ states }: AccessibleNode): boolean {
  return states.editable;
}

/** A field for a search has pictures in it. Its words are no path. */
function isSearch({ childCount }: AccessibleNode): boolean {
  return childCount !== 0; // guard N32-4
}

type Asking = ReturnType<typeof createAsking>;

function createAsking(bus: AccessibilityBus, timeLeftMs: () => number) {
  const ask = async (ref: AccessibleRef, question: Question) => (await bus.ask(ref, question, timeLeftMs()))?.[0];
  return {
    ask,
    /** As it is: a label loses its spaces and its end. */
    async nameOf(ref: AccessibleRef): Promise<string> {
      const name = await ask(ref, property(ACCESSIBLE, 'Name'));
      return typeof name === 'string' ? name : '';
    },
    childrenOf: async (ref: AccessibleRef) => refsOf(await ask(ref, { interface: ACCESSIBLE, member: 'GetChildren' })),
  };
}

/** The folder that is shown. In the recent files and in results of a search there is no path bar. */
async function folderOf(asking: Asking, widget: AccessibleTree): Promise<string | undefined> {
  const bars = subtrees(widget).flatMap(({ node, children }) => {
    const [now, ...more] = children.filter((child) => child.node.atspiRole === TOGGLE && child.node.states.checked);
    return now === undefined || more.length > 0 ? [] : [folderIn(asking, { bar: node.ref, now: now.node.ref })];
  });
  const [path, ...others] = (await Promise.all(bars)).filter((each) => each !== undefined);
  return others.length > 0 ? undefined : path;
}

async function folderIn(
  { ask, nameOf, childrenOf }: Asking,
  { bar, now }: { bar: AccessibleRef; now: AccessibleRef },
): Promise<string | undefined> {
  const refs = await childrenOf(bar);
  const roles = await Promise.all(refs.map((ref) => ask(ref, { interface: ACCESSIBLE, member: 'GetRole' })));
  const toggles = refs.slice(0, -2);
  const isBar = toggles.length > 0 && roles.every((role, at) => role === (at < toggles.length ? TOGGLE : BUTTON));
  const from = toggles.findIndex(({ path }) => path === now.path);
  if (!isBar || from < 0) return undefined;
  // The last toggle is the root, whose name is words.
  const names = await Promise.all(toggles.slice(from, -1).map(nameOf));
  return names.every(isName) ? `/${names.toReversed().join('/')}` : undefined;
}

async function selectedRows({ ask }: Asking, table: AccessibleNode): Promise<number[] | undefined> {
  const rows = await ask(table.ref, { interface: TABLE, member: 'GetSelectedRows' });
  return Array.isArray(rows) ? rows.map(numberOf) : undefined;
}

async function rowOf(
  { ask }: Asking,
  { cell, table }: { cell: AccessibleNode; table: AccessibleNode },
): Promise<number> {
  const index = numberOf(await ask(cell.ref, { interface: ACCESSIBLE, member: 'GetIndexInParent' }));
  const question = { interface: TABLE, member: 'GetRowAtIndex', signature: 'i', body: [index] };
  return index < 0 ? -1 : numberOf(await ask(table.ref, question));
}

type Row = { widget: AccessibleTree; table: AccessibleNode; row: number };

async function pathOfRow(asking: Asking, { widget, table, row }: Row): Promise<string | undefined> {
  const [folder, name] = await Promise.all([folderOf(asking, widget), nameInRow(asking, table, row)]);
  return folder === undefined || name === undefined ? undefined : below(folder, name);
}

/** The first column has a picture and the name of the file. */
async function nameInRow(
  { ask, nameOf, childrenOf }: Asking,
  table: AccessibleNode,
  row: number,
): Promise<string | undefined> {
  if (row < 0) return undefined;
  const question = { interface: TABLE, member: 'GetAccessibleAt', signature: 'ii', body: [row, 0] };
  const cell = refOf(await ask(table.ref, question));
  if (cell === null) return undefined;
  const names = await Promise.all([cell, ...(await childrenOf(cell))].map(nameOf));
  const [name, ...others] = names.filter((each) => each !== '');
  return name !== undefined && others.length === 0 && isName(name) ? name : undefined;
}

async function textOf({ ask }: Asking, field: AccessibleNode): Promise<string> {
  const question = { interface: 'org.a11y.atspi.Text', member: 'GetText', signature: 'ii', body: [0, -1] };
  const text = await ask(field.ref, question);
  return typeof text === 'string' ? text : '';
}

async function typedPath(asking: Asking, widget: AccessibleTree, text: string): Promise<string | undefined> {
  if (text === '' || text !== text.trim() || UNSURE.test(text)) return undefined;
  if (text.startsWith('/') || text.startsWith('~/')) return text;
  const folder = text.startsWith('~') ? undefined : await folderOf(asking, widget);
  return folder === undefined ? undefined : below(folder, text);
}

/** An address of another scheme, or a line break. */
const UNSURE = /^[a-z][a-z0-9+.-]*:|[\n\r\0]/iu;

function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\0]/u.test(name);
}

function below(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

/**
 * The dialog for files that has a place. GTK 3 tells one by its role. Other toolkits tell only a dialog, so one that has a list beside another
 * list or a field may be for files. Of a dialog without objects nothing is known, as of that in Chromium.
 */
export async function fileDialogAt(bus: AccessibilityBus, place: DialogPlace): Promise<Dialog | undefined> {
  const { app, above, unread } = place;
  const isDialog = place.isDialog || place.trees.some(({ node }) => isDialogNode(node));
  if (app === undefined || above.length === 0) return isDialog ? UNTOLD : undefined; // guard N32-2
  if (above.some(({ interfaces }) => interfaces.has('Document'))) return undefined;
  const chooser = above.findLast(({ atspiRole }) => atspiRole === FILE_CHOOSER);
  const root = chooser ?? above.find(isDialogNode) ?? (place.isDialog ? above.at(-1) : undefined);
  if (root === undefined) return undefined;
  const timeLeftMs = timeLeftOf(BUDGET_MS);
  const tree = await treeOf(bus, root, { ...place, app, timeLeftMs });
  const part = partOf(above);
  if (tree === undefined) return { kind: 'unknown', part };
  if (chooser === undefined) return mayBeForFiles(tree) ? { kind: 'unknown', part } : undefined;
  return chooserAt(createChooserReader(bus, { tree, unread, timeLeftMs }), { above, part, timeLeftMs });
}

type InChooser = { above: readonly AccessibleNode[]; part: Dialog['part']; timeLeftMs(): number };

async function chooserAt(reader: ChooserReader, { above, part, timeLeftMs }: InChooser): Promise<Dialog> {
  const kind = reader.kind();
  if (reader.isBehind(above)) return { kind, part: 'other' }; // guard N46-2
  const path = kind === 'unknown' ? undefined : await reader.pathAt(above, kind);
  // An app that is too slow has not told all.
  return { kind, part, ...(path !== undefined && timeLeftMs() > 0 && { path }) };
}

function isDialogNode({ aria }: AccessibleNode): boolean {
  return aria.role === 'dialog';
}

async function treeOf(
  bus: AccessibilityBus,
  node: AccessibleNode,
  { app, trees, isWhole, timeLeftMs }: DialogPlace & { app: AccessibleApp; timeLeftMs(): number },
): Promise<AccessibleTree | undefined> {
  const known = trees.flatMap(subtrees).find((tree) => tree.node.ref.path === node.ref.path);
  if (isWhole && known !== undefined) return known;
  const request = { app: { ...app, root: node.ref }, contents: true, maxNodes: MOST_NODES, timeLeftMs };
  const { toplevels, cut } = await collectTrees(bus, request);
  return cut ? undefined : { node, children: toplevels };
}

function mayBeForFiles(tree: AccessibleTree): boolean {
  const nodes = flattened(tree);
  const [lists, fields] = [nodes.filter(isList), nodes.filter(({ states }) => states.editable)];
  return lists.length > 0 && lists.length + fields.length > 1;
}

const ENTRIES: ReadonlySet<string> = new Set(['cell', 'row', 'listitem', 'treeitem']);
/** A click on one of them accepts no dialog. */
const ASIDE: ReadonlySet<string> = new Set(
  'textbox searchbox combobox spinbutton slider tab checkbox radio switch'.split(' '),
);

/** In a list they are none of its entries: they eject, or are in a popover or a menu of an entry. */
const PRESSED: ReadonlySet<string> = new Set(['button', 'menuitem']);

/** Anything else in a list may be an entry, and the list itself, as it has the keyboard, stands for its selection. */
function partOf(above: readonly AccessibleNode[]): Dialog['part'] {
  const [node] = above;
  if (node === undefined) return 'other';
  if (node.aria.role === 'columnheader') return 'aside';
  if (PRESSED.has(node.aria.role) && node.atspiRole !== TOGGLE) return 'other';
  const entries = above.filter(({ aria }) => ENTRIES.has(aria.role));
  if (entries.length > 0) return entries.some(({ states }) => states.selected) ? 'chosen' : 'row';
  if (above.some(isList)) return 'chosen';
  return ASIDE.has(node.aria.role) || node.atspiRole === TOGGLE ? 'aside' : 'other';
}
