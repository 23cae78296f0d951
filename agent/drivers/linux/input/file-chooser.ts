import type { FileDialog } from '../../../../src/contract/file-dialog.ts';
import { type AccessibilityBus, property, type Question } from '../accessibility-bus.ts';
import { type AccessibleNode, type AccessibleRef, numberOf, refOf, refsOf } from '../accessible-node.ts';
import type { AccessibleTree } from '../accessible-tree.ts';
import { flattened, subtrees } from '../flattened-tree.ts';

/** By AtspiRole. */
export const FILE_CHOOSER = 19;
export const TOGGLE = 62;
const BUTTON = 43;

const ACCESSIBLE = 'org.a11y.atspi.Accessible';
const TABLE = 'org.a11y.atspi.Table';
const LISTS: ReadonlySet<string> = new Set(['list', 'listbox', 'table', 'tree', 'treegrid', 'grid']);

export function isList({ aria }: AccessibleNode): boolean {
  return LISTS.has(aria.role);
}

type Chooser = { tree: AccessibleTree; timeLeftMs(): number };

/**
 * Reads the file chooser of GTK 3. Its words are in the language of the person, so its parts are known by their places: of a dialog that
 * saves the name comes first, before the lists; the path bar is a row of toggles from the folder up to the root, with two buttons behind.
 */
export function createChooserReader(bus: AccessibilityBus, { tree, timeLeftMs }: Chooser) {
  const widget = subtrees(tree).findLast(({ node }) => node.atspiRole === FILE_CHOOSER) ?? tree;
  const [first] = widget.children;
  const fields = first === undefined ? [] : flattened(first).filter(isField);
  const tables = flattened(widget).filter((node) => isList(node) && node.interfaces.has('Table'));

  const ask = async (ref: AccessibleRef, question: Question) => (await bus.ask(ref, question, timeLeftMs()))?.[0];

  /** As it is: a label loses its spaces and its end. */
  async function nameOf(ref: AccessibleRef): Promise<string> {
    const name = await ask(ref, property(ACCESSIBLE, 'Name'));
    return typeof name === 'string' ? name : '';
  }

  const childrenOf = async (ref: AccessibleRef) =>
    refsOf(await ask(ref, { interface: ACCESSIBLE, member: 'GetChildren' }));

  /** The folder that is shown. In the recent files and in results of a search there is no path bar. */
  async function folder(): Promise<string | undefined> {
    const bars = subtrees(widget).flatMap(({ node, children }) => {
      const [now, ...more] = children.filter((child) => child.node.atspiRole === TOGGLE && child.node.states.checked);
      return now === undefined || more.length > 0 ? [] : [{ bar: node, now: now.node }];
    });
    const paths = await Promise.all(bars.map(({ bar, now }) => folderIn(bar.ref, now.ref)));
    const [path, ...others] = paths.filter((each) => each !== undefined);
    return others.length > 0 ? undefined : path;
  }

  async function folderIn(bar: AccessibleRef, now: AccessibleRef): Promise<string | undefined> {
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

  async function selectedRows(table: AccessibleNode | undefined): Promise<number[] | undefined> {
    if (table === undefined) return [];
    const rows = await ask(table.ref, { interface: TABLE, member: 'GetSelectedRows' });
    return Array.isArray(rows) ? rows.map(numberOf) : undefined;
  }

  async function rowOf(cell: AccessibleNode, table: AccessibleNode): Promise<number> {
    const index = numberOf(await ask(cell.ref, { interface: ACCESSIBLE, member: 'GetIndexInParent' }));
    const question = { interface: TABLE, member: 'GetRowAtIndex', signature: 'i', body: [index] };
    return index < 0 ? -1 : numberOf(await ask(table.ref, question));
  }

  /** The first column has a picture and the name of the file. */
  async function nameInRow(table: AccessibleNode, row: number): Promise<string | undefined> {
    if (row < 0) return undefined;
    const question = { interface: TABLE, member: 'GetAccessibleAt', signature: 'ii', body: [row, 0] };
    const cell = refOf(await ask(table.ref, question));
    if (cell === null) return undefined;
    const names = await Promise.all([cell, ...(await childrenOf(cell))].map(nameOf));
    const [name, ...others] = names.filter((each) => each !== '');
    return name !== undefined && others.length === 0 && isName(name) ? name : undefined;
  }

  async function pathOfRow(table: AccessibleNode, row: number): Promise<string | undefined> {
    const [at, name] = await Promise.all([folder(), nameInRow(table, row)]);
    return at === undefined || name === undefined ? undefined : below(at, name);
  }

  async function typedPath(): Promise<string | undefined> {
    const [field, ...others] = fields;
    if (field === undefined || others.length > 0) return undefined;
    const question = { interface: 'org.a11y.atspi.Text', member: 'GetText', signature: 'ii', body: [0, -1] };
    const text = await ask(field.ref, question);
    if (typeof text !== 'string' || text === '' || text !== text.trim() || UNSURE.test(text)) return undefined;
    if (text.startsWith('/') || text.startsWith('~/')) return text;
    const at = text.startsWith('~') ? undefined : await folder();
    return at === undefined ? undefined : below(at, text);
  }

  return {
    kind(): FileDialog['kind'] {
      if (first === undefined) return 'unknown';
      if (flattened(first).some(isList)) return 'open';
      return fields.length === 1 && flattened(widget).some(isList) ? 'save' : 'unknown';
    },
    /** The path that the dialog takes if it is accepted with the innermost of these objects. */
    async pathAt(above: readonly AccessibleNode[], kind: 'open' | 'save'): Promise<string | undefined> {
      const [table, ...others] = tables;
      if (others.length > 0) return undefined;
      const selected = await selectedRows(table);
      if (selected === undefined || selected.length > 1) return undefined;
      const cell = above[above.findIndex(({ ref }) => ref.path === table?.ref.path) - 1];
      if (table !== undefined && cell !== undefined) return pathOfRow(table, await rowOf(cell, table));
      if (kind === 'save') return typedPath();
      const [row] = selected;
      // Which of both counts depends on the keyboard.
      if (fields.length > 0) return row === undefined ? typedPath() : undefined;
      return table === undefined || row === undefined ? undefined : pathOfRow(table, row);
    },
  };
}

/** The name of another scheme, or a line break. */
const UNSURE = /^[a-z][a-z0-9+.-]*:|[\n\r\0]/iu;

function isField({ states }: AccessibleNode): boolean {
  return states.editable;
}

function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\0]/u.test(name);
}

function below(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}
