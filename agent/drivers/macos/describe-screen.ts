import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { intersects } from '../../../src/contract/bounds.ts';
import { Bounds } from '../../../src/contract/device.ts';
import type {
  DegradedReason,
  ScreenApp,
  ScreenElement,
  ScreenText,
  ScreenWindow,
} from '../../../src/contract/screen.ts';
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
import {
  type DesktopState,
  displayUnavailable,
  type MacWindow,
  readDesktop,
  toDisplay,
  toScreenWindows,
} from './desktop-state.ts';
import { describeElements, isOwn, whyMissing } from './elements.ts';
import { permissionReason, screenRecording } from './permissions.ts';
import { ALLOW_OSASCRIPT, type RunProgram, runScript } from './run-script.ts';
import { withCapture } from './screenshot.ts';

type DescribeSources = { run: RunProgram; ownPids: ReadonlySet<number> };

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

const Answer = Type.Object({
  lines: Type.Array(
    Type.Object({ text: Type.String(), confidence: Type.Number(), /** In fractions of the picture. */ box: Bounds }),
  ),
});
const answerShape = Compile(Answer);
type Line = Static<typeof Answer>['lines'][number];

/** `unread`: the ids of the windows that were not read. */
type RecognizedText = { text: ScreenText[]; unread: string[]; degradedReasons: DegradedReason[] };

const MAX_WINDOWS = 4;
const SMALLEST_SIDE = 40;
const SCRIPT_TIMEOUT_MS = 10_000;

/** Reads windows whose app tells nothing, from pictures of them, in front first; each takes about a second of computing. */
async function recognizeText(
  run: RunProgram,
  { windows, signal }: { windows: readonly MacWindow[]; signal: AbortSignal },
): Promise<RecognizedText> {
  const readable = windows.filter(({ bounds }) => bounds.width >= SMALLEST_SIDE && bounds.height >= SMALLEST_SIDE);
  const answers = await Promise.all(readable.slice(0, MAX_WINDOWS).map((window) => readWindow(run, window, signal)));
  const left = readable.slice(MAX_WINDOWS);
  const unread = new Set(windows.map(({ id }) => id));
  for (const { readId } of answers) if (readId !== undefined) unread.delete(readId);
  return {
    unread: [...unread],
    text: answers.flatMap((answer) => answer.text),
    degradedReasons: [
      ...answers.flatMap((answer) => answer.degradedReasons),
      ...(left.length > 0 ? [notRead(left)] : []),
    ],
  };
}

type ReadWindow = { text: ScreenText[]; readId?: string; degradedReasons: DegradedReason[] };

async function readWindow(run: RunProgram, window: MacWindow, signal: AbortSignal): Promise<ReadWindow> {
  const captured = await withCapture(run, { target: { kind: 'window', id: window.id }, signal }, (path) =>
    runScript(run, {
      script: 'recognize-text',
      request: { path },
      answer: answerShape,
      timeoutMs: SCRIPT_TIMEOUT_MS,
      signal,
    }),
  );
  if (!captured.ok) return { text: [], degradedReasons: [failed(window, captured.message)] };
  if (!captured.result.ok) return { text: [], degradedReasons: [failed(window, captured.result.message)] };
  const text = captured.result.data.lines.map((line) => placed(line, window));
  return { text, readId: window.id, degradedReasons: [] };
}

function placed({ text, confidence, box }: Line, { id, bounds }: MacWindow): ScreenText {
  return {
    text,
    confidence: Math.min(1, Math.max(0, confidence)),
    bounds: {
      x: bounds.x + box.x * bounds.width,
      y: bounds.y + box.y * bounds.height,
      width: box.width * bounds.width,
      height: box.height * bounds.height,
    },
    windowId: id,
  };
}

function failed({ app }: MacWindow, why: string): DegradedReason {
  return {
    code: 'text_unread',
    message: `The text in a window of ${app} could not be read: ${why}`,
    fix: 'Bring the window to the front and ask again.',
  };
}

function notRead(windows: readonly MacWindow[]): DegradedReason {
  const names = [...new Set(windows.map(({ app }) => app))].join(', ');
  return {
    code: 'text_unread',
    message: `Text is read from ${MAX_WINDOWS} windows at most; further ones of ${names} were not read.`,
    fix: 'Bring the window of interest to the front and ask again.',
  };
}

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
