import { ACCESSIBILITY_SWITCHED_OFF } from '../../../src/contract/accessibility-words.ts';
import { intersects } from '../../../src/contract/bounds.ts';
import type { Display } from '../../../src/contract/device.ts';
import type { DescribeScreenParameters } from '../../../src/contract/parameters.ts';
import type { DegradedReason, Missing, ScreenDescription, ScreenWindow } from '../../../src/contract/screen.ts';
import type { Driver } from '../driver.ts';
import { elementsWithinFrame } from '../elements-within-frame.ts';
import { markedWindows, withReasons } from '../missing.ts';
import { screenParagraph } from '../screen-paragraph.ts';
import { stoppedFailure, unlessStopped, withinDeadline } from '../stopping.ts';
import { unseenScreen } from '../unseen-screen.ts';
import type { Elements, ElementsRequest } from './accessibility.ts';
import type { DesktopEntries } from './desktop-entries.ts';
import { readDisplays } from './displays.ts';
import { isOwn } from './own-documents.ts';
import { appsOf, namedWindows } from './screen-windows.ts';
import type { WindowTexts } from './window-texts.ts';
import type { XDesktop, XWindow } from './x-window.ts';
import type { NoDisplay, X11 } from './x11.ts';

export type DescribeScreenNeeds = {
  x11: X11;
  readElements(request: ElementsRequest): Promise<Elements>;
  entries: DesktopEntries;
  texts: WindowTexts;
  /** Whether accessibility is switched off in this session. */
  isSwitchedOff(): Promise<boolean>;
  uniqueId(): string;
};

const DEFAULT_MAX_ELEMENTS = 1_500;
/** Shorter than two seconds, so that the whole answer is there by then. */
const TREE_BUDGET_MS = 1_500;

/**
 * Describes windows, controls and, with `contents`, texts. A part that cannot be read becomes a degraded reason, not a
 * failure.
 */
export function createDescribeScreen(needs: DescribeScreenNeeds): Driver['describeScreen'] {
  return async (parameters, attempt) => {
    const signal = withinDeadline(attempt);
    if (signal.aborted) return stoppedFailure(signal, 'none');
    const description = await unlessStopped(describe(needs, parameters, signal), signal);
    if (description === 'stopped' || signal.aborted) return stoppedFailure(signal, 'none');
    return { ok: true, details: screenParagraph(description), effect: 'none', data: description };
  };
}

async function describe(
  needs: DescribeScreenNeeds,
  parameters: DescribeScreenParameters,
  signal: AbortSignal,
): Promise<ScreenDescription> {
  const [desktop, allDisplays, entries] = await Promise.all([
    needs.x11.desktop(),
    readDisplays(needs.x11),
    needs.entries.list(),
  ]);
  const frameId = `frame_${needs.uniqueId()}`;
  if (!desktop.ok) return unseenScreen(frameId, [noDisplayReason(desktop.reason)]);
  const { display: wanted, contents = false, maxElements = DEFAULT_MAX_ELEMENTS } = parameters;
  const displays = allDisplays.filter(({ id }) => wanted === undefined || id === wanted);
  const shown = windowsOn(displays, desktop.value.windows, wanted !== undefined);
  const [windows, found] = await Promise.all([
    namedWindows(shown, entries),
    needs.readElements({ windows: shown, contents, maxElements, budgetMs: TREE_BUDGET_MS, signal }),
  ]);
  const own = shown.filter(isOwn).map(({ id }) => id);
  const treeless = inTime(found).filter(({ id }) => !own.includes(id));
  const texts = contents
    ? await needs.texts.read({ windows: shown, treeless, displays, signal })
    : {
        ...{ text: [], unread: [] },
        degradedReasons: await treelessReasons(found, { windows, isSwitchedOff: needs.isSwitchedOff }),
      };
  const { elements, degradedReasons: cut } = elementsWithinFrame(found.elements);
  const seen = {
    displays,
    ...appsOf(windows),
    windows: markedWindows(windows, elements, whyTreeless(found, { contents, own, unread: texts.unread })),
    elements,
    text: texts.text,
    focusedElement: elements.some(({ id }) => id === found.focusedElement) ? found.focusedElement : null,
    frameId,
  };
  return withReasons(seen, [
    ...desktopReasons(desktop.value, { displays, wanted }),
    ...found.degradedReasons,
    ...cut,
    ...texts.degradedReasons,
  ]);
}

/** An app that is late is not read by OCR as well: that takes longer than to ask again. */
function inTime({ treelessWindows, late }: Elements): Elements['treelessWindows'] {
  return treelessWindows.filter(({ pid }) => !late.includes(pid));
}

/** Why a window has no elements, where its app told none. */
function whyTreeless(
  { treelessWindows, late, degradedReasons }: Elements,
  { contents, own, unread }: { contents: boolean; own: readonly string[]; unread: readonly string[] },
): (window: ScreenWindow) => Missing | undefined {
  const treeless = new Set(treelessWindows.map(({ id }) => id));
  const isOff = degradedReasons.some(({ code }) => code === 'accessibility_off');
  return ({ id, pid }) => {
    if (!treeless.has(id)) return undefined;
    if (late.includes(pid)) return 'app_slow';
    if (contents && own.includes(id)) return 'own_page';
    if (contents) return unread.includes(id) ? 'text_unread' : 'read_by_ocr';
    return isOff ? 'accessibility_off' : 'window_without_tree';
  };
}

/** With `onlyThere`, only the windows on the displays; otherwise also the windows on none. */
function windowsOn(displays: readonly Display[], windows: readonly XWindow[], onlyThere: boolean): XWindow[] {
  const isThere = ({ bounds }: XWindow) => displays.some((display) => intersects(bounds, display.bounds));
  return windows
    .filter((window) => !onlyThere || isThere(window))
    .map((window) => ({ ...window, shown: window.shown && isThere(window) }));
}

/** The gaps in a description that the desktop itself causes. */
function desktopReasons(
  { hasWindowManager }: XDesktop,
  { displays, wanted }: { displays: readonly Display[]; wanted: string | undefined },
): DegradedReason[] {
  const noDisplay = {
    code: 'display_unknown',
    message: wanted === undefined ? 'The display has no screen that is on.' : `There is no display “${wanted}”.`,
    fix: 'Leave `display` out, or give one of the ids that a description without `display` lists.',
  };
  const noWindowManager = {
    code: 'no_window_manager',
    message: 'No window manager runs, so it is not known which window is in front.',
    fix: 'Start a window manager such as openbox.',
  };
  return [...(displays.length === 0 ? [noDisplay] : []), ...(hasWindowManager ? [] : [noWindowManager])];
}

/**
 * The gaps that apps cause by not describing themselves. If the accessibility bus is off, that is the only reason; otherwise
 * each such window is named.
 */
async function treelessReasons(
  { treelessWindows, late, degradedReasons }: Elements,
  { windows, isSwitchedOff }: { windows: readonly ScreenWindow[]; isSwitchedOff(): Promise<boolean> },
): Promise<DegradedReason[]> {
  const silent = new Set(treelessWindows.filter(({ pid }) => !late.includes(pid)).map(({ id }) => id));
  if (silent.size === 0 || degradedReasons.some(({ code }) => code === 'accessibility_off')) return [];
  const names = windows.filter(({ id }) => silent.has(id)).map(({ app }) => app);
  const untold = `${[...new Set(names)].join(', ')} ${names.length === 1 ? 'does' : 'do'} not describe the contents of the window.`;
  const byPixels = 'Ask with contents: true to have the text read from the pixels.';
  if (!(await isSwitchedOff())) return [{ code: 'window_without_tree', message: untold, fix: byPixels }];
  return [
    {
      code: ACCESSIBILITY_SWITCHED_OFF,
      message: `${untold} Accessibility is switched off in this session, so apps built on Chromium, Electron and Qt tell nothing.`,
      fix: `${byPixels} The person can switch it on at the Handrail dashboard, page Devices; an app that is open has to be started again then.`,
    },
  ];
}

/** Why nothing is seen when there is no display at all. */
function noDisplayReason({ kind, message, fix }: NoDisplay): DegradedReason {
  return { code: kind === 'wayland' ? 'not_supported' : 'display_unavailable', message, fix };
}
