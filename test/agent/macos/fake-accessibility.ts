import type { Bounds } from '../../../src/contract/device.ts';
import type { Point } from '../../../src/contract/picture-frames.ts';
import { appUnder, elementAt, focusedOf, parentOf, performAction, setAttribute } from './fake-accessibility-changes.ts';
import { element, structure, TARGETS, type Target } from './fake-accessibility-targets.ts';
import { selectionOf } from './fake-hands.ts';
import type { FakeElement, FakeMac, FakeProcess } from './fake-mac.ts';
import {
  jsValue,
  type NativeObject,
  type NativeValue,
  native,
  nsArray,
  nsNumber,
  nsString,
  type Out,
} from './jxa-objects.ts';

/** AXError codes, as HIServices/AXError.h has them. */
const SUCCESS = 0;
const ILLEGAL_ARGUMENT = -25201;
const CANNOT_COMPLETE = -25204;
const ATTRIBUTE_UNSUPPORTED = -25205;
const ACTION_UNSUPPORTED = -25206;
const API_DISABLED = -25211;
const NO_VALUE = -25212;

const DEFAULT_TIMEOUT_SECONDS = 6;

/** The accessibility functions over the element trees of a Mac in memory, with their error codes. */
export function createAccessibility(mac: FakeMac) {
  let timeoutSeconds = DEFAULT_TIMEOUT_SECONDS;
  const ask = (value: NativeValue): { code: number } | { target: Target } => {
    mac.clock.advance(mac.callCostMs);
    const target = value === null ? undefined : TARGETS.get(value);
    if (target === undefined) return { code: ILLEGAL_ARGUMENT };
    if (!mac.grants.accessibility) return { code: API_DISABLED };
    if (target.kind === 'system') return { target };
    const process = mac.processOf(target.pid);
    if (process?.hung) mac.clock.advance(timeoutSeconds * 1_000);
    return process === undefined || process.hung ? { code: CANNOT_COMPLETE } : { target };
  };
  return {
    application: (pid: number) => element({ kind: 'app', pid }),
    systemWide: () => element({ kind: 'system' }),
    copyValue: (value: NativeValue, name: string, out: Out): number => {
      const answer = ask(value);
      if ('code' in answer) return answer.code;
      const held = attribute(mac, answer.target, name);
      if (typeof held === 'number') return held;
      out(held);
      return SUCCESS;
    },
    /** Without options, an attribute that cannot be had is an error value among the others. */
    copyValues: (value: NativeValue, names: readonly string[], out: Out): number => {
      const answer = ask(value);
      if ('code' in answer) return answer.code;
      const values = names.map((name) => attribute(mac, answer.target, name));
      out(nsArray(values.map((held) => (typeof held === 'number' ? structure(`error:${held}`, 'AXError') : held))));
      return SUCCESS;
    },
    copyActions: (value: NativeValue, out: Out): number => {
      const answer = ask(value);
      if ('code' in answer) return answer.code;
      const actions = answer.target.kind === 'element' ? (answer.target.element.actions ?? []) : [];
      out(nsArray(actions.map(nsString)));
      return SUCCESS;
    },
    perform: (value: NativeValue, action: string): number => {
      const answer = ask(value);
      if ('code' in answer) return answer.code;
      return answer.target.kind === 'element' ? performAction(mac, answer.target, action) : ACTION_UNSUPPORTED;
    },
    atPosition: (value: NativeValue, at: Point, out: Out): number => {
      const answer = ask(value);
      if ('code' in answer) return answer.code;
      const pid = answer.target.kind === 'app' ? answer.target.pid : appUnder(mac, at);
      const found = pid === undefined ? undefined : elementAt(mac, pid, at);
      if (found === undefined || pid === undefined) return NO_VALUE;
      out(element({ kind: 'element', pid, element: found }));
      return SUCCESS;
    },
    setValue: (value: NativeValue, name: string, wanted: NativeValue): number => {
      const answer = ask(value);
      if ('code' in answer) return answer.code;
      if (answer.target.kind === 'element') return setAttribute(mac, answer.target, { name, wanted });
      const process = answer.target.kind === 'app' ? mac.processOf(answer.target.pid) : undefined;
      return process === undefined ? ATTRIBUTE_UNSUPPORTED : setAppAttribute(mac, process, { name, wanted });
    },
    /** Set on the system-wide element it holds for the whole process, otherwise for that one reference only. */
    setTimeout: (value: NativeValue, seconds: number): number => {
      if (value !== null && TARGETS.get(value)?.kind === 'system') timeoutSeconds = seconds;
      return SUCCESS;
    },
  };
}

function attribute(mac: FakeMac, target: Target, name: string): NativeObject | number {
  if (target.kind === 'system') return systemAttribute(mac, name);
  const process = mac.processOf(target.pid);
  if (process === undefined) return CANNOT_COMPLETE;
  if (target.kind === 'app') return appAttribute(mac, process, name);
  return elementAttribute(mac, { process, element: target.element, name });
}

function systemAttribute({ frontmostPid: pid }: FakeMac, name: string): NativeObject | number {
  if (name !== 'AXFocusedApplication') return ATTRIBUTE_UNSUPPORTED;
  return pid === null ? NO_VALUE : element({ kind: 'app', pid });
}

function setAppAttribute(
  mac: FakeMac,
  process: FakeProcess,
  { name, wanted }: { name: string; wanted: NativeValue },
): number {
  if (name === 'AXFrontmost') {
    mac.activate(process.pid);
    return SUCCESS;
  }
  if (name !== 'AXManualAccessibility' || !isElectron(process)) return ATTRIBUTE_UNSUPPORTED;
  process.awake = jsValue(wanted) === true ? { sinceMs: mac.clock.now() } : null;
  // Electron before 25 takes it and says that it does not.
  return process.app.answersWrongly ? ATTRIBUTE_UNSUPPORTED : SUCCESS;
}

function appAttribute(mac: FakeMac, process: FakeProcess, name: string): NativeObject | number {
  const inside = (held: FakeElement) => element({ kind: 'element', pid: process.pid, element: held });
  const windows = mac.windows.filter((window) => window.pid === process.pid).flatMap((window) => window.element ?? []);
  const menuBar = process.menuBar === null ? [] : [process.menuBar];
  switch (name) {
    case 'AXRole':
      return nsString('AXApplication');
    case 'AXFocusedUIElement': {
      const focused = focusedOf(mac, process.pid);
      return focused === undefined ? NO_VALUE : inside(focused);
    }
    case 'AXFocusedWindow': {
      const front = windows.find(({ minimized }) => minimized !== true);
      return front === undefined ? NO_VALUE : inside(front);
    }
    case 'AXWindows':
      if (process.app.buildsTree === 'when looked at') process.awake ??= { sinceMs: mac.clock.now() };
      return nsArray(windows.map(inside));
    case 'AXMenuBar':
      return process.menuBar === null ? NO_VALUE : inside(process.menuBar);
    case 'AXChildren':
      return nsArray([...windows, ...menuBar, ...process.contextMenus].map(inside));
    case 'AXManualAccessibility':
      return isElectron(process) ? nsNumber(process.awake !== null) : ATTRIBUTE_UNSUPPORTED;
    default:
      return ATTRIBUTE_UNSUPPORTED;
  }
}

function elementAttribute(
  mac: FakeMac,
  { process, element: held, name }: { process: FakeProcess; element: FakeElement; name: string },
): NativeObject | number {
  const inside = (child: FakeElement) => element({ kind: 'element', pid: process.pid, element: child });
  const one = (child: FakeElement | undefined) => (child === undefined ? ATTRIBUTE_UNSUPPORTED : inside(child));
  const several = (children: readonly FakeElement[] | undefined) =>
    children === undefined ? ATTRIBUTE_UNSUPPORTED : nsArray(children.map(inside));
  const readers: Record<string, () => NativeObject | number> = {
    AXRole: () => nsString(held.role),
    AXSubrole: () => text(held.subrole, NO_VALUE),
    AXTitle: () => text(held.title, NO_VALUE),
    AXIdentifier: () => text(held.identifier, ATTRIBUTE_UNSUPPORTED),
    AXDescription: () => text(held.description, NO_VALUE),
    AXPlaceholderValue: () => text(held.placeholder, ATTRIBUTE_UNSUPPORTED),
    AXValue: () => scalar(held.value),
    AXPosition: () => (held.bounds ? structure(point(held.bounds), 'CGPoint') : NO_VALUE),
    AXSize: () => (held.bounds ? structure(extent(held.bounds), 'CGSize') : NO_VALUE),
    AXEnabled: () => nsNumber(held.enabled ?? true),
    AXFocused: () => nsNumber(held.focused ?? false),
    AXSelected: () => nsNumber(held.selected ?? false),
    AXMinimized: () => nsNumber(held.minimized ?? false),
    AXParent: () => {
      const parent = parentOf(mac, process.pid, held);
      if (parent === undefined) return NO_VALUE;
      return parent === 'app' ? element({ kind: 'app', pid: process.pid }) : inside(parent);
    },
    AXURL: () => (held.url === undefined ? ATTRIBUTE_UNSUPPORTED : address(held.url)),
    AXDefaultButton: () => one(held.defaultButton),
    AXCloseButton: () => one(held.children?.find(({ subrole }) => subrole === 'AXCloseButton')),
    AXSelectedTextRange: () => (typeof held.value === 'string' ? structure(range(held), 'CFRange') : NO_VALUE),
    AXChildren: () => several(childrenOf(mac, process, held)),
    AXVisibleRows: () => several(held.visibleRows),
    AXVisibleChildren: () => several(held.visibleChildren),
    AXRows: () => several(held.visibleRows && held.children?.filter(({ role }) => role === 'AXRow')),
    AXIndex: () => (held.index === undefined ? ATTRIBUTE_UNSUPPORTED : nsNumber(held.index)),
    AXHeader: () => one(held.header),
    AXTitleUIElement: () => one(held.titleElement),
  };
  return readers[name]?.() ?? ATTRIBUTE_UNSUPPORTED;
}

function childrenOf(mac: FakeMac, { awake }: FakeProcess, held: FakeElement): FakeElement[] {
  const { page } = held;
  const isBuilt = page !== undefined && awake !== null && mac.clock.now() >= awake.sinceMs + page.afterMs;
  return [...(held.children ?? []), ...(isBuilt ? page.children : [])];
}

function isElectron({ app }: FakeProcess): boolean {
  return app.frameworks?.includes('Electron Framework') ?? false;
}

function text(value: string | undefined, otherwise: number): NativeObject | number {
  return value === undefined ? otherwise : nsString(value);
}

function scalar(value: string | number | boolean | undefined): NativeObject | number {
  if (value === undefined) return NO_VALUE;
  return typeof value === 'string' ? nsString(value) : nsNumber(value);
}

function point({ x, y }: Bounds): string {
  return `x:${x.toFixed(6)} y:${y.toFixed(6)}`;
}

function extent({ width, height }: Bounds): string {
  return `w:${width.toFixed(6)} h:${height.toFixed(6)}`;
}

function range(held: FakeElement): string {
  const { start, length } = selectionOf(held);
  return `location:${start} length:${length}`;
}

function address(url: string): NativeObject {
  return native(['NSURL'], { absoluteString: { get: () => nsString(url) } });
}
