import { expect, test } from 'vitest';
import type { AccessibilityBus, Question } from '../../../agent/drivers/linux/accessibility-bus.ts';
import { type AccessibleNode, described } from '../../../agent/drivers/linux/accessible-node.ts';
import { type AccessibleTree, flattened, wayIn } from '../../../agent/drivers/linux/accessible-tree.ts';
import { type DialogPlace, fileDialogAt } from '../../../agent/drivers/linux/input/file-dialog.ts';

const [CHOOSER, DIALOG, BOX, FIELD, ICON, TABLE, LIST, TOGGLE, BUTTON] = [19, 16, 20, 61, 26, 55, 98, 62, 43];
const [PANEL, ENTRY, COMBOBOX, MENU_ITEM] = [39, 32, 11, 33];
/** Words of states, by their bits: checked, editable and focused are in the first one. */
const [CHECKED, EDITABLE, FOCUSED] = [1 << 4, 1 << 7, 1 << 12];

type Told = { answers?: Record<string, unknown>; states?: number; interfaces?: string[] };
type Part = { tree: AccessibleTree; answers: Record<string, unknown> };
const parts = new Map<string, Part>();

function part(role: number, name: string, children: readonly Part[] = [], told: Told = {}): Part {
  const path = `/${parts.size}`;
  const refs = children.map(({ tree }) => [':1.7', tree.node.ref.path]);
  const own = described({
    interfaces: told.interfaces ?? [],
    name,
    role,
    description: '',
    states: [told.states ?? 0, 0],
  });
  const node: AccessibleNode = {
    ref: { bus: ':1.7', path },
    parentPath: '',
    index: -1,
    childCount: children.length,
    ...own,
  };
  const answers = { Get: name, GetRole: role, GetChildren: refs, ...told.answers };
  const made = { tree: { node, children: children.map(({ tree }) => tree) }, answers };
  parts.set(path, made);
  return made;
}

const bus: Pick<AccessibilityBus, 'ask'> = {
  ask: async ({ path }, { member }: Question) => {
    const answer = parts.get(path)?.answers[member];
    return answer === undefined ? null : [answer];
  },
};

type Field = { text?: string; states?: number; isSearch?: boolean };
type Shown = { saves?: boolean; hasBar?: boolean; isOpen?: boolean; field?: Field; rows?: number[] };

/** A popover of GTK 3, with a field and a button. */
function popover(name: string): Part {
  const field = part(FIELD, `Name to ${name}`, [], { states: EDITABLE });
  return part(PANEL, '', [part(PANEL, '', [field, part(BUTTON, name)])]);
}

/** A dialog of GTK 3 that shows a folder; it saves where its field comes first. */
function dialogOf({ saves = false, hasBar = false, isOpen = false, field, rows = [] }: Shown) {
  const bar = part(BOX, '', [
    part(TOGGLE, 'Reports', [], { states: CHECKED }),
    ...['ann', 'home', 'Root of the files'].map((name) => part(TOGGLE, name)),
    ...['Up', 'Down'].map((name) => part(BUTTON, name)),
  ]);
  const cell = part(56, 'a  b.txt');
  const answers = { GetSelectedRows: rows, GetAccessibleAt: [':1.7', cell.tree.node.ref.path] };
  const table = part(TABLE, 'Files', [], { interfaces: ['Table'], answers });
  const { text = '', states = 0, isSearch = false } = field ?? {};
  const entry = part(FIELD, 'Name', isSearch ? [part(ICON, '')] : [], {
    states: EDITABLE | states,
    answers: { GetText: text },
  });
  const before = saves && !hasBar ? [part(BOX, '', [entry])] : [];
  const beside = !saves && field !== undefined ? [entry] : [];
  const [creates, renames] = [popover('Create'), popover('Rename a place')];
  const create = part(TOGGLE, 'Create Folder', isOpen ? [creates] : []);
  const places = part(LIST, 'Places', [part(ENTRY, 'Home', [...(isOpen ? [renames] : []), part(BUTTON, 'Eject')])]);
  const filter = part(COMBOBOX, 'All files', [part(MENU_ITEM, 'Text files')]);
  const browse = part(BOX, '', [places, bar, create, ...beside, table]);
  const widget = part(CHOOSER, '', [...before, browse, filter]);
  const accept = part(BUTTON, 'Accept');
  const actions = hasBar
    ? [part(PANEL, '', [part(BUTTON, 'Cancel'), part(BOX, '', [entry]), accept]), part(BOX, '', [widget])]
    : [part(BOX, '', [widget, part(BOX, '', [accept])])];
  return { top: part(CHOOSER, '', [...actions, ...(isOpen ? [creates, renames, popover('Rename')] : [])]), accept };
}

function at({ top, accept }: { top: Part; accept: Part }, more: Partial<DialogPlace> = {}) {
  const app = { root: { bus: ':1.7', path: '/root' }, pid: 7, toolkit: 'gtk' };
  const above = wayIn(top.tree, accept.tree.node.ref);
  const place = { app, above, trees: [top.tree], isWhole: true, isDialog: true, unread: undefined, ...more };
  return fileDialogAt(bus as AccessibilityBus, place);
}

test.each([
  ['new.txt', '/home/ann/Reports/new.txt'],
  ['../.bashrc', '/home/ann/Reports/../.bashrc'],
  ['/etc/hosts', '/etc/hosts'],
  ['~/.bashrc', '~/.bashrc'],
  ['~bob/a.txt', undefined],
  ['file:///etc/hosts', undefined],
  [' new.txt', undefined],
  ['', undefined],
])('a dialog that saves %j takes %j', async (text, path) => {
  expect((await at(dialogOf({ saves: true, field: { text } })))?.path).toBe(path);
});

test('a dialog that opens takes the only selected row, by its whole name', async () => {
  expect(await at(dialogOf({ rows: [3] }))).toEqual({
    kind: 'open',
    part: 'other',
    path: '/home/ann/Reports/a  b.txt',
  });
  expect((await at(dialogOf({ rows: [] })))?.path).toBeUndefined();
  expect((await at(dialogOf({ rows: [3, 4] })))?.path).toBeUndefined();
});

test('N32: beside a selected row a typed path counts only where the field has the keyboard, and in a search never', async () => {
  const text = '/home/ann/Reports/a.txt';
  const pathOf = async (field: Field) => (await at(dialogOf({ rows: [3], field: { text, ...field } })))?.path;
  expect(await pathOf({ states: FOCUSED })).toBe(text);
  expect(await pathOf({})).toBeUndefined();
  expect(await pathOf({ states: FOCUSED, isSearch: true })).toBeUndefined();
});

test('N32: the path is unknown while a part of a typed text may be on its way', async () => {
  const text = '/home/ann/Reports/a';
  const pathOf = async (unread: string) => (await at(dialogOf({ saves: true, field: { text } }), { unread }))?.path;
  expect(await pathOf(text)).toBe(text);
  expect(await pathOf(`${text}/../../.bashrc`)).toBeUndefined();
});

test('N32: a dialog that tells nothing of a place may be for files', async () => {
  expect(await at(dialogOf({}), { above: [] })).toEqual({ kind: 'unknown', part: 'other' });
  expect(await at(dialogOf({}), { app: undefined })).toEqual({ kind: 'unknown', part: 'other' });
  expect(await at(dialogOf({}), { above: [], isDialog: false })).toEqual({ kind: 'unknown', part: 'other' });
  expect(await at(dialogOf({}), { above: [], isDialog: false, trees: [part(23, '').tree] })).toBeUndefined();
});

test('N32: a dialog of another toolkit with a list beside another list or a field may be for files', async () => {
  const accept = part(BUTTON, 'Open');
  const of = (...children: Part[]) => ({ top: part(DIALOG, '', [...children, accept]), accept });
  const field = () => part(FIELD, '', [], { states: EDITABLE });
  expect(await at(of(part(LIST, ''), field()))).toEqual({ kind: 'unknown', part: 'other' });
  expect(await at(of(part(LIST, ''), part(LIST, '')))).toEqual({ kind: 'unknown', part: 'other' });
  expect(await at(of(part(LIST, '')))).toBeUndefined();
  expect(await at(of(field(), field()))).toBeUndefined();
});

test.each([
  ['Create', 'other'],
  ['Name to Create', 'aside'],
  ['Rename', 'other'],
  ['Name to Rename', 'aside'],
  ['Rename a place', 'other'],
  ['Name to Rename a place', 'row'],
  ['Accept', 'other'],
  ['Name', 'other'],
  ['All files', 'other'],
])('N46: while a popover is open in a dialog that saves, %s does not take the named file', async (name, part) => {
  const dialog = dialogOf({ saves: true, isOpen: true, field: { text: 'new.txt' } });
  expect(await atName(dialog, name)).toEqual({ kind: 'save', part });
});

test.each([
  ['Eject', 'other'],
  ['Home', 'row'],
  ['Create Folder', 'aside'],
  ['Up', 'other'],
])('N46: in a dialog that saves, %s does not take the named file', async (name, part) => {
  expect(await atName(dialogOf({ saves: true, field: { text: 'new.txt' } }), name)).toEqual({ kind: 'save', part });
});

test('N46: the button of the dialog, its name field and its filter are judged by the named file', async () => {
  const dialog = dialogOf({ saves: true, field: { text: 'new.txt' } });
  const takes = { kind: 'save', path: '/home/ann/Reports/new.txt' };
  for (const name of ['Accept', 'Name', 'Text files']) expect(await atName(dialog, name)).toMatchObject(takes);
});

test('N46: a dialog saves the name in the bar of its title, whatever row is selected', async () => {
  const dialog = dialogOf({ saves: true, hasBar: true, field: { text: 'new.txt' }, rows: [3] });
  const takes = { kind: 'save', path: '/home/ann/Reports/new.txt' };
  for (const name of ['Accept', 'Name']) expect(await atName(dialog, name)).toMatchObject(takes);
  const opened = dialogOf({ saves: true, hasBar: true, isOpen: true, field: { text: 'new.txt' }, rows: [3] });
  for (const name of ['Rename', 'Accept']) expect(await atName(opened, name)).toEqual({ kind: 'save', part: 'other' });
});

function atName(dialog: ReturnType<typeof dialogOf>, name: string) {
  const node = flattened(dialog.top.tree).find((each) => each.name === name);
  return at(dialog, { above: node === undefined ? [] : wayIn(dialog.top.tree, node.ref) });
}
