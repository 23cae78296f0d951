import type { Display } from '../../../src/contract/device.ts';
import type { DescribeScreenParameters } from '../../../src/contract/parameters.ts';
import type { ScreenDescription, ScreenElement, ScreenText } from '../../../src/contract/screen.ts';
import { controlsOf, type FakeWindow } from './desktop.ts';

const DEFAULT_ELEMENTS = 1_500;

type Seen = { displays: Display[]; windows: readonly FakeWindow[]; frameId: string };

/** The fake desktop in the one shape of a description. */
export function describeDesktop(
  { displays, windows, frameId }: Seen,
  { contents = false, maxElements = DEFAULT_ELEMENTS }: DescribeScreenParameters,
): ScreenDescription {
  const elements = windows.flatMap((window) => elementsOf(window, contents));
  const isCut = elements.length > maxElements;
  return {
    displays,
    frontmostApp: windows[0]?.app.name ?? null,
    apps: appsOf(windows),
    windows: windows.map((window, zIndex) => ({
      id: window.id,
      app: window.app.name,
      pid: window.pid,
      title: window.title,
      bounds: window.bounds,
      focused: zIndex === 0,
      onScreen: true,
      zIndex,
    })),
    elements: elements.slice(0, maxElements),
    text: contents ? windows.flatMap(textsOf) : [],
    focusedElement: null,
    frameId,
    complete: !isCut,
    degradedReasons: isCut
      ? [{ code: 'elements_cut', message: `${elements.length} elements were found, ${maxElements} are listed.` }]
      : [],
  };
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
    ...(contents && content !== undefined ? { value: content } : {}),
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
