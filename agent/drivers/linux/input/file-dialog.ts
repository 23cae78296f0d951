import type { FileDialog } from '../../../../src/contract/file-dialog.ts';
import type { AccessibilityBus, AccessibleApp } from '../accessibility-bus.ts';
import type { AccessibleNode } from '../accessible-node.ts';
import { type AccessibleTree, collectTrees } from '../accessible-tree.ts';
import { flattened, subtrees } from '../flattened-tree.ts';
import { timeLeftOf } from '../read-node.ts';
import { type ChooserReader, createChooserReader, FILE_CHOOSER, isList, TOGGLE } from './file-chooser.ts';

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

export type Dialog = Omit<FileDialog, 'file'>;

const BUDGET_MS = 1_000;
const MOST_NODES = 4_000;
const UNTOLD: Dialog = { kind: 'unknown', part: 'other' };

/**
 * The dialog for files that has a place. GTK 3 tells one by its role. Other toolkits tell only a dialog, so one that has a list beside another
 * list or a field may be for files. Of a dialog without objects nothing is known, as of that in Chromium.
 */
export async function fileDialogAt(bus: AccessibilityBus, place: DialogPlace): Promise<Dialog | undefined> {
  const { app, above, unread } = place;
  const isDialog = place.isDialog || place.trees.some(({ node }) => isDialogNode(node));
  if (app === undefined || above.length === 0) return isDialog ? UNTOLD : undefined;
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
  if (reader.isBehind(above)) return { kind, part: 'other' };
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
