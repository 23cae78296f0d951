import type { Bounds } from '../../../../src/contract/device.ts';
import type { Point } from '../../../../src/contract/frames.ts';
import type { ScreenElement } from '../../../../src/contract/screen.ts';
import type { InputFailed, SightedElement, Sighting, SightReference } from '../../input.ts';
import type { Elements, ElementsRequest } from '../accessibility.ts';
import type { AccessibilityBus } from '../accessibility-bus.ts';
import type { DesktopEntries } from '../desktop-entries.ts';
import { namedWindows } from '../screen-windows.ts';
import { withoutDisplay } from '../without-display.ts';
import type { X11, XWindow } from '../x11.ts';
import { accessibleObject, refOfElement } from './accessible-object.ts';

export type SightNeeds = {
  x11: X11;
  bus: AccessibilityBus;
  entries: Pick<DesktopEntries, 'list'>;
  readElements(request: ElementsRequest): Promise<Elements>;
};

export type Sighted = { ok: true; data: Sighting; window: XWindow | null };

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
    case 'point': {
      const window = windows.find(({ shown, bounds }) => shown && holds(bounds, reference.point)) ?? null;
      if (window === null) return nothing('A window is expected at the point; there is none.');
      const elements = await elementsIn(needs, { pid: window.pid, windows, signal, contents: true });
      const there = elements.elements.filter(({ windowId }) => windowId === window.id || windowId === null);
      return told(needs, { window, element: innermost(there, reference.point) });
    }
    case 'focus': {
      const window = windows.find(({ focused }) => focused) ?? null;
      if (window === null) return nothing('A window with the keyboard focus is expected; there is none.');
      const { elements, focusedElement } = await elementsIn(needs, {
        pid: window.pid,
        windows,
        signal,
        contents: false,
      });
      return told(needs, { window, element: elements.find(({ id }) => id === focusedElement) ?? null });
    }
  }
}

type Among = { windows: readonly XWindow[]; signal: AbortSignal };

async function sightOfElement(
  needs: SightNeeds,
  { elementId, windows, signal }: Among & { elementId: string },
): Promise<Sighted | InputFailed> {
  const ref = refOfElement(elementId);
  const apps = ref === null ? null : await needs.bus.apps(BUDGET_MS);
  const app = apps?.find(({ root }) => root.bus === ref?.bus);
  if (app === undefined) return nothing('Expected the id of an element on the screen; its app is gone.');
  const { elements } = await elementsIn(needs, { pid: app.pid, windows, signal, contents: true });
  const element = elements.find(({ id }) => id === elementId);
  if (element === undefined) return nothing('Expected the id of an element on the screen; it is gone.');
  const window =
    windows.find(({ id }) => id === element.windowId) ?? windows.find(({ pid }) => pid === app.pid) ?? null;
  return told(needs, { window, element });
}

/** The elements of one app; the windows of the others count as not shown. */
function elementsIn(
  needs: SightNeeds,
  { pid, windows, signal, contents }: Among & { pid: number | null; contents: boolean },
): Promise<Elements> {
  const own = windows.map((window) => ({ ...window, shown: window.shown && window.pid === pid }));
  return needs.readElements({
    windows: own,
    contents,
    maxElements: MOST_ELEMENTS,
    budgetMs: BUDGET_MS,
    signal,
  });
}

async function told(
  needs: SightNeeds,
  { window, element }: { window: XWindow | null; element: ScreenElement | null },
): Promise<Sighted> {
  const named = window === null ? [] : await namedWindows([window], await needs.entries.list());
  const data = {
    app: named[0]?.app ?? '',
    pid: window?.pid ?? null,
    windowId: window?.id ?? null,
    windowTitle: window?.title ?? '',
    element: element === null ? null : await detailed(needs.bus, element),
  };
  return { ok: true, data, window };
}

async function detailed(bus: AccessibilityBus, { id, role, name, bounds }: ScreenElement): Promise<SightedElement> {
  const ref = refOfElement(id);
  const node = ref === null ? null : await accessibleObject(bus, ref).node();
  const isEditable = node?.states.editable === true;
  return { elementId: id, role, name, bounds, isPassword: node?.isPassword === true, isEditable };
}

/** The smallest that holds the point; of equals the deepest, which stands last. */
function innermost(elements: readonly ScreenElement[], point: Point): ScreenElement | null {
  const area = ({ bounds }: ScreenElement) =>
    bounds === null ? Number.POSITIVE_INFINITY : bounds.width * bounds.height;
  const there = elements.filter(({ bounds }) => bounds !== null && holds(bounds, point));
  return there.reduce<ScreenElement | null>(
    (best, one) => (best === null || area(one) <= area(best) ? one : best),
    null,
  );
}

function holds({ x, y, width, height }: Bounds, point: Point): boolean {
  return point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
}

function nothing(message: string): InputFailed {
  return { ok: false, code: 'target_gone', message, fix: 'Describe the screen again.', sideEffect: 'none' };
}
