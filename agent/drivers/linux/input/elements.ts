import { folded, nearNames } from '../../../../src/contract/near-names.ts';
import type { Refusal } from '../../hands/acting.ts';
import { type ElementDesk, noAction, noItem } from '../../hands/element-actions.ts';
import { ELEMENT_GONE, refused } from '../../hands/input-outcome.ts';
import type { AccessibilityBus } from '../accessibility-bus.ts';
import { type AccessibleNode, type AccessibleRef, refsOf } from '../accessible-node.ts';
import { type AccessibleTree, collectTrees } from '../accessible-tree.ts';
import { readNode, timeLeftOf } from '../read-node.ts';
import { withoutDisplay } from '../x11.ts';
import { type AccessibleObject, accessibleObject, refOfElement } from './accessible-object.ts';
import type { SightNeeds } from './sight.ts';
import { readsBack, soon } from './type-text.ts';

const BUDGET_MS = 2_000;
const MOST_NODES = 3_000;
const MOST_ITEMS = 200;
/** Between a menu and its items some toolkits have objects without a name. */
const MOST_WRAPPERS = 2;

/** The item of a window's menu bar at a path of names. An item that is closed or in a menu never opened is found, too. */
async function menuItem(
  { x11, bus }: SightNeeds,
  { windowId, path }: { windowId: string; path: readonly string[] },
): Promise<AccessibleNode | Refusal> {
  const desktop = await x11.desktop();
  if (!desktop.ok) return withoutDisplay(desktop.reason);
  const window = desktop.value.windows.find(({ id }) => id === windowId);
  if (window === undefined) return { code: 'target_gone', message: 'Expected the id of a window; it is gone.' };
  const timeLeftMs = timeLeftOf(BUDGET_MS);
  const apps = ((await bus.apps(timeLeftMs())) ?? []).filter(({ pid }) => pid !== null && pid === window.pid);
  const found = await Promise.all(
    apps.map((app) => collectTrees(bus, { app, contents: false, maxNodes: MOST_NODES, timeLeftMs })),
  );
  const toplevels = found.flatMap(({ toplevels: all }) => all);
  const own = toplevels.filter(({ node }) => folded(node.name) === folded(window.title));
  const bar = (own.length > 0 ? own : toplevels).map(menuBarIn).find((node) => node !== undefined);
  if (bar === undefined)
    return { code: 'not_supported', message: 'Expected a window with a menu bar; this one has none.' };

  async function itemsOf(node: AccessibleNode, wrappers: number): Promise<AccessibleNode[]> {
    const question = { interface: 'org.a11y.atspi.Accessible', member: 'GetChildren' };
    const refs = refsOf((await bus.ask(node.ref, question, timeLeftMs()))?.[0]).slice(0, MOST_ITEMS);
    const nodes = await Promise.all(refs.map((ref: AccessibleRef) => readNode(bus, ref, timeLeftMs)));
    const items = nodes.filter((item) => item !== null);
    if (wrappers === 0) return items;
    const inside = items.filter(({ name }) => name === '').map((item) => itemsOf(item, wrappers - 1));
    return [...items, ...(await Promise.all(inside)).flat()];
  }

  let at = bar;
  for (const [depth, name] of path.entries()) {
    const items = (await itemsOf(at, MOST_WRAPPERS)).filter((item) => item.name !== '');
    const item = items.find((one) => plain(one.name) === plain(name));
    if (item === undefined) {
      const names = items.map((one) => one.name);
      return noItem(path.slice(0, depth + 1), names);
    }
    if (!item.states.enabled)
      return { code: 'invalid_target', message: `Expected an item that is enabled; ${JSON.stringify(name)} is not.` };
    at = item;
  }
  return at;
}

function menuBarIn({ node, children }: AccessibleTree): AccessibleNode | undefined {
  return node.aria.role === 'menubar' ? node : children.map(menuBarIn).find((found) => found !== undefined);
}

/** "Save As…", "Save _As..." and "save as" are one item. */
function plain(name: string): string {
  return folded(name)
    .replace(/_/gu, '')
    .replace(/\s*(?:…|\.{3})$/u, '');
}

/** Actions that the app itself performs, without pointer and keyboard. */
export function elementDesk(needs: SightNeeds): ElementDesk<Found> {
  const { bus } = needs;
  return {
    find: (elementId) => objectOf(needs, elementId),
    async set({ object, node }, value, signal) {
      const isConfirmed = node.isPassword ? PASSWORD : await setValue(object, node, { value, signal, bus });
      return typeof isConfirmed === 'boolean' ? isConfirmed : refused(isConfirmed);
    },
    async act({ object }, action) {
      const actions = (await object.actions()).map((name) => name.toLowerCase());
      const index = action === undefined ? 0 : actions.indexOf(action.toLowerCase());
      if (index < 0 || index >= actions.length) return noAction(action, actions);
      return (await object.act(index)) ? undefined : refused(NOT_DONE);
    },
    async choose(wish) {
      const item = await menuItem(needs, wish);
      if ('code' in item) return refused(item);
      return (await accessibleObject(bus, item.ref).act(0)) ? undefined : refused(NOT_DONE);
    },
  };
}

type Found = { object: AccessibleObject; node: AccessibleNode };

async function objectOf({ bus }: SightNeeds, elementId: string): Promise<Found | Refusal> {
  const ref = refOfElement(elementId);
  const object = ref === null ? null : accessibleObject(bus, ref);
  const node = (await object?.node()) ?? null;
  if (object === null || node === null) return ELEMENT_GONE;
  return node.states.enabled ? { object, node } : DISABLED;
}

type Wish = { value: string; signal: AbortSignal; bus: AccessibilityBus };

/** Whether the element reads as it was set, or why nothing was done. */
async function setValue(object: AccessibleObject, node: AccessibleNode, wish: Wish): Promise<boolean | Refusal> {
  const { aria, interfaces, states } = node;
  const { value, signal } = wish;
  if (TOGGLES.has(aria.role)) return toggle(object, node, wish);
  if (interfaces.has('EditableText') && states.editable)
    return (await object.setText(value)) && readsBack(object, value, signal);
  if (aria.role === 'combobox') return choose(node, wish);
  const number = Number(value);
  if (!interfaces.has('Value') || value.trim() === '' || !Number.isFinite(number)) return NO_VALUE;
  await object.setNumber(number);
  return soon(async () => (await object.number()) === number, signal);
}

const TOGGLES: ReadonlySet<string> = new Set(['checkbox', 'switch', 'radio', 'menuitemcheckbox', 'menuitemradio']);
const WANTED: Readonly<Record<string, boolean>> = {
  on: true,
  true: true,
  checked: true,
  off: false,
  false: false,
  unchecked: false,
};

async function toggle(object: AccessibleObject, { aria, states }: AccessibleNode, { value, signal }: Wish) {
  const wanted = WANTED[value.trim().toLowerCase()];
  if (wanted === undefined || (!wanted && aria.role.endsWith('radio'))) return NO_STATE;
  if (states.checked === wanted && !states.indeterminate) return true;
  if (!(await object.act(0))) return NOT_DONE;
  return soon(async () => (await object.node())?.states.checked === wanted, signal);
}

/** Presses the entry of that name, which the app does as well while the list is closed. */
async function choose({ ref }: AccessibleNode, { value, signal, bus }: Wish): Promise<boolean | Refusal> {
  const entries = await entriesOf(bus, ref, LIST_DEPTH);
  const entry = entries.find(({ name }) => folded(name) === folded(value));
  if (entry === undefined) return noEntry(value, entries);
  if (!entry.states.enabled) return DISABLED;
  const object = accessibleObject(bus, entry.ref);
  if (!entry.states.selected && !(await object.act(0))) return NOT_DONE;
  return soon(async () => (await object.node())?.states.selected === true, signal);
}

/** A menu or a list stands between a combo box and its entries. */
const LIST_DEPTH = 2;
const MOST_ENTRIES = 1_000;
const ENTRIES: ReadonlySet<string> = new Set(['option', 'menuitem', 'listitem']);

async function entriesOf(
  bus: AccessibilityBus,
  within: AccessibleNode['ref'],
  depth: number,
): Promise<AccessibleNode[]> {
  const question = { interface: 'org.a11y.atspi.Accessible', member: 'GetChildren' };
  const refs = refsOf((await bus.ask(within, question, ENTRIES_WITHIN_MS))?.[0]).slice(0, MOST_ENTRIES);
  const nodes = (await Promise.all(refs.map((ref) => readNode(bus, ref, () => ENTRIES_WITHIN_MS)))).filter(
    (node) => node !== null,
  );
  const inside = depth > 1 ? await Promise.all(nodes.map(({ ref }) => entriesOf(bus, ref, depth - 1))) : [];
  return [...nodes.filter(({ name, aria }) => name !== '' && ENTRIES.has(aria.role)), ...inside.flat()];
}

const ENTRIES_WITHIN_MS = 2_000;

function noEntry(value: string, entries: readonly AccessibleNode[]): Refusal {
  if (entries.length === 0) return NO_VALUE;
  const names = entries.map(({ name }) => name);
  const near = nearNames(value, names);
  return {
    code: 'invalid_target',
    message: `Expected an entry of the list, got ${JSON.stringify(value.slice(0, 200).toWellFormed())}.`,
    fix: `It has: ${(near.length > 0 ? near : names).slice(0, 10).join(', ')}.`,
  };
}

const DISABLED: Refusal = { code: 'invalid_target', message: 'Expected an element that is enabled; this one is not.' };
const NO_VALUE: Refusal = {
  code: 'not_supported',
  message: 'Expected an element whose text, number, state or choice can be set, and a value of that kind.',
  fix: 'Use TypeText with clear: true for a text, Click for anything else.',
};
const NO_STATE: Refusal = {
  code: 'invalid_target',
  message: 'Expected “on” or “off”; a radio button can only be switched on.',
};
const PASSWORD: Refusal = {
  code: 'invalid_target',
  message: 'The element is a password field. Handrail types no passwords.',
};
const NOT_DONE: Refusal = { code: 'not_supported', message: 'The app refused to do that.' };
