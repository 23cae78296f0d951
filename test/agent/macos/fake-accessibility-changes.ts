import type { Point } from '../../../src/contract/picture-frames.ts';
import { numbersIn, type Target } from './fake-accessibility-targets.ts';
import { insertInto, withinElement } from './fake-hands.ts';
import type { FakeElement, FakeMac, FakeWindow } from './fake-mac.ts';
import { jsValue, type NativeValue } from './jxa-objects.ts';

const SHELL_LAYER = 20;
const SUCCESS = 0;
const CANNOT_COMPLETE = -25204;
const ATTRIBUTE_UNSUPPORTED = -25205;
const ACTION_UNSUPPORTED = -25206;

type ElementTarget = Extract<Target, { kind: 'element' }>;

export function setAttribute(
  mac: FakeMac,
  { element, pid }: ElementTarget,
  { name, wanted }: { name: string; wanted: NativeValue },
): number {
  const value = jsValue(wanted);
  const window = mac.windows.find((one) => one.element === element);
  const isText = /^AX(TextField|TextArea|ComboBox)$/.test(element.role);
  switch (name) {
    case 'AXValue':
      if (!isText && typeof element.value !== 'number') return ATTRIBUTE_UNSUPPORTED;
      element.value = value ?? '';
      return SUCCESS;
    case 'AXSelectedText':
      if (!isText) return ATTRIBUTE_UNSUPPORTED;
      insertInto(element, String(value));
      return SUCCESS;
    case 'AXMain':
      if (window !== undefined) bringForward(mac, window, pid);
      return SUCCESS;
    case 'AXMinimized':
      element.minimized = value === true;
      return SUCCESS;
    case 'AXPosition':
    case 'AXSize':
      return window === undefined ? ATTRIBUTE_UNSUPPORTED : place(window, { name, numbers: numbersIn(wanted) });
    default:
      return ATTRIBUTE_UNSUPPORTED;
  }
}

function place(
  window: FakeWindow,
  { name, numbers }: { name: string; numbers: readonly [number, number] | undefined },
) {
  if (numbers === undefined) return ATTRIBUTE_UNSUPPORTED;
  const [one, other] = numbers;
  const bounds = { ...window.bounds, ...(name === 'AXSize' ? { width: one, height: other } : { x: one, y: other }) };
  window.bounds = bounds;
  if (window.element !== null) window.element.bounds = bounds;
  return SUCCESS;
}

export function performAction(mac: FakeMac, { element, pid }: ElementTarget, action: string): number {
  const window = mac.windows.find((one) => one.element === element);
  if (action === 'AXRaise' && window !== undefined) {
    bringForward(mac, window, pid);
    return SUCCESS;
  }
  if (!(element.actions ?? []).includes(action)) return ACTION_UNSUPPORTED;
  if (element.role === 'AXCheckBox') element.value = element.value === 1 ? 0 : 1;
  if (element.subrole === 'AXCloseButton')
    mac.windows = mac.windows.filter((one) => !one.element?.children?.includes(element));
  element.onPress?.();
  return mac.processOf(pid)?.hung ? CANNOT_COMPLETE : (element.pressError ?? SUCCESS);
}

function bringForward(mac: FakeMac, window: FakeWindow, pid: number): void {
  const others = mac.windows.filter((one) => one !== window);
  const first = others.findIndex((one) => one.pid === pid);
  mac.windows = others.toSpliced(first === -1 ? others.length : first, 0, window);
}

export function focusedOf(mac: FakeMac, pid: number): FakeElement | undefined {
  return treesOf(mac, pid)
    .flatMap(withinElement)
    .find(({ focused }) => focused);
}

/** The deepest element of the app at a place. */
export function elementAt(mac: FakeMac, pid: number, at: Point): FakeElement | undefined {
  const holds = ({ bounds }: FakeElement) =>
    bounds !== undefined &&
    at.x >= bounds.x &&
    at.x < bounds.x + bounds.width &&
    at.y >= bounds.y &&
    at.y < bounds.y + bounds.height;
  const tree = treesOf(mac, pid).find(holds);
  return tree === undefined ? undefined : withinElement(tree).findLast(holds);
}

/** The app that a click at a place reaches. */
export function appUnder(mac: FakeMac, at: Point): number | undefined {
  const holds = ({ x, y, width, height }: FakeWindow['bounds']) =>
    at.x >= x && at.x < x + width && at.y >= y && at.y < y + height;
  for (const { pid, bounds, layer = 0, letsClicksThrough } of mac.windows) {
    if (!holds(bounds) || letsClicksThrough) continue;
    if (layer < SHELL_LAYER) return pid;
    const owner = mac.processOf(pid) === undefined ? mac.frontmostPid : pid;
    if (owner === null) continue;
    const found = elementAt(mac, owner, at);
    if (found !== undefined && (owner === pid || found.role.startsWith('AXMenuBar'))) return owner;
  }
  return undefined;
}

export function parentOf(mac: FakeMac, pid: number, element: FakeElement): FakeElement | 'app' | undefined {
  const trees = treesOf(mac, pid);
  if (trees.includes(element)) return 'app';
  return trees.flatMap(withinElement).find(({ children }) => children?.includes(element));
}

function treesOf(mac: FakeMac, pid: number): FakeElement[] {
  const { menuBar = null, contextMenus = [] } = mac.processOf(pid) ?? {};
  const windows = mac.windows.filter((window) => window.pid === pid).flatMap(({ element }) => element ?? []);
  return [...windows, ...(menuBar === null ? [] : [menuBar]), ...contextMenus];
}
