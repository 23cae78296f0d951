import { intersects } from '../../../src/contract/bounds.ts';
import type { DegradedReason, ScreenApp, ScreenElement, ScreenWindow } from '../../../src/contract/screen.ts';
import type { Driver } from '../driver.ts';
import {
  createDescribeScreen,
  type Look,
  nothingSeen,
  reasonOf,
  type Seen,
  unknownDisplay,
  untoldContents,
} from '../looks/describe-screen.ts';
import { type DesktopState, readDesktop, toDisplay, toScreenWindows } from './desktop-state.ts';
import { displayUnavailable } from './display-available.ts';
import { describeElements, isOwn, whyMissing } from './elements.ts';
import { permissionReason, screenRecording } from './permissions.ts';
import { recognizeText } from './recognized-text.ts';
import { ALLOW_OSASCRIPT, type RunProgram } from './run-script.ts';

export type DescribeSources = { run: RunProgram; ownPids: ReadonlySet<number> };

/** Windows and apps, the controls the apps tell, and with contents the text of windows whose apps tell nothing. */
export function createMacDescription(sources: DescribeSources): Driver['describeScreen'] {
  return createDescribeScreen(async (look, signal) => {
    const parts = ['displays', 'windows', 'apps', 'session', 'permissions'] as const;
    const read = await readDesktop(sources.run, { parts, signal });
    if (signal.aborted) return 'stopped';
    if (!read.ok) return nothingSeen([unreadable(read.message)]);
    const displays = read.data.displays.map(toDisplay);
    const unavailable = displayUnavailable(read.data, { whenLocked: 'refuse' });
    if (unavailable !== null) return nothingSeen([reasonOf(unavailable)], displays);
    const { display: wanted } = look;
    if (wanted !== undefined && !displays.some(({ id }) => id === wanted)) return nothingSeen([unknownDisplay(wanted)]);
    return see(sources, { ...look, state: wanted === undefined ? read.data : onDisplay(wanted, read.data), signal });
  });
}

type Request = Look & { state: DesktopState; signal: AbortSignal };

async function see(
  { run, ownPids }: DescribeSources,
  { state, contents, maxElements, signal }: Request,
): Promise<Seen> {
  const { displays, windows, apps, errors } = state;
  const found = await describeElements(run, { windows, apps, contents, maxElements, signal });
  const { elements, focusedElement, treelessWindows, degradedReasons } = found;
  const permission = screenRecording(state, ownPids);
  const isVisible = permission === 'granted' || permission === 'doubtful';
  const missing = isVisible ? [] : [permissionReason('screenRecording', { stale: permission === 'stale' })];
  const unread = Object.entries(errors).map(([part, why]) => unreadable(`${part}: ${why}`));
  const readable = treelessWindows.filter((window) => !isOwn(window));
  // Named only where the tree could be read at all; otherwise the reason for that says it.
  const isUntold = treelessWindows.length > 0 && degradedReasons.length === 0;
  const texts = contents
    ? await recognizeText(run, { windows: isVisible && !signal.aborted ? readable : [], signal })
    : {
        text: [],
        unread: [],
        degradedReasons: isUntold ? [untoldContents(treelessWindows.map(({ app }) => app))] : [],
      };
  const own = windows.filter(isOwn).map(({ id }) => id);
  return {
    displays: displays.map(toDisplay),
    frontmostApp: apps.find((app) => app.frontmost)?.name ?? null,
    apps: appsShown(state),
    windows: toScreenWindows(windows, apps).map((window) => titled(window, elements)),
    elements,
    focusedElement,
    texts,
    why: whyMissing(found, { contents, own, unread: texts.unread }),
    reasons: [...unread, ...missing, ...degradedReasons],
  };
}

/** Without Screen Recording macOS withholds the titles of windows; the apps themselves may tell them. */
function titled(window: ScreenWindow, elements: readonly ScreenElement[]): ScreenWindow {
  const own = elements.find((element) => element.windowId === window.id && element.parentId === null);
  return window.title === '' && own !== undefined ? { ...window, title: own.name } : window;
}

/** The apps that a person sees running: in the Dock, in front, or with a window. */
function appsShown({ windows, apps }: Pick<DesktopState, 'windows' | 'apps'>): ScreenApp[] {
  const withWindow = new Set(windows.map((window) => window.pid));
  return apps
    .filter((app) => app.policy === 'regular' || app.frontmost || withWindow.has(app.pid))
    .map(({ name, pid, frontmost }) => ({ name, pid, frontmost }));
}

/** The same desktop, as far as it is on this display. */
function onDisplay(id: string, state: DesktopState): DesktopState {
  const displays = state.displays.filter((display) => display.id === id);
  const isOn = ({ bounds }: DesktopState['windows'][number]) =>
    displays.some((display) => intersects(bounds, display.bounds));
  return { ...state, displays, windows: state.windows.filter(isOn) };
}

function unreadable(why: string): DegradedReason {
  return {
    code: 'desktop_unreadable',
    message: `macOS did not describe the whole screen: ${why}`,
    fix: ALLOW_OSASCRIPT,
  };
}
