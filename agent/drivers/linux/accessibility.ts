import { setTimeout as pause } from 'node:timers/promises';
import type { DegradedReason, ScreenElement } from '../../../src/contract/screen.ts';
import { isOwnWindow, ownAmong } from '../../targets/own-pages.ts';
import { firstElements, LIST_GOES_ON } from '../looks/list-marks.ts';
import { elementsCut, TEXT_CUT } from '../looks/missing.ts';
import type { AccessibilityBus, AccessibleApp } from './accessibility-bus.ts';
import { type AccessibleDetails, type DetailsRequest, readDetails } from './accessible-details.ts';
import { type AccessibleWindow, withElements } from './accessible-elements.ts';
import type { AccessibleNode, AccessibleRef } from './accessible-node.ts';
import { isPopup, matchWindows, type Parents, type Part, readPart } from './accessible-part.ts';
import {
  type AccessibleTree,
  type CollectedTrees,
  collectTrees,
  flattened,
  isGtk4,
  subtrees,
} from './accessible-tree.ts';
import { addressesOf, isDocument } from './input/surroundings.ts';
import { processAgeMs } from './processes.ts';
import type { XWindow } from './x-window.ts';

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

type Waker = {
  /** Collects again until the app has built its tree, for apps that build it only on request. */
  awake(app: AccessibleApp, collect: () => Promise<CollectedTrees>): Promise<CollectedTrees>;
};

const WAKE_RECHECK_MS = 50;
const WAKE_PATIENCE_MS = 1_000;

/** Chromium tells the bus of its windows, but looks into them only after somebody asked for more than their names. */
function createWaker(bus: AccessibilityBus): Waker {
  const woken = new Set<string>();
  return {
    async awake(app, collect) {
      let collected = await collect();
      if (!isAsleep(app, collected) || woken.has(app.root.bus)) return collected;
      woken.add(app.root.bus);
      await askForMore(bus, collected);
      const endsAt = performance.now() + WAKE_PATIENCE_MS;
      while (isAsleep(app, collected) && performance.now() < endsAt) {
        await pause(WAKE_RECHECK_MS);
        collected = await collect();
      }
      return collected;
    },
  };
}

function isAsleep({ toolkit }: AccessibleApp, { toplevels }: CollectedTrees): boolean {
  return toolkit === 'Chromium' && toplevels.every(({ children }) => children.length === 0);
}

async function askForMore(bus: AccessibilityBus, { toplevels }: CollectedTrees): Promise<void> {
  const question = { interface: 'org.a11y.atspi.Accessible', member: 'GetAttributes' };
  await Promise.all(toplevels.map(({ node }) => bus.ask(node.ref, question, WAKE_PATIENCE_MS)));
}

/** The controls of the windows on the screen, as the apps report them over AT-SPI. With `contents` also their contents. */
export function createElementReader(bus: AccessibilityBus): (request: ElementsRequest) => Promise<Elements> {
  const sources = { bus, waker: createWaker(bus), parents: new Map() };
  return (request) => describeElements(sources, request);
}

type Sources = { bus: AccessibilityBus; waker: Waker; parents: Parents };

type YoungAppsRequest = {
  windows: readonly XWindow[];
  readApps(): Promise<AccessibleApp[] | null>;
  timeLeftMs(): number;
  ageMs?: (pid: number) => Promise<number | null>;
};

const YOUNG_MS = 2_000;
const PATIENCE_MS = 500;
const RECHECK_MS = 25;

/**
 * The apps on the bus. An app shows its window some time before it is on the bus, so this waits for apps that started a
 * moment ago; most apps that never join the bus, such as terminals, are older than that.
 */
export async function appsWithYoung(request: YoungAppsRequest): Promise<AccessibleApp[] | null> {
  const { windows, readApps, timeLeftMs, ageMs = processAgeMs } = request;
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const apps = await readApps();
    const known = new Set(apps?.map(({ pid }) => pid));
    const missing = new Set(windows.map(({ pid }) => pid).filter((pid) => pid !== null && !known.has(pid)));
    const ages = await Promise.all([...missing].map((pid) => (pid === null ? null : ageMs(pid))));
    const isAwaited = apps !== null && ages.some((age) => age !== null && age < YOUNG_MS);
    if (!isAwaited || performance.now() > endsAt || timeLeftMs() === 0) return apps;
    await pause(RECHECK_MS);
  }
}

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

/** The addresses are asked for also where the app has told so much that its time is over. */
const LEAST_MS = 300;

type Told = { app: AccessibleApp; tree: AccessibleTree; window: XWindow | null; timeLeftMs(): number };

/** Leaves out of a window what is in Handrail's own pages, and marks them. */
async function leaveOutOwnPages(bus: AccessibilityBus, { app, tree, window, timeLeftMs }: Told): Promise<void> {
  const documents = subtrees(tree).filter(({ node }) => isDocument(node, app));
  const refs = documents.map(({ node }) => node.ref);
  const addresses = await addressesOf(bus, refs, () => Math.max(LEAST_MS, timeLeftMs()));
  const own = ownAmong(window === null ? { names: [], pid: app.pid, title: tree.node.name } : seen(window), addresses);
  for (const document of documents.filter((_each, index) => own[index])) {
    document.children = [];
    document.missing = 'own_page';
  }
}

/** Whether nothing may be read from the pixels of a window. */
export function isOwn(window: XWindow): boolean {
  return isOwnWindow(seen(window));
}

/** The name of the instance is none: Chromium has the path of its profile in it. */
function seen({ className, pid, title }: XWindow) {
  return { names: [className], pid, title }; // guard N49-2
}

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
      if (contents && part === undefined) await leaveOutOwnPages(bus, { app, tree, window, timeLeftMs }); // guard N49-1
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
