import type { Display } from '../../../src/contract/device.ts';
import type { DescribeScreenParameters } from '../../../src/contract/parameters.ts';
import type { ScreenDescription, ScreenElement, ScreenText, ScreenWindow } from '../../../src/contract/screen.ts';
import { firstElements } from '../looks/list-marks.ts';
import { markedWindows, withReasons } from '../looks/missing.ts';
import { controlsOf, type FakeWindow } from './desktop.ts';

const DEFAULT_ELEMENTS = 1_500;

type Seen = { displays: Display[]; windows: readonly FakeWindow[]; frameId: string };

/** The fake desktop in the one shape of a description. */
export function describeDesktop(
  { displays, windows, frameId }: Seen,
  { contents = false, maxElements = DEFAULT_ELEMENTS }: DescribeScreenParameters,
): ScreenDescription {
  const all = windows.flatMap((window) => elementsOf(window, contents));
  const elements = firstElements(all, maxElements);
  const isCut = all.length > maxElements;
  const seen = {
    displays,
    frontmostApp: windows[0]?.app.name ?? null,
    apps: appsOf(windows),
    windows: markedWindows(windows.map(toScreenWindow), elements, () => undefined),
    elements,
    text: contents ? windows.flatMap(textsOf) : [],
    focusedElement: null,
    frameId,
  };
  return withReasons(
    seen,
    isCut ? [{ code: 'elements_cut', message: `${all.length} elements were found, ${maxElements} are listed.` }] : [],
  );
}

function toScreenWindow({ id, app, pid, title, bounds }: FakeWindow, zIndex: number): ScreenWindow {
  return { id, app: app.name, pid, title, bounds, focused: zIndex === 0, onScreen: true, zIndex };
}

/** The description in words, to be read aloud. */
export function tellOf(windows: readonly FakeWindow[]): string {
  const [front, ...behind] = windows;
  if (front === undefined) return 'No window is open.';
  const rest = behind.map(({ app }) => app.name).join(', ');
  return `${front.app.name} is in front with the window "${front.title}". Behind it: ${rest === '' ? 'nothing' : rest}.`;
}

function elementsOf(window: FakeWindow, contents: boolean): ScreenElement[] {
  const shared = { bounds: window.bounds, enabled: true, focused: false, windowId: window.id };
  const root: ScreenElement = {
    ...shared,
    id: `${window.id}/root`,
    role: 'window',
    name: window.title,
    actions: [],
    parentId: null,
    depth: 0,
  };
  const controls = controlsOf(window).map(({ role, name, actions, content }, index) => ({
    ...shared,
    id: `${window.id}/${index}`,
    role,
    name,
    actions,
    parentId: root.id,
    depth: 1,
    ...(content !== undefined && (contents ? { value: content } : { missing: 'contents_left_out' as const })),
  }));
  return [root, ...controls];
}

function textsOf(window: FakeWindow): ScreenText[] {
  return controlsOf(window).flatMap(({ content }) =>
    content === undefined ? [] : [{ text: content, bounds: window.bounds, confidence: 1, windowId: window.id }],
  );
}

function appsOf(windows: readonly FakeWindow[]): ScreenDescription['apps'] {
  const front = windows[0];
  const byPid = new Map(windows.map((window) => [window.pid, window]));
  return [...byPid.values()].map(({ app, pid }) => ({ name: app.name, pid, frontmost: pid === front?.pid }));
}
