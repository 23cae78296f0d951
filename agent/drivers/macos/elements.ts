import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Bounds } from '../../../src/contract/device.ts';
import { type DegradedReason, Missing, type ScreenElement } from '../../../src/contract/screen.ts';
import { isOwnWindow, ownAmong } from '../../targets/own-pages.ts';
import { type Seen, whyTreeless } from '../looks/describe-screen.ts';
import { LIST_GOES_ON } from '../looks/list-marks.ts';
import { elementsCut, TEXT_CUT } from '../looks/missing.ts';
import type { MacWindow, RunningApp } from './desktop-state.ts';
import { elementId } from './input/ask-elements.ts';
import { permissionReason } from './permissions.ts';
import { ALLOW_OSASCRIPT, type RunProgram, runScript } from './run-script.ts';

const RawElement = Type.Object({
  pid: Type.Integer(),
  windowId: Type.Union([Type.String(), Type.Null()]),
  /** Index of the element it is in. */
  parent: Type.Union([Type.Integer(), Type.Null()]),
  depth: Type.Integer(),
  role: Type.String(),
  subrole: Type.String(),
  name: Type.String(),
  value: Type.Optional(Type.String()),
  /** Of a page, with contents. */
  url: Type.Optional(Type.String()),
  bounds: Type.Union([Bounds, Type.Null()]),
  enabled: Type.Boolean(),
  focused: Type.Boolean(),
  actions: Type.Array(Type.String()),
  path: Type.Object({ root: Type.String(), steps: Type.Array(Type.String()), print: Type.String() }),
  beyond: Type.Optional(Type.Object({ above: Type.Integer(), below: Type.Integer() })),
  missing: Type.Optional(Missing),
});
type RawElement = Static<typeof RawElement>;

const Answer = Type.Object({
  trusted: Type.Boolean(),
  elements: Type.Array(RawElement),
  cut: Type.Union([Type.Enum(['elements', 'time']), Type.Null()]),
  textCut: Type.Boolean(),
  /** Apps that did not answer, with the AXError. */
  unreachable: Type.Array(Type.Object({ pid: Type.Integer(), code: Type.Integer() })),
  /** Apps on a browser engine that did not describe their pages. */
  pageless: Type.Array(Type.Integer()),
});
const answerShape = Compile(Answer);
type Answer = Static<typeof Answer>;

type ElementsRequest = {
  /** Front to back; elements are told in this order. */
  windows: readonly MacWindow[];
  apps: readonly RunningApp[];
  contents: boolean;
  maxElements: number;
  signal: AbortSignal;
};

type Elements = {
  elements: ScreenElement[];
  focusedElement: string | null;
  /** Windows whose app does not describe their contents. */
  treelessWindows: MacWindow[];
  /** Apps that stopped answering. */
  late: number[];
  /** Why not all apps were asked. */
  cut: Missing | undefined;
  /** Apps that did not describe their pages. */
  pageless: number[];
  degradedReasons: DegradedReason[];
};

const TREE_BUDGET_MS = 2_000;
const MESSAGING_TIMEOUT_SECONDS = 0.4;
/** Longer than the budget: the script takes time to start, and an app may hang near the end. */
const SCRIPT_TIMEOUT_MS = TREE_BUDGET_MS + 3_000;
const API_DISABLED = -25_211;

/**
 * How an accessible role is treated. `control`: described with its name, which is a label. `structure`: a container,
 * described without a name unless contents are asked for. `content`: a text that a person wrote or reads; described, with
 * everything in it, only with contents. A role without a kind is left out, but its children are described.
 */
type RoleKind = 'control' | 'structure' | 'content';

/** The ARIA role for a role and subrole of the macOS accessibility interface; the subrole decides where it says more. */
export function ariaRoleOf({ role, subrole }: { role: string; subrole: string }): string {
  return ROLES.get(subrole)?.aria ?? ROLES.get(role)?.aria ?? 'generic';
}

/**
 * Roles and subroles with their ARIA names: after the W3C's Core Accessibility API Mappings where these name one for
 * macOS, otherwise after what AppKit uses the role for.
 */
const CONTROLS = {
  AXButton: 'button',
  AXMenuButton: 'button',
  AXPopUpButton: 'combobox',
  AXCheckBox: 'checkbox',
  AXRadioButton: 'radio',
  AXSwitch: 'switch',
  AXToggle: 'switch',
  AXTabButton: 'tab',
  AXTextField: 'textbox',
  AXTextArea: 'textbox',
  AXSearchField: 'searchbox',
  AXSecureTextField: 'textbox',
  AXComboBox: 'combobox',
  AXSlider: 'slider',
  AXIncrementor: 'spinbutton',
  AXDateTimeArea: 'spinbutton',
  AXColorWell: 'button',
  AXDisclosureTriangle: 'button',
  AXDockItem: 'button',
  AXSortButton: 'columnheader',
  AXProgressIndicator: 'progressbar',
  AXBusyIndicator: 'progressbar',
  AXLevelIndicator: 'meter',
  AXRelevanceIndicator: 'meter',
  AXLink: 'link',
  AXMenuBarItem: 'menuitem',
  AXMenuItem: 'menuitem',
} as const;

const STRUCTURES = {
  AXWindow: 'window',
  AXDialog: 'dialog',
  AXSystemDialog: 'dialog',
  AXSheet: 'dialog',
  AXPopover: 'dialog',
  AXDrawer: 'region',
  AXApplicationDialog: 'dialog',
  AXApplicationAlertDialog: 'alertdialog',
  AXMenuBar: 'menubar',
  AXMenu: 'menu',
  AXToolbar: 'toolbar',
  AXTabGroup: 'tablist',
  AXTabPanel: 'tabpanel',
  AXRadioGroup: 'radiogroup',
  AXTable: 'table',
  AXGrid: 'grid',
  AXOutline: 'tree',
  AXBrowser: 'tree',
  AXList: 'list',
} as const;

const CONTENTS = {
  AXStaticText: 'paragraph',
  AXHeading: 'heading',
  AXImage: 'img',
  AXRow: 'row',
  AXOutlineRow: 'treeitem',
  AXCell: 'cell',
  AXWebArea: 'document',
  AXHelpTag: 'tooltip',
  AXUserInterfaceTooltip: 'tooltip',
  AXApplicationAlert: 'alert',
  AXApplicationStatus: 'status',
  AXApplicationLog: 'log',
  AXApplicationMarquee: 'marquee',
  AXApplicationTimer: 'timer',
  AXDocumentArticle: 'article',
  AXDocumentNote: 'note',
  AXDocumentMath: 'math',
  AXDefinition: 'definition',
  AXTerm: 'term',
} as const;

const ROLES: ReadonlyMap<string, { aria: string; kind: RoleKind }> = new Map([
  ...entries(CONTROLS, 'control'),
  ...entries(STRUCTURES, 'structure'),
  ...entries(CONTENTS, 'content'),
]);

/** The kinds by role and subrole, for the script that walks the tree. */
const ROLE_KINDS: Readonly<Record<string, RoleKind>> = Object.fromEntries(
  [...ROLES].map(([role, { kind }]) => [role, kind]),
);

function entries(roles: Readonly<Record<string, string>>, kind: RoleKind) {
  return Object.entries(roles).map(([role, aria]) => [role, { aria, kind }] as const);
}

/** The controls of the windows on the screen and the menu bar, and with `contents` what is in them, as the apps tell it. */
export async function describeElements(run: RunProgram, request: ElementsRequest): Promise<Elements> {
  const { contents, maxElements, signal, windows } = request;
  const answer = await runScript(run, {
    script: 'accessibility',
    request: {
      apps: appsToAsk(request),
      contents,
      maxElements,
      budgetMs: TREE_BUDGET_MS,
      messagingTimeoutSeconds: MESSAGING_TIMEOUT_SECONDS,
      kinds: ROLE_KINDS,
    },
    answer: answerShape,
    timeoutMs: SCRIPT_TIMEOUT_MS,
    signal,
  });
  if (!answer.ok) return { ...nothing(windows), degradedReasons: [unreadable(answer.message)] };
  if (!answer.data.trusted) return { ...nothing(windows), degradedReasons: [permissionReason('accessibility')] };
  return assembled(answer.data, request);
}

/** The front app with its menu bar comes first, then the others in the order of their windows. */
function appsToAsk({ windows, apps }: ElementsRequest) {
  const front = apps.find((app) => app.frontmost)?.pid;
  const pids = new Set([...(front === undefined ? [] : [front]), ...windows.map((window) => window.pid)]);
  return [...pids].map((pid) => ({
    pid,
    path: apps.find((app) => app.pid === pid)?.path ?? null,
    menuBar: pid === front,
    windows: windows
      .filter((window) => window.pid === pid)
      .map(({ id, title, bounds }) => ({ id, title: title ?? '', bounds })),
  }));
}

function assembled(answer: Answer, request: ElementsRequest): Elements {
  const raw = answer.elements;
  const front = request.apps.find((app) => app.frontmost)?.pid;
  const focused = raw.findLastIndex((element) => element.focused && element.pid === front);
  const withTree = new Set(raw.filter(isTelling).map((element) => element.windowId));
  return {
    elements: withoutOwnPages(raw, request.windows).map((element) => toElement(element, raw)),
    focusedElement: idAt(raw, focused),
    treelessWindows: request.windows.filter(
      (window) => !withTree.has(window.id) || answer.pageless.includes(window.pid),
    ),
    late: hangingIn(answer).map(({ pid }) => pid),
    cut: answer.cut === null ? undefined : answer.cut === 'time' ? 'app_slow' : 'elements_cut',
    pageless: answer.pageless,
    degradedReasons: reasonsOf(answer, request),
  };
}

/** Leaves out what is in Handrail's own pages, and marks them. A parent comes before what is in it. */
function withoutOwnPages(raw: readonly RawElement[], windows: readonly MacWindow[]): RawElement[] {
  const own = new Set(windows.flatMap((window) => ownPagesIn(raw, window)));
  const within = new Set<RawElement>();
  for (const element of raw) {
    const parent = element.parent === null ? undefined : raw[element.parent];
    if (parent !== undefined && (own.has(parent) || within.has(parent))) within.add(element);
  }
  const told = raw.filter((element) => !within.has(element)); // guard N49-4
  return told.map((element) => (own.has(element) ? { ...element, missing: 'own_page' } : element));
}

function ownPagesIn(raw: readonly RawElement[], window: MacWindow): RawElement[] {
  const pages = raw.filter(({ url, windowId }) => url !== undefined && windowId === window.id);
  const own = ownAmong(
    seen(window),
    pages.map(({ url = '' }) => url),
  );
  return pages.filter((_page, index) => own[index]);
}

/** Whether nothing may be read from the pixels of a window. */
export function isOwn(window: MacWindow): boolean {
  return isOwnWindow(seen(window));
}

function seen({ app, pid, title }: MacWindow) {
  return { names: [app], pid, title: title ?? '' };
}

function hangingIn({ unreachable }: Answer): Answer['unreachable'] {
  return unreachable.filter(({ code }) => code !== API_DISABLED);
}

/** Why a window, or a part of it, has no elements. */
export function whyMissing(found: Elements, look: Parameters<typeof whyTreeless>[1]): Seen['why'] {
  const why = whyTreeless(found, look);
  return (window) => (window.pid !== null && found.late.includes(window.pid) ? 'app_slow' : why(window));
}

const WINDOW_BUTTONS = new Set(['AXCloseButton', 'AXMinimizeButton', 'AXZoomButton', 'AXFullScreenButton']);

/** Whether the app describes more than the parts that every window has: itself, its scroll bars and three buttons. */
function isTelling({ role, subrole }: RawElement): boolean {
  return role !== 'AXWindow' && role !== 'AXScrollBar' && !WINDOW_BUTTONS.has(subrole);
}

function toElement(raw: RawElement, all: readonly RawElement[]): ScreenElement {
  const role = ariaRoleOf(raw);
  const value = raw.value === undefined ? undefined : toldValue(role, raw.value);
  return {
    id: idOf(raw),
    role,
    name: raw.name || (WINDOW_BUTTON_NAMES[raw.subrole] ?? ''),
    ...(value !== undefined && value !== raw.name && { value }),
    bounds: raw.bounds,
    enabled: raw.enabled,
    focused: raw.focused,
    actions: [...new Set(raw.actions.map(actionName).filter((name) => name !== ''))].slice(0, MAX_ACTIONS),
    windowId: raw.windowId,
    parentId: raw.parent === null ? null : idAt(all, raw.parent),
    depth: raw.depth,
    beyond: raw.beyond,
    ...missingIn(raw),
  };
}

function missingIn({ missing, name, value = '' }: RawElement): Pick<ScreenElement, 'missing'> {
  if (missing !== undefined) return { missing };
  return Math.max(name.length, value.length) > TEXT_LIMIT ? { missing: 'text_cut' } : {};
}

/** The script cuts longer texts. */
const TEXT_LIMIT = 10_000;
const MAX_ACTIONS = 5;
const WITH_STATE = new Set(['checkbox', 'switch', 'radio']);
const STATES: Readonly<Record<string, string>> = { '0': 'off', '1': 'on', '2': 'mixed', false: 'off', true: 'on' };

/** These buttons have no text of their own. */
const WINDOW_BUTTON_NAMES: Readonly<Record<string, string>> = {
  AXCloseButton: 'Close',
  AXMinimizeButton: 'Minimize',
  AXZoomButton: 'Zoom',
  AXFullScreenButton: 'Full screen',
};

function idAt(all: readonly RawElement[], index: number): string | null {
  const element = all[index];
  return element === undefined ? null : idOf(element);
}

function idOf({ pid, path }: RawElement): string {
  return elementId({ pid, ...path });
}

function toldValue(role: string, value: string): string | undefined {
  if (WITH_STATE.has(role)) return STATES[value] ?? value;
  if (role === 'tab') return STATES[value] === 'on' ? 'selected' : undefined;
  return value;
}

/** `AXPress` is told as `press`; an action of the app's own comes as lines, the first of which names it. */
function actionName(action: string): string {
  const own = /^Name:(.*)/.exec(action)?.[1];
  if (own !== undefined) return own.trim();
  const name = action.replace(/^AX/, '');
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function reasonsOf(answer: Answer, { apps, maxElements }: ElementsRequest): DegradedReason[] {
  const hanging = hangingIn(answer);
  const nameOf = (pid: number) => apps.find((app) => app.pid === pid)?.name ?? `process ${pid}`;
  return [
    ...(answer.unreachable.length > hanging.length ? [permissionReason('accessibility')] : []),
    ...hanging.map(({ pid }) => slow(`${nameOf(pid)} does not answer.`)),
    ...answer.pageless.map((pid) => pageless(nameOf(pid))),
    ...(answer.cut === 'time' ? [slow(`Not all controls were told within ${TREE_BUDGET_MS} ms.`)] : []),
    ...(answer.cut === 'elements' ? [elementsCut(maxElements)] : []),
    ...(answer.textCut ? [TEXT_CUT] : []),
    ...(answer.elements.some(({ beyond }) => beyond !== undefined) ? [LIST_GOES_ON] : []),
  ];
}

function nothing(windows: readonly MacWindow[]): Omit<Elements, 'degradedReasons'> {
  return {
    elements: [],
    focusedElement: null,
    treelessWindows: [...windows],
    late: [],
    cut: undefined,
    pageless: [],
  };
}

function unreadable(why: string): DegradedReason {
  return {
    code: 'accessibility_off',
    message: `The controls of the apps could not be read: ${why}`,
    fix: ALLOW_OSASCRIPT,
  };
}

function pageless(app: string): DegradedReason {
  return {
    code: 'page_without_tree',
    message: `${app} does not tell what its pages hold, so that their text was read from a picture.`,
    fix: 'In Chrome, Edge or Brave, switch accessibility on at chrome://accessibility, and ask again.',
  };
}

function slow(message: string): DegradedReason {
  return { code: 'app_slow', message, fix: 'Check whether the app hangs, and ask again.' };
}
