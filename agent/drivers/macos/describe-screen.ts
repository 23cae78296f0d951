import { randomUUID } from 'node:crypto';
import { intersects } from '../../../src/contract/bounds.ts';
import type { Bounds } from '../../../src/contract/device.ts';
import type { DescribeScreenParameters } from '../../../src/contract/parameters.ts';
import type {
  DegradedReason,
  ScreenApp,
  ScreenDescription,
  ScreenElement,
  ScreenWindow,
} from '../../../src/contract/screen.ts';
import { elementsWithinFrame } from '../elements-within-frame.ts';
import { markedWindows, withReasons } from '../missing.ts';
import type { Attempt, Done, Failed, Outcome } from '../outcome.ts';
import { screenParagraph } from '../screen-paragraph.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import { unseenScreen } from '../unseen-screen.ts';
import { type DesktopState, type MacDisplay, readDesktop, toDisplay, toScreenWindows } from './desktop-state.ts';
import { displayUnavailable } from './display-available.ts';
import { describeElements, type Elements, isOwn, whyMissing } from './elements.ts';
import { permissionReason, screenRecording } from './permissions.ts';
import { type RecognizedText, recognizeText } from './recognized-text.ts';
import type { RunProgram } from './run-script.ts';

export type DescribeSources = { run: RunProgram; ownPids: ReadonlySet<number> };

const DEFAULT_ELEMENTS = 1_500;

/** Windows and apps, the controls the apps tell, and with contents the text of windows whose apps tell nothing. */
export async function describeScreen(
  sources: DescribeSources,
  parameters: DescribeScreenParameters,
  attempt: Attempt,
): Promise<Outcome<ScreenDescription>> {
  const signal = withinDeadline(attempt);
  const parts = ['displays', 'windows', 'apps', 'session', 'permissions'] as const;
  const read = await readDesktop(sources.run, { parts, signal });
  if (signal.aborted) return stoppedFailure(signal, 'none');
  if (!read.ok) return blind([unreadable(read.message)]);
  const unavailable = displayUnavailable(read.data, { whenLocked: 'refuse' });
  if (unavailable !== null) return blind([reasonOf(unavailable)], read.data.displays);
  const { display: wanted } = parameters;
  if (wanted !== undefined && !read.data.displays.some(({ id }) => id === wanted)) return blind([unknown(wanted)]);
  const state = wanted === undefined ? read.data : onDisplay(wanted, read.data);
  const description = await describe(sources, { state, parameters, signal });
  return signal.aborted ? stoppedFailure(signal, 'none') : done(description);
}

async function describe(
  { run, ownPids }: DescribeSources,
  request: { state: DesktopState; parameters: DescribeScreenParameters; signal: AbortSignal },
): Promise<ScreenDescription> {
  const { state, signal, parameters } = request;
  const { contents = false, maxElements = DEFAULT_ELEMENTS } = parameters;
  const { windows, apps } = state;
  const found = await describeElements(run, { windows, apps, contents, maxElements, signal });
  const permission = screenRecording(state, ownPids);
  const isVisible = permission === 'granted' || permission === 'doubtful';
  const missing = isVisible ? [] : [permissionReason('screenRecording', { stale: permission === 'stale' })];
  const readable = found.treelessWindows.filter((window) => !isOwn(window));
  const texts = contents
    ? await recognizeText(run, { windows: isVisible && !signal.aborted ? readable : [], signal })
    : { text: [], unread: new Set<string>(), degradedReasons: treelessReasons(found) };
  return assembled(state, { found, texts, missing, contents });
}

type Seen = { found: Elements; texts: RecognizedText; missing: readonly DegradedReason[]; contents: boolean };

function assembled(
  { displays, windows, apps, errors }: DesktopState,
  { found, texts, missing, contents }: Seen,
): ScreenDescription {
  const { elements, degradedReasons: cut } = elementsWithinFrame(found.elements);
  const unread = Object.entries(errors).map(([part, why]) => unreadable(`${part}: ${why}`));
  const own = windows.filter(isOwn).map(({ id }) => id);
  const named = toScreenWindows(windows, apps).map((window) => titled(window, elements));
  const seen = {
    displays: displays.map(toDisplay),
    frontmostApp: apps.find((app) => app.frontmost)?.name ?? null,
    apps: appsShown({ windows, apps }),
    windows: markedWindows(named, elements, whyMissing(found, { contents, own, unread: texts.unread })),
    elements,
    text: texts.text,
    focusedElement: elements.some(({ id }) => id === found.focusedElement) ? found.focusedElement : null,
    frameId: `frame_${randomUUID()}`,
  };
  return withReasons(seen, [...unread, ...missing, ...found.degradedReasons, ...cut, ...texts.degradedReasons]);
}

/** Named only where the tree could be read at all; otherwise the reason for that says it. */
function treelessReasons({ treelessWindows, degradedReasons }: Elements): DegradedReason[] {
  const names = [...new Set(treelessWindows.map((window) => window.app))];
  if (names.length === 0 || degradedReasons.length > 0) return [];
  return [
    {
      code: 'window_without_tree',
      message: `${names.join(', ')} ${names.length === 1 ? 'does' : 'do'} not describe the contents of the window.`,
      fix: 'Ask with contents: true to have the text read from a picture of it.',
    },
  ];
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
  const isOn = ({ bounds }: { bounds: Bounds }) => displays.some((display) => intersects(bounds, display.bounds));
  return { ...state, displays, windows: state.windows.filter(isOn) };
}

function done(data: ScreenDescription): Done<ScreenDescription> {
  return { ok: true, details: screenParagraph(data), effect: 'none', data };
}

function blind(degradedReasons: DegradedReason[], displays: readonly MacDisplay[] = []): Done<ScreenDescription> {
  const unseen = unseenScreen(`frame_${randomUUID()}`, degradedReasons);
  return done({ ...unseen, displays: displays.map(toDisplay) });
}

function reasonOf({ code, message, fix }: Failed): DegradedReason {
  return { code, message, ...(fix !== undefined && { fix }) };
}

function unreadable(why: string): DegradedReason {
  return {
    code: 'desktop_unreadable',
    message: `macOS did not describe the whole screen: ${why}`,
    fix: 'Let Handrail run /usr/bin/osascript; on a managed Mac an administrator may have blocked it.',
  };
}

function unknown(display: string): DegradedReason {
  return {
    code: 'display_unknown',
    message: `There is no display “${display}”.`,
    fix: 'Leave `display` out, or give one of the ids that a description without `display` lists.',
  };
}
