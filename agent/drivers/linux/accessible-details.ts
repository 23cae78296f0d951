import type { Bounds } from '../../../src/contract/device.ts';
import { type AccessibilityBus, property, type Question } from './accessibility-bus.ts';
import { type AccessibleNode, type AccessibleRef, refsOf, textOf } from './accessible-node.ts';

/** Details that only the object itself can answer. */
export type AccessibleDetails = {
  /** As the toolkit tells it: root coordinates, or coordinates of the window with GTK 4; `null` when it has no place. */
  extents: Bounds | null;
  actions: string[];
  /** The name of the label in front of a field that has no name of its own. */
  labelledBy: string;
  /** Only when contents are asked for, and never of a password field. */
  text: { value: string; isCut: boolean } | null;
  number: string | null;
};

/**
 * `isBrief`: no actions, and texts only of an object that nothing else tells about. `hasOneAction`: the objects of this app have no second
 * action that matters. `nameAt`: names that are known already.
 */
export type DetailsRequest = {
  contents: boolean;
  isBrief?: boolean;
  hasOneAction?: boolean;
  nameAt?: NameAt;
  timeLeftMs(): number;
};

type NameAt = (ref: AccessibleNode['ref']) => string | undefined;

/** The most characters read from a text. */
const TEXT_LIMIT = 10_000;
/** Stands in a text for an object inside it. */
const PLACEHOLDER = '\ufffc';
const MAX_ACTIONS = 5;
const LABELLED_BY = 2;
export const SCREEN_COORDINATES = 0;
/** An object answers this for an extent that it does not have. */
const NO_PLACE = -0x8000_0000;

const WITH_LABEL = new Set(['textbox', 'combobox', 'spinbutton', 'slider', 'switch']);
const WITH_TEXT = new Set([
  'textbox',
  'combobox',
  'spinbutton',
  'document',
  'cell',
  'heading',
  'paragraph',
  'listitem',
]);
const WITH_NUMBER = new Set(['slider', 'spinbutton', 'progressbar', 'meter']);

/** Asks everything of one object at once. */
export async function readDetails(
  bus: AccessibilityBus,
  node: AccessibleNode,
  { contents, isBrief = false, hasOneAction = false, nameAt = () => undefined, timeLeftMs }: DetailsRequest,
): Promise<AccessibleDetails> {
  const ask = (question: Question, ref = node.ref) => bus.ask(ref, question, timeLeftMs());
  const told = contents && !node.isPassword; // guard E-20
  const [extents, actions, labelledBy, text, number] = await Promise.all([
    node.interfaces.has('Component') ? ask(extentsQuestion) : null,
    !isBrief && node.interfaces.has('Action') ? readActions(ask, hasOneAction) : [],
    node.name === '' && WITH_LABEL.has(node.aria.role) ? readLabel(ask, nameAt) : '',
    told && hasOwnText(node) && (!isBrief || isUnnamed(node)) ? readText(ask) : null,
    told && !isBrief && node.interfaces.has('Value') && WITH_NUMBER.has(node.aria.role)
      ? ask(property('org.a11y.atspi.Value', 'CurrentValue'))
      : null,
  ]);
  const isChosen = text?.value === '' && node.aria.role === 'combobox' && node.interfaces.has('Collection');
  return {
    extents: boundsOf(extents?.[0]),
    actions,
    labelledBy,
    text: isChosen ? await readChosen(bus, node, timeLeftMs) : text,
    number: number === null ? null : numberText(number[0]),
  };
}

/**
 * Whether an object's text is its own. The text of an object with children is that of its children, with a placeholder for
 * each.
 */
function hasOwnText({ interfaces, aria, childCount }: AccessibleNode): boolean {
  return interfaces.has('Text') && WITH_TEXT.has(aria.role) && (aria.kind === 'control' || childCount <= 0);
}

/** Whether an object may have a text or a number, which is told with contents only. */
export function hasValue(node: AccessibleNode): boolean {
  return hasOwnText(node) || (node.interfaces.has('Value') && WITH_NUMBER.has(node.aria.role));
}

/** It is told of only if it has a text. */
function isUnnamed({ name, aria }: AccessibleNode): boolean {
  return name === '' && aria.kind === 'content';
}

type Ask = (question: Question, ref?: AccessibleNode['ref']) => Promise<readonly unknown[] | null>;

export const extentsQuestion = {
  interface: 'org.a11y.atspi.Component',
  member: 'GetExtents',
  signature: 'u',
  body: [SCREEN_COORDINATES],
};

const ACTION = 'org.a11y.atspi.Action';

async function readActions(ask: Ask, hasOneAction: boolean): Promise<string[]> {
  if (hasOneAction) return [(await readActionName(ask, 0)).toLowerCase()].filter((name) => name !== '');
  const [all] = (await ask({ interface: ACTION, member: 'GetActions' })) ?? [];
  const names = Array.isArray(all)
    ? all.slice(0, MAX_ACTIONS).map((one) => textOf(Array.isArray(one) ? one[0] : ''))
    : [];
  // Chromium leaves out the names when it is asked for all at once; the first name is the click action.
  const named = names[0] === '' ? [await readActionName(ask, 0)] : names;
  // GTK 4 adds what the keyboard can do anywhere, such as clipboard.copy, with a point in the name.
  return [...new Set(named.map((name) => name.toLowerCase()))].filter((name) => name !== '' && !name.includes('.'));
}

async function readActionName(ask: Ask, index: number): Promise<string> {
  const question = { interface: ACTION, member: 'GetName', signature: 'i', body: [index] };
  return textOf((await ask(question))?.[0]);
}

async function readLabel(ask: Ask, nameAt: NameAt): Promise<string> {
  const [relations] = (await ask({ interface: 'org.a11y.atspi.Accessible', member: 'GetRelationSet' })) ?? [];
  const targets = Array.isArray(relations) ? relations.filter((relation) => relation[0] === LABELLED_BY) : [];
  const labels = targets.flatMap((relation) => refsOf(relation[1]));
  const names = labels.map(
    async (label) => nameAt(label) ?? (await ask(property('org.a11y.atspi.Accessible', 'Name'), label))?.[0] ?? '',
  );
  return textOf((await Promise.all(names)).join(' '));
}

/** One character more than is told shows that there are more. */
async function readText(ask: Ask): Promise<{ value: string; isCut: boolean } | null> {
  const body = [0, TEXT_LIMIT + 1];
  const [text] = (await ask({ interface: 'org.a11y.atspi.Text', member: 'GetText', signature: 'ii', body })) ?? [];
  if (typeof text !== 'string') return null;
  const isCut = text.length > TEXT_LIMIT && [...text].length > TEXT_LIMIT;
  const told = isCut ? [...text].slice(0, TEXT_LIMIT).join('') : text;
  return { value: told.replaceAll(PLACEHOLDER, ''), isCut };
}

/** Bits of AtspiStateType. */
export const STATES = { enabled: 8, focused: 12, selected: 23, showing: 25, isDefault: 39 } as const;

/** All of the states, and one of the roles (AtspiRole) if there are any. */
export type Wanted = { states: readonly number[]; roles?: readonly number[]; most?: number };

/** AtspiCollectionMatchType, and the order of the tree. */
const [ALL, ANY, IN_ORDER] = [1, 2, 1];

/**
 * The objects inside of another, in the order of the tree; `null` where the app does not search. It looks at all objects, and other apps
 * than browsers make every entry of a list for that, so only browsers are asked.
 */
export async function matchesIn(
  bus: AccessibilityBus,
  within: AccessibleRef,
  { wanted, timeoutMs }: { wanted: Wanted; timeoutMs: number },
): Promise<AccessibleRef[] | null> {
  const { states, roles = [], most = 0 } = wanted;
  const rule = [bits(states, 2), ALL, [], ALL, bits(roles, 5), roles.length > 0 ? ANY : ALL, [], ALL, false];
  const found = await bus.ask(
    within,
    {
      interface: 'org.a11y.atspi.Collection',
      member: 'GetMatches',
      signature: '(aiia{ss}iaiiasib)uib',
      body: [rule, IN_ORDER, most, true],
    },
    timeoutMs,
  );
  return found === null ? null : refsOf(found[0]);
}

function bits(places: readonly number[], words: number): number[] {
  const set = new Int32Array(words);
  for (const place of places) set[place >> 5] = (set[place >> 5] ?? 0) | (1 << (place & 31));
  return [...set];
}

/** A list to choose from in a page has no text of its own. */
async function readChosen(bus: AccessibilityBus, { ref }: AccessibleNode, timeLeftMs: () => number) {
  const wanted = { states: [STATES.selected], most: 1 };
  const [chosen] = (await matchesIn(bus, ref, { wanted, timeoutMs: timeLeftMs() })) ?? [];
  const question = property('org.a11y.atspi.Accessible', 'Name');
  const [name] = (chosen && (await bus.ask(chosen, question, timeLeftMs()))) ?? [];
  return { value: textOf(name), isCut: false };
}

export function boundsOf(extents: unknown): Bounds | null {
  if (!Array.isArray(extents)) return null;
  const [x, y, width, height] = extents.map(Number);
  if (x === undefined || y === undefined || width === undefined || height === undefined) return null;
  return x <= NO_PLACE || y <= NO_PLACE || width <= 0 || height <= 0 ? null : { x, y, width, height };
}

function numberText(value: unknown): string | null {
  return typeof value === 'number' ? String(Number(value.toFixed(6))) : null;
}
