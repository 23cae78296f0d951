import type { DegradedReason, ScreenElement } from '../../../src/contract/screen.ts';
import { firstElements, LIST_GOES_ON } from '../looks/list-marks.ts';
import { elementsCut, TEXT_CUT } from '../looks/missing.ts';
import type { AccessibilityBus, AccessibleApp } from './accessibility-bus.ts';
import { type AccessibleDetails, type DetailsRequest, readDetails } from './accessible-details.ts';
import { type AccessibleWindow, withElements } from './accessible-elements.ts';
import type { AccessibleNode, AccessibleRef } from './accessible-node.ts';
import { type Parents, type Part, readPart } from './accessible-part.ts';
import { type AccessibleTree, collectTrees, isGtk4 } from './accessible-tree.ts';
import { isPopup, matchWindows } from './accessible-windows.ts';
import { createWaker, type Waker } from './chromium-wake.ts';
import { flattened } from './flattened-tree.ts';
import { leaveOutOwnPages } from './own-documents.ts';
import type { XWindow } from './x-window.ts';
import { appsWithYoung } from './young-apps.ts';

export type ElementsRequest = {
  /** Every window, in front first. Only the elements of shown windows are described. */
  windows: readonly XWindow[];
  contents: boolean;
  maxElements: number;
  budgetMs: number;
  signal: AbortSignal;
  /** Reads only the way to this part. If the rest has to be read as well, its texts and actions are left out. */
  part?: Part;
};

export type Elements = {
  /** The elements, those of the front window first. */
  elements: ScreenElement[];
  focusedElement: string | null;
  /** Shown windows whose app does not describe their contents. */
  treelessWindows: XWindow[];
  /** The processes of apps that did not tell all in time. */
  late: (number | null)[];
  apps: AccessibleApp[];
  /** The objects behind the elements; of one app whose part was asked for, not all may have been read. */
  trees: AccessibleTree[];
  isWhole: boolean;
  degradedReasons: DegradedReason[];
};

/** The controls of the windows on the screen, as the apps report them over AT-SPI. With `contents` also their contents. */
export function createElementReader(bus: AccessibilityBus): (request: ElementsRequest) => Promise<Elements> {
  const sources = { bus, waker: createWaker(bus), parents: new Map() };
  return (request) => describeElements(sources, request);
}

type Sources = { bus: AccessibilityBus; waker: Waker; parents: Parents };

async function describeElements(sources: Sources, request: ElementsRequest): Promise<Elements> {
  const { bus } = sources;
  const shown = request.windows.filter((window) => window.shown);
  const endsAt = performance.now() + request.budgetMs;
  const timeLeftMs = () => (request.signal.aborted ? 0 : Math.max(0, endsAt - performance.now()));
  const readApps = () => bus.apps(timeLeftMs());
  const apps = shown.length === 0 ? [] : await appsWithYoung({ windows: shown, readApps, timeLeftMs });
  if (apps === null) return withoutBus(shown);
  const relevant = apps.filter((app) => isOnScreen(app, request.windows));
  const answers = await Promise.all(relevant.map((app) => describeApp(sources, { app, request, timeLeftMs })));
  return assembled(answers, { request, shown });
}

/** An app behind a proxy, as in a sandbox, is on the bus as another process; it is asked in case its titles fit. */
function isOnScreen({ pid }: AccessibleApp, windows: readonly XWindow[]): boolean {
  const own = windows.filter((window) => window.pid === pid);
  return own.length === 0 || own.some((window) => window.shown);
}

/** The upper edge of the windows of an app; GTK 4 tells places inside of its window. */
function topOf({ pid, toolkit }: AccessibleApp, windows: readonly XWindow[]): number {
  const own = windows.filter((window) => window.shown && window.pid === pid);
  return isGtk4(toolkit) || own.length === 0 ? 0 : Math.min(...own.map(({ bounds }) => bounds.y));
}

type AppRequest = { app: AccessibleApp; request: ElementsRequest; timeLeftMs(): number };
type AppAnswer = { windows: AccessibleWindow[]; cut: boolean; app: AccessibleApp; late: boolean; isWhole: boolean };

async function describeApp(
  { bus, waker, parents }: Sources,
  { app, request, timeLeftMs }: AppRequest,
): Promise<AppAnswer> {
  const { contents, maxElements, part } = request;
  const maxNodes = 4 * maxElements + 200;
  let isWhole = true;
  const collect = async () => {
    const quick =
      part === undefined ? null : await readPart(bus, { app, part, windows: request.windows, timeLeftMs }, parents);
    isWhole = quick === null;
    if (quick !== null) return { toplevels: quick, cut: false };
    return collectTrees(bus, { app, contents, maxNodes, top: topOf(app, request.windows), timeLeftMs });
  };
  const { toplevels, cut } = await waker.awake(app, collect);
  const matched = matchWindows(toplevels, { app, windows: request.windows });
  const wanted = matched.filter(
    ({ window, tree }) => window?.shown ?? isPopup(tree, { app, windows: request.windows }),
  );
  const windows = await Promise.all(
    wanted.map(async ({ tree, window }) => {
      // What is in its own pages is still found where an input is judged, which never goes there.
      if (contents && part === undefined) await leaveOutOwnPages(bus, { app, tree, window, timeLeftMs });
      const all = flattened(tree);
      const nodes = part?.kind === 'focus' ? towardsFocus(tree) : all;
      const names = new Map(all.map(({ ref, name }) => [ref.path, name]));
      const nameAt = ({ bus: name, path }: AccessibleRef) => (name === app.root.bus ? names.get(path) : undefined);
      const isBrief = part !== undefined;
      // Chromium leaves out the names where it is asked for all at once, and only the first one is for pressing.
      const hasOneAction = app.toolkit === 'Chromium';
      const details = await detailsOf(bus, nodes, { contents, isBrief, hasOneAction, nameAt, timeLeftMs });
      return { tree, window, details, toolkit: app.toolkit, contents, isPart: !isWhole || part?.kind === 'focus' };
    }),
  );
  const late = timeLeftMs() === 0;
  if (late) for (const { tree, window } of windows) if (window !== null) tree.missing = 'app_slow';
  return { windows, cut, app, late, isWhole };
}

async function detailsOf(
  bus: AccessibilityBus,
  [top, ...below]: readonly AccessibleNode[],
  request: DetailsRequest,
): Promise<Map<AccessibleNode, AccessibleDetails>> {
  const nodes = [...(top === undefined ? [] : [top]), ...below.filter(({ aria }) => aria.kind !== 'transparent')];
  return new Map(await Promise.all(nodes.map(async (node) => [node, await readDetails(bus, node, request)] as const)));
}

/** The window, and the objects that have the focus or something with it inside. */
function towardsFocus({ node, children }: AccessibleTree): AccessibleNode[] {
  const hasFocus = (tree: AccessibleTree): boolean => tree.node.states.focused || tree.children.some(hasFocus);
  return [node, ...children.filter(hasFocus).flatMap(towardsFocus)];
}

function assembled(
  answers: readonly AppAnswer[],
  { request, shown }: { request: ElementsRequest; shown: readonly XWindow[] },
): Elements {
  const order = new Map(shown.map((window, index) => [window.id, index]));
  const told = answers
    .flatMap(({ windows }) => withElements(windows))
    .sort((a, b) => rank(a.accessible, order) - rank(b.accessible, order));
  const all = told.flatMap(({ elements }) => elements);
  const elements = firstElements(all, request.maxElements);
  const withTree = new Set(
    told.filter((one) => one.elements.length > 1).map(({ accessible }) => accessible.window?.id),
  );
  const isCut = all.length > elements.length || answers.some((answer) => answer.cut && !answer.late);
  return {
    elements,
    focusedElement: focusedOf(elements, shown),
    treelessWindows: shown.filter((window) => !withTree.has(window.id)),
    late: answers.filter((answer) => answer.late).map(({ app }) => app.pid),
    apps: answers.map(({ app }) => app),
    trees: told.map(({ accessible }) => accessible.tree),
    isWhole: answers.every((answer) => answer.isWhole),
    degradedReasons: [
      ...answers.filter((answer) => answer.late).map(({ app }) => lateReason(app, request)),
      ...(isCut ? [elementsCut(request.maxElements)] : []),
      ...(answers.some(hasCutText) ? [TEXT_CUT] : []),
      ...(elements.some(({ beyond }) => beyond !== undefined) ? [LIST_GOES_ON] : []),
    ],
  };
}

function rank({ window }: AccessibleWindow, order: ReadonlyMap<string, number>): number {
  return window === null ? -1 : (order.get(window.id) ?? order.size);
}

/** The innermost element that has the keyboard, in the window that has it. */
function focusedOf(elements: readonly ScreenElement[], shown: readonly XWindow[]): string | null {
  const front = shown.find((window) => window.focused)?.id;
  const focused = elements.filter((element) => element.focused && element.windowId === front);
  if (focused.length < 2) return focused[0]?.id ?? null;
  // A page keeps its focus while the keyboard is in the browser's own controls.
  const byId = new Map(elements.map((element) => [element.id, element]));
  const beside = focused.filter((element) => element.depth > 0 && !isInPage(element, byId));
  return (beside.at(-1) ?? focused.at(-1))?.id ?? null;
}

function isInPage(element: ScreenElement, byId: ReadonlyMap<string, ScreenElement>): boolean {
  let at: ScreenElement | undefined = element;
  while (at !== undefined && at.role !== 'document') at = at.parentId === null ? undefined : byId.get(at.parentId);
  return at !== undefined;
}

function hasCutText({ windows }: AppAnswer): boolean {
  return windows.some(({ details }) => [...details.values()].some(({ text }) => text?.isCut === true));
}

function withoutBus(shown: readonly XWindow[]): Elements {
  return {
    elements: [],
    focusedElement: null,
    treelessWindows: [...shown],
    late: [],
    apps: [],
    trees: [],
    isWhole: true,
    degradedReasons: [
      {
        code: 'accessibility_off',
        message: 'Apps cannot be asked for their controls: the accessibility bus does not answer.',
        fix: 'Install at-spi2-core and log in again; check that DBUS_SESSION_BUS_ADDRESS names the session bus.',
      },
    ],
  };
}

function lateReason({ pid }: AccessibleApp, { windows, budgetMs }: ElementsRequest): DegradedReason {
  const title = windows.find((window) => window.pid === pid)?.title ?? `process ${pid}`;
  return {
    code: 'app_slow',
    message: `“${title}” did not tell all of its controls within ${budgetMs} ms.`,
    fix: 'Check whether the app hangs, and ask again; a screenshot shows it.',
  };
}
