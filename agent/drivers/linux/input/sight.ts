import type { Bounds } from '../../../../src/contract/device.ts';
import { isIn, type Point } from '../../../../src/contract/picture-frames.ts';
import type { ResolvedApp, ScreenElement } from '../../../../src/contract/screen.ts';
import type { InputFailed, Sighting, SightReference } from '../../input.ts';
import type { Elements, ElementsRequest } from '../accessibility.ts';
import { type AccessibilityBus, property } from '../accessibility-bus.ts';
import { type AccessibleNode, type AccessibleRef, refsOf, textOf } from '../accessible-node.ts';
import type { Part } from '../accessible-part.ts';
import { readNode, timeLeftOf } from '../read-node.ts';
import type { IdentitySources } from '../window.ts';
import type { XWindow } from '../x-window.ts';
import { withoutDisplay, type X11 } from '../x11.ts';
import { refOfElement } from './accessible-object.ts';
import { type DialogPlace, fileDialogAt } from './file-dialog.ts';
import { focusWay, type LatestFocus, receiverIn } from './keyboard-focus.ts';
import { insideOf, type Others, othersAt, wayTo } from './others-at.ts';
import { surroundingsOf } from './surroundings.ts';

export type SightNeeds = IdentitySources & {
  x11: X11;
  bus: AccessibilityBus;
  readElements(request: ElementsRequest): Promise<Elements>;
  appOf(window: XWindow): Promise<ResolvedApp>;
  latestFocus: LatestFocus;
  /** The text that was typed last, as long as no field has told it: some of its keys may be on their way. */
  typing: { unread?: string | undefined };
};

type Sighted = { ok: true; data: Sighting };

const BUDGET_MS = 2_000;
const MOST_ELEMENTS = 10_000;

/** Finds the target of a reference. Asks only the app that it belongs to. */
export async function sightOf(
  needs: SightNeeds,
  reference: SightReference,
  signal: AbortSignal,
): Promise<Sighted | InputFailed> {
  const desktop = await needs.x11.desktop();
  if (!desktop.ok) return withoutDisplay(desktop.reason);
  const { windows } = desktop.value;
  switch (reference.kind) {
    case 'element':
      return sightOfElement(needs, { elementId: reference.elementId, windows, signal });
    case 'point':
      return sightOfPoint(needs, { point: reference.point, windows, signal });
    case 'focus': {
      const window = windows.find(({ focused }) => focused) ?? null;
      if (window === null) return nothing('A window with the keyboard focus is expected; there is none.');
      const found = await elementsIn(needs, { part: { kind: 'focus' }, pid: window.pid, windows, signal });
      const element = found.elements.find(({ id }) => id === found.focusedElement) ?? null;
      noteFocus(needs.latestFocus, found, element);
      const seen = await told(needs, {
        window,
        element,
        found,
        takesKeys: true,
        isCovered: false,
        isPart: isCutShort(found),
      });
      const menu = await needs.x11.isMenuOpen(window);
      return menu.ok && !menu.value ? seen : { ok: true, data: { ...seen.data, isMenuOpen: true } };
    }
  }
}

function noteFocus(latest: LatestFocus, { trees, apps: [app] }: Elements, element: ScreenElement | null): void {
  const node = receiverIn(trees);
  const focus = node === undefined || app === undefined ? undefined : { node, toolkit: app.toolkit };
  latest.seen = { atMs: performance.now(), focus };
  const ref = element === null ? null : refOfElement(element.id);
  latest.way = ref === null || app === undefined ? undefined : focusWay(trees, ref, app);
}

type Among = { windows: readonly XWindow[]; signal: AbortSignal };

/** The window is the one that gets the clicks there, also where no window manager knows it. */
async function sightOfPoint(
  needs: SightNeeds,
  { point, windows, signal }: Among & { point: Point },
): Promise<Sighted | InputFailed> {
  const at = await needs.x11.windowAt(point, windows);
  if (!at.ok) return withoutDisplay(at.reason);
  if (at.value === null) return nothing('A window is expected at the point; there is none.');
  const { window, isItself, popup } = at.value;
  const part: Part = isItself ? { kind: 'point', point, window } : { kind: 'all' };
  const found = await elementsIn(needs, { part, pid: window.pid, windows, signal });
  const isInside = popup === undefined ? () => true : await insideOf(needs.bus, { popup, found });
  const there = found.elements.filter(
    (element) => (element.windowId === window.id || element.windowId === null) && isAt(element, point),
  );
  const element = innermost(there.filter(isInside)); // guard N40-2
  // An app may not tell what its menu has there, and knows nothing of the frame: that is the window manager's, with buttons and a menu.
  const isOnFrame = isItself && !isIn(window.clientBounds, point);
  const isPart = isCutShort(found) || isOnFrame || (popup !== undefined && element === null); // guard N53-2
  const behind = popup === undefined ? { point } : {};
  return told(needs, { window, element, found, takesKeys: false, isCovered: false, isPart, ...behind });
}

async function sightOfElement(
  needs: SightNeeds,
  { elementId, windows, signal }: Among & { elementId: string },
): Promise<Sighted | InputFailed> {
  const ref = refOfElement(elementId);
  const apps = ref === null ? null : await needs.bus.apps(BUDGET_MS);
  const app = apps?.find(({ root }) => root.bus === ref?.bus);
  if (ref === null) return nothing(`There is no element ${JSON.stringify(elementId.slice(0, 100))}.`);
  if (apps === null) return nothing('The accessibility bus does not answer, so nobody knows whether it is there.');
  if (app === undefined) return nothing('Expected the id of an element on the screen; its app is gone.');
  const found = await elementsIn(needs, { part: { kind: 'element', ref }, pid: app.pid, windows, signal });
  const element = found.elements.find(({ id }) => id === elementId);
  if (element === undefined) return nothing(await whyNot(needs.bus, ref, found));
  const window =
    windows.find(({ id }) => id === element.windowId) ?? windows.find(({ pid }) => pid === app.pid) ?? null;
  const front = await frontOf(needs, { element, window, windows, found });
  return told(needs, { window, element, found, takesKeys: false, isPart: false, ...front });
}

/** Why an element of an app that is there was not found. */
async function whyNot(bus: AccessibilityBus, ref: AccessibleRef, found: Elements): Promise<string> {
  if (found.late.length > 0) return 'Its app did not answer in time, so nobody knows whether it is there.';
  const node = await readNode(bus, ref, () => BUDGET_MS);
  if (node === null) return 'Expected the id of an element on the screen; it is gone.';
  return 'It is there, and not in view: scroll to it, or show what it is in.';
}

type Front = Pick<Seen, 'isCovered' | 'point'>;
type InWindow = { element: ScreenElement; window: XWindow | null; windows: readonly XWindow[]; found: Elements };

/** Whether a click on the middle of the element would go to another window or to an open menu. What else a page has there lies behind a menu. */
async function frontOf({ x11, bus }: SightNeeds, { element, window, windows, found }: InWindow): Promise<Front> {
  if (element.bounds === null) return { isCovered: false };
  const point = middleOf(element.bounds);
  const at = await x11.windowAt(point, windows);
  if (!at.ok || at.value === null) return { isCovered: true, point };
  const { window: front, popup } = at.value;
  if (front.pid !== window?.pid || isOther(front, { element, window })) return { isCovered: true, point };
  if (popup === undefined) return { isCovered: false, point };
  const isInside = await insideOf(bus, { popup, found });
  return { isCovered: !isInside(element) }; // guard N40-1
}

function middleOf({ x, y, width, height }: Bounds): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

/** Whether the app told only a part, because it was slow or has too many controls. Another control may be at the place. */
function isCutShort({ degradedReasons }: Elements): boolean {
  return degradedReasons.some(({ code }) => code === 'app_slow' || code === 'elements_cut');
}

/** Windows of one program cover each other, too. A menu that the app tells without its window may be in one that is no main window. */
function isOther(front: XWindow, { element, window }: { element: ScreenElement; window: XWindow }): boolean {
  return front.id !== window.id && (front.isMain || element.windowId !== null);
}

/** The elements of one app; the windows of the others count as not shown. */
function elementsIn(
  needs: SightNeeds,
  { pid, windows, part, signal }: Among & { pid: number | null; part: Part },
): Promise<Elements> {
  const own = windows.map((window) => ({ ...window, shown: window.shown && window.pid === pid }));
  return needs.readElements({
    windows: own,
    // The elements of a page count as contents.
    contents: true,
    maxElements: MOST_ELEMENTS,
    budgetMs: BUDGET_MS,
    signal,
    part,
  });
}

type Seen = {
  window: XWindow | null;
  element: ScreenElement | null;
  found: Elements;
  takesKeys: boolean;
  isCovered: boolean;
  isPart: boolean;
  /** Where the pointer would go. */
  point?: Point;
};

const TEXTS_BUDGET_MS = 500;
/** So many objects of a chain, and so many labels of each, are asked. More are too many to be judged. */
const MOST_ASKED = 20;
const ACCESSIBLE = 'org.a11y.atspi.Accessible';
/** By AtspiRelationType: what it labels, its labels, its descriptions. */
const SAYS_MORE: ReadonlySet<unknown> = new Set([1, 2, 18]);
/** A press on something in them presses them too. */
const PRESSED: ReadonlySet<string> = new Set([
  ...['button', 'link', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'checkbox', 'radio', 'switch', 'tab'],
  ...['option', 'treeitem', 'row', 'listitem', 'combobox', 'slider', 'spinbutton', 'textbox', 'columnheader'],
]);
/** Their names are titles. */
const HOLDERS: ReadonlySet<string> = new Set(['window', 'dialog', 'alertdialog', 'form', 'document', 'application']);

/**
 * All words of an object but its name: its hint, the names and hints of what a press on it presses, and of the labels of each. `above`: the object
 * and everything that it is in, the innermost first. Null where the app does not tell all of them in time.
 */
export async function textsOf(bus: AccessibilityBus, above: readonly AccessibleNode[]): Promise<string[] | null> {
  const all = pressedOf(above);
  const chain = all.slice(0, MOST_ASKED);
  if (all.slice(MOST_ASKED).some(({ aria }) => PRESSED.has(aria.role))) return null;
  const timeLeftMs = timeLeftOf(TEXTS_BUDGET_MS);
  const related = await Promise.all(chain.map(({ ref }) => labelsOf(bus, ref, timeLeftMs)));
  const own = chain.flatMap(({ name, description }) => [name, description]);
  const [name] = own;
  const told = related.filter((labels) => labels !== null);
  if (told.length < related.length) return null; // guard N38-1
  return [...new Set([...own, ...told.flat()])].filter((text) => text !== '' && text !== name);
}

/** From an object to the first one around it that can be pressed, and all further ones that can be. */
function pressedOf(above: readonly AccessibleNode[]): AccessibleNode[] {
  const end = above.findIndex(({ aria }) => HOLDERS.has(aria.role));
  const inside = end < 0 ? above : above.slice(0, end);
  const first = inside.findIndex(({ aria }) => PRESSED.has(aria.role));
  return inside.filter(({ aria }, index) => first < 0 || index <= first || PRESSED.has(aria.role));
}

async function labelsOf(bus: AccessibilityBus, ref: AccessibleRef, timeLeftMs: () => number): Promise<string[] | null> {
  const answer = await bus.ask(ref, { interface: ACCESSIBLE, member: 'GetRelationSet' }, timeLeftMs());
  // An object that answers with a fault has no labels; one that does not answer has not told them.
  if (answer === null && isOver(timeLeftMs)) return null;
  const relations = Array.isArray(answer?.[0]) ? answer[0] : [];
  const labels = relations.flatMap((relation: unknown) =>
    Array.isArray(relation) && SAYS_MORE.has(relation[0]) ? refsOf(relation[1]) : [],
  );
  if (labels.length > MOST_ASKED) return null;
  const questions = labels.flatMap((label) => ['Name', 'Description'].map((member) => ({ label, member })));
  const texts = questions.map(async ({ label, member }) =>
    textOf((await bus.ask(label, property(ACCESSIBLE, member), timeLeftMs()))?.[0]),
  );
  const told = await Promise.all(texts);
  return isOver(timeLeftMs) && told.includes('') ? null : told;
}

/** Whether the time has passed; a timer may be a bit early. */
function isOver(timeLeftMs: () => number): boolean {
  return timeLeftMs() < 2;
}

async function told(needs: SightNeeds, seen: Seen): Promise<Sighted> {
  const { window, element, found, takesKeys, isCovered, isPart, point } = seen;
  const ref = element === null ? null : refOfElement(element.id);
  const above = wayTo(found.trees, ref);
  const [node] = above;
  const isEditable = node?.states.editable === true;
  const accessible = found.apps.find(({ root, pid }) => (ref === null ? pid === window?.pid : root.bus === ref.bus));
  const { trees, isWhole } = found;
  const [app, others, dialog, texts, around] = await Promise.all([
    window === null ? NO_APP : needs.appOf(window),
    point === undefined ? NOTHING_ELSE : othersAt(needs.bus, { app: accessible, above, point }),
    dialogAround(needs.bus, { app: accessible, above, trees, isWhole, unread: needs.typing.unread }, window),
    textsOf(needs.bus, above),
    surroundingsOf(needs.bus, {
      app: accessible,
      above,
      trees,
      isWhole,
      windowTitle: window?.title ?? '',
      takesKeys: takesKeys || isEditable,
      isMultiLine: node?.states.multiLine === true,
    }),
  ]);
  const sighted = element === null ? null : { ...facts(element), isPassword: node?.isPassword === true, isEditable };
  const data = {
    app,
    pid: window?.pid ?? null,
    windowId: window?.id ?? null,
    windowTitle: window?.title ?? '',
    windowBounds: window?.bounds ?? null,
    element: sighted,
    isCovered,
    ...dialog,
    ...wordsBeside({ others: others?.names ?? null, texts, isPart }),
    ...around,
    documents: around.documents.length === 0 ? [] : [...(others?.documents ?? []), ...around.documents], // guard N41-2
  };
  return { ok: true, data };
}

async function dialogAround(
  bus: AccessibilityBus,
  place: Omit<DialogPlace, 'isDialog'>,
  window: XWindow | null,
): Promise<Pick<Sighting, 'dialog'>> {
  const dialog = await fileDialogAt(bus, { ...place, isDialog: window?.isDialog === true });
  return dialog === undefined ? {} : { dialog };
}

type Words = { others: string[] | null; texts: string[] | null; isPart: boolean };

function wordsBeside({ others, texts, isPart }: Words) {
  return {
    // Something else may lie there, or it may be called something else.
    ...((isPart || others === null || texts === null) && { isPart: true }),
    ...(others !== null && others.length > 0 && { others }),
    ...(texts !== null && texts.length > 0 && { texts }),
  };
}

const NOTHING_ELSE: Others = { names: [], documents: [] };
const NO_APP: ResolvedApp = { appName: 'An app without a name', alsoKnownAs: [], risks: [] };

function facts({ id, role, name, bounds }: ScreenElement) {
  return { elementId: id, role, name, bounds };
}

/** The smallest; of equals the deepest, which stands last. */
function innermost(there: readonly ScreenElement[]): ScreenElement | null {
  const area = ({ bounds }: ScreenElement) =>
    bounds === null ? Number.POSITIVE_INFINITY : bounds.width * bounds.height;
  return there.reduce<ScreenElement | null>(
    (best, one) => (best === null || area(one) <= area(best) ? one : best),
    null,
  );
}

function isAt({ bounds }: ScreenElement, point: Point): boolean {
  return bounds !== null && isIn(bounds, point);
}

function nothing(message: string): InputFailed {
  return { ok: false, code: 'target_gone', message, fix: 'Describe the screen again.', sideEffect: 'none' };
}
