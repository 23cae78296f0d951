import { MAX_LABEL } from '../../../src/contract/screen.ts';
import { type AriaRole, ariaRoleOf, PASSWORD_ROLE } from './aria-roles.ts';

/** An accessible object: a name on the accessibility bus and a path there. */
export type AccessibleRef = { bus: string; path: string };

/** The facts about an accessible object that need no further question to it. */
export type AccessibleNode = {
  ref: AccessibleRef;
  parentPath: string;
  /** Where it stands among its siblings; -1 when unknown. */
  index: number;
  /** -1 when unknown. */
  childCount: number;
  interfaces: ReadonlySet<string>;
  name: string;
  description: string;
  /** AtspiRole. */
  atspiRole: number;
  aria: AriaRole;
  isPassword: boolean;
  states: AccessibleStates;
};

export type AccessibleStates = {
  checked: boolean;
  editable: boolean;
  enabled: boolean;
  focused: boolean;
  indeterminate: boolean;
  /** Return presses it, wherever the keyboard is in its window or form. */
  isDefault: boolean;
  managesDescendants: boolean;
  multiLine: boolean;
  pressed: boolean;
  selected: boolean;
  showing: boolean;
  visible: boolean;
};

/** One item of org.a11y.atspi.Cache.GetItems, in its present form or the one before 2012; `null` for anything else. */
export function nodeOfCacheItem(item: unknown): AccessibleNode | null {
  if (!Array.isArray(item)) return null;
  const isPresentForm = item.length === 10;
  const [reference, , parent] = item;
  const rest: unknown[] = item.slice(isPresentForm ? 5 : 4);
  const [interfaces, name, role, description, states] = rest;
  const ref = refOf(reference);
  if (ref === null) return null;
  return {
    ref,
    parentPath: refOf(parent)?.path ?? '',
    index: isPresentForm ? numberOf(item[3]) : -1,
    childCount: isPresentForm ? numberOf(item[4]) : arrayOf(item[3]).length,
    ...described({ interfaces, name, role, description, states }),
  };
}

export type Attributes = { interfaces: unknown; name: unknown; role: unknown; description: unknown; states: unknown };

/** The parts of a node that a cache tells as an object itself does. */
export function described({ interfaces, name, role, description, states }: Attributes) {
  return {
    interfaces: new Set(arrayOf(interfaces).map((each) => String(each).replace(/^org\.a11y\.atspi\./, ''))),
    name: textOf(name),
    description: textOf(description),
    atspiRole: numberOf(role),
    aria: ariaRoleOf(numberOf(role)),
    isPassword: numberOf(role) === PASSWORD_ROLE,
    states: statesOf(arrayOf(states).map(numberOf)),
  };
}

export function refOf(value: unknown): AccessibleRef | null {
  const [bus, path] = arrayOf(value);
  return typeof bus === 'string' && typeof path === 'string' && !path.endsWith('/null') ? { bus, path } : null;
}

export function refsOf(value: unknown): AccessibleRef[] {
  return arrayOf(value)
    .map(refOf)
    .filter((ref) => ref !== null);
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : -1;
}

/** Labels come padded and broken into lines; a very long text is cut, since it is no label. */
export function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value.replace(/\s+/gu, ' ').trim() : '';
  return text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL)}…` : text;
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Bit positions of AtspiStateType. */
const BITS = {
  checked: 4,
  editable: 7,
  enabled: 8,
  focused: 12,
  multiLine: 17,
  pressed: 20,
  selected: 23,
  sensitive: 24,
  showing: 25,
  visible: 30,
  managesDescendants: 31,
  indeterminate: 32,
  isDefault: 39,
} as const;

function statesOf(words: readonly number[]): AccessibleStates {
  const has = (bit: number) => (((words[Math.floor(bit / 32)] ?? 0) >>> (bit % 32)) & 1) === 1;
  return {
    checked: has(BITS.checked),
    editable: has(BITS.editable),
    enabled: has(BITS.enabled) || has(BITS.sensitive),
    focused: has(BITS.focused),
    indeterminate: has(BITS.indeterminate),
    isDefault: has(BITS.isDefault),
    managesDescendants: has(BITS.managesDescendants),
    multiLine: has(BITS.multiLine),
    pressed: has(BITS.pressed),
    selected: has(BITS.selected),
    showing: has(BITS.showing),
    visible: has(BITS.visible),
  };
}
