import type { Display } from '../../../src/contract/device.ts';
import type { DescribeScreenParameters } from '../../../src/contract/parameters.ts';
import type { Missing, ScreenDescription, ScreenWindow } from '../../../src/contract/screen.ts';
import type { Driver } from '../driver.ts';
import { elementsWithinFrame } from '../elements-within-frame.ts';
import { markedWindows, withReasons } from '../missing.ts';
import { screenParagraph } from '../screen-paragraph.ts';
import { stoppedFailure, unlessStopped, withinDeadline } from '../stopping.ts';
import { unseenScreen } from '../unseen-screen.ts';
import type { Elements, ElementsRequest } from './accessibility.ts';
import { intersects } from './accessible-elements.ts';
import type { DesktopEntries } from './desktop-entries.ts';
import { readDisplays } from './displays.ts';
import { isOwn } from './own-documents.ts';
import { desktopReasons, noDisplayReason, treelessReasons } from './screen-reasons.ts';
import { appsOf, namedWindows } from './screen-windows.ts';
import type { WindowTexts } from './window-texts.ts';
import type { XWindow } from './x-window.ts';
import type { X11 } from './x11.ts';

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
    return { ok: true, details: spoken(description), effect: 'none', data: description };
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

const SPOKEN_LIMIT = 10_000;

function spoken(description: ScreenDescription): string {
  return screenParagraph(description).slice(0, SPOKEN_LIMIT);
}
