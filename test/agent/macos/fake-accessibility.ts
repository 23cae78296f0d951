import type { Bounds } from '../../../src/contract/device.ts';
import type { FakeElement, FakeMac, FakeProcess } from './fake-mac.ts';
import type { NativeObject, NativeValue, Out } from './jxa-objects.ts';
import { jsValue, native, nsArray, nsNumber, nsString } from './jxa-objects.ts';

/** AXError codes, as HIServices/AXError.h has them. */
const SUCCESS = 0;
const ILLEGAL_ARGUMENT = -25201;
const CANNOT_COMPLETE = -25204;
const ATTRIBUTE_UNSUPPORTED = -25205;
const API_DISABLED = -25211;
const NO_VALUE = -25212;

type Target =
  | { kind: 'system' }
  | { kind: 'app'; pid: number }
  | { kind: 'element'; pid: number; element: FakeElement };

const TARGETS = new WeakMap<NativeObject, Target>();
const DESCRIPTIONS = new WeakMap<NativeObject, string>();

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
    setValue: (value: NativeValue, name: string, wanted: NativeValue): number => {
      const answer = ask(value);
      if ('code' in answer) return answer.code;
      const process = answer.target.kind === 'app' ? mac.processOf(answer.target.pid) : undefined;
      if (process === undefined || name !== 'AXManualAccessibility' || !isElectron(process))
        return ATTRIBUTE_UNSUPPORTED;
      process.awake = jsValue(wanted) === true ? { sinceMs: mac.clock.now() } : null;
      // Electron before 25 takes it and says that it does not.
      return process.app.answersWrongly ? ATTRIBUTE_UNSUPPORTED : SUCCESS;
    },
    /** Set on the system-wide element it holds for the whole process, otherwise for that one reference only. */
    setTimeout: (value: NativeValue, seconds: number): number => {
      if (value !== null && TARGETS.get(value)?.kind === 'system') timeoutSeconds = seconds;
      return SUCCESS;
    },
  };
}

/** The result of CFCopyDescription for a value. */
export function describe(value: NativeValue): string {
  if (value === null) return '(null)';
  return DESCRIPTIONS.get(value) ?? String(jsValue(value) ?? `<${value.classes[0]} 0x600000c0ffee>`);
}

function element(target: Target): NativeObject {
  const object = native(['AXUIElement', '__NSCFType']);
  TARGETS.set(object, target);
  return object;
}

function structure(text: string, type: string): NativeObject {
  const object = native(['AXValue', '__NSCFType']);
  DESCRIPTIONS.set(object, `<AXValue 0x600003c0c3a0> {value = ${text} type = kAXValue${type}Type}`);
  return object;
}

function attribute(mac: FakeMac, target: Target, name: string): NativeObject | number {
  if (target.kind === 'system') return ATTRIBUTE_UNSUPPORTED;
  const process = mac.processOf(target.pid);
  if (process === undefined) return CANNOT_COMPLETE;
  if (target.kind === 'app') return appAttribute(mac, process, name);
  return elementAttribute(mac, { process, element: target.element, name });
}

function appAttribute(mac: FakeMac, process: FakeProcess, name: string): NativeObject | number {
  const inside = (held: FakeElement) => element({ kind: 'element', pid: process.pid, element: held });
  const windows = mac.windows.filter((window) => window.pid === process.pid).flatMap((window) => window.element ?? []);
  const menuBar = process.menuBar === null ? [] : [process.menuBar];
  switch (name) {
    case 'AXRole':
      return nsString('AXApplication');
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
    AXDescription: () => text(held.description, NO_VALUE),
    AXPlaceholderValue: () => text(held.placeholder, ATTRIBUTE_UNSUPPORTED),
    AXValue: () => scalar(held.value),
    AXPosition: () => (held.bounds ? structure(point(held.bounds), 'CGPoint') : NO_VALUE),
    AXSize: () => (held.bounds ? structure(extent(held.bounds), 'CGSize') : NO_VALUE),
    AXEnabled: () => nsNumber(held.enabled ?? true),
    AXFocused: () => nsNumber(held.focused ?? false),
    AXSelected: () => nsNumber(held.selected ?? false),
    AXMinimized: () => nsNumber(held.minimized ?? false),
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
