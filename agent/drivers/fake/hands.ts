import type { Bounds } from '../../../src/contract/device.ts';
import type { Point } from '../../../src/contract/picture-frames.ts';
import type { ScreenWindow } from '../../../src/contract/screen.ts';
import type { Driver } from '../driver.ts';
import { describedDesk } from '../hands/described-controls.ts';
import { createFindControl } from '../hands/find-control.ts';
import type { InputDriver, SightedElement, Sighting, SightReference } from '../input.ts';
import { describeDesktop } from './describe.ts';
import { controlsOf, FAKE_DISPLAY, type FakeWindow, identityIn } from './desktop.ts';
import { createFakeInput, type FakeInputDesktop } from './input.ts';

export type HandsOn = {
  /** In front first. */
  windows(): FakeWindow[];
  changeTo(windows: FakeWindow[]): void;
  /** Each input that the desktop gets, as `press left at 3,4`. */
  see(input: string): void;
};

const NOBODY: Sighting = {
  app: { appName: 'Nothing', alsoKnownAs: [], risks: [] },
  pid: null,
  windowId: null,
  windowTitle: '',
  windowBounds: null,
  isCovered: false,
  element: null,
  documents: [],
  pagesBeside: [],
};

/** Pointer and keyboard of the desktop in memory. The keyboard is in the first text field of the window in front. */
export function createFakeHands({ windows, changeTo, see }: HandsOn): InputDriver {
  const views = () => describeDesktop({ displays: [FAKE_DISPLAY], windows: windows(), frameId: '' }, {}).windows;
  const desktop: FakeInputDesktop = {
    size: FAKE_DISPLAY.bounds,
    windows: [],
    focus: NOBODY,
    field: '',
    clipboard: '',
    seen: { push: (...lines) => lines.map(see).length },
    down: new Set(),
    onPerson: new Set(),
    sight: (reference) => sightIn(windows(), reference),
  };
  const input = createFakeInput(desktop);
  /** Before an input the field knows where the keyboard is, and after it the desktop has the windows as they are left. */
  function onWindows<Rest extends unknown[], Result>(work: (...rest: Rest) => Promise<Result>) {
    return async (...rest: Rest): Promise<Result> => {
      desktop.windows = views();
      desktop.focus = sightIn(windows(), { kind: 'focus' }) ?? NOBODY;
      const outcome = await work(...rest);
      changeTo(left(windows(), desktop.windows));
      return outcome;
    };
  }
  const describe: Driver['describeScreen'] = async (parameters) => {
    const data = describeDesktop({ displays: [FAKE_DISPLAY], windows: windows(), frameId: '' }, parameters);
    return { ok: true, details: '', effect: 'none', data };
  };
  return {
    ...input,
    findControl: createFindControl(describedDesk(describe, input.sight)),
    typeText: onWindows(input.typeText),
    listWindows: onWindows(input.listWindows),
    windowPlaces: onWindows(input.windowPlaces),
    focusWindow: onWindows(input.focusWindow),
    moveWindow: onWindows(input.moveWindow),
    minimizeWindow: onWindows(input.minimizeWindow),
    closeWindow: onWindows(input.closeWindow),
    waitFor: onWindows(input.waitFor),
  };
}

function left(windows: readonly FakeWindow[], views: readonly ScreenWindow[]): FakeWindow[] {
  const kept = windows.flatMap((window) => {
    const view = views.find(({ id }) => id === window.id);
    return view === undefined ? [] : [{ ...window, bounds: view.bounds, isFront: view.focused }];
  });
  return [...kept.filter(({ isFront }) => isFront), ...kept.filter(({ isFront }) => !isFront)].map(
    ({ isFront: _known, ...window }) => window,
  );
}

function sightIn(windows: readonly FakeWindow[], reference: SightReference): Sighting | undefined {
  switch (reference.kind) {
    case 'point': {
      const window = windows.find(({ bounds }) => holds(bounds, reference.point));
      return window && sighting(window, null);
    }
    case 'element': {
      const [windowId, index] = reference.elementId.split('/');
      const window = windows.find(({ id }) => id === windowId);
      const element = window && elementAt(window, Number(index));
      return window && element && sighting(window, element);
    }
    case 'focus': {
      const [front] = windows;
      const field = front && controlsOf(front).findIndex(({ role }) => role === 'textbox');
      return front && sighting(front, field === undefined ? null : (elementAt(front, field) ?? null));
    }
  }
}

function elementAt(window: FakeWindow, index: number): SightedElement | undefined {
  const control = controlsOf(window)[index];
  if (control === undefined) return undefined;
  const { role, name, secret } = control;
  const isEditable = role === 'textbox';
  return {
    elementId: `${window.id}/${index}`,
    role,
    name,
    bounds: window.bounds,
    isPassword: secret !== undefined,
    isEditable,
  };
}

function sighting(window: FakeWindow, element: SightedElement | null): Sighting {
  const { id, pid, title, bounds } = window;
  return {
    ...NOBODY,
    app: identityIn(window),
    pid,
    windowId: id,
    windowTitle: title,
    windowBounds: bounds,
    element,
  };
}

function holds({ x, y, width, height }: Bounds, point: Point): boolean {
  return point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
}
