import { ACCESSIBILITY_SWITCHED_OFF } from '../../../src/contract/accessibility-words.ts';
import { intersects } from '../../../src/contract/bounds.ts';
import type { Display } from '../../../src/contract/device.ts';
import type { DegradedReason, ScreenWindow } from '../../../src/contract/screen.ts';
import type { Driver } from '../driver.ts';
import {
  createDescribeScreen,
  type Look,
  nothingSeen,
  reasonOf,
  type Seen,
  unknownDisplay,
  untoldContents,
  whyTreeless,
} from '../looks/describe-screen.ts';
import { unlessStopped } from '../stopping.ts';
import { type Elements, type ElementsRequest, isOwn } from './accessibility.ts';
import type { DesktopEntries } from './desktop-entries.ts';
import { appsOf, namedWindows } from './window.ts';
import type { WindowTexts } from './window-texts.ts';
import type { XDesktop, XWindow } from './x-window.ts';
import { readDisplays, withoutDisplay, type X11 } from './x11.ts';

export type DescribeScreenNeeds = {
  x11: X11;
  readElements(request: ElementsRequest): Promise<Elements>;
  entries: DesktopEntries;
  texts: WindowTexts;
  /** Whether accessibility is switched off in this session. */
  isSwitchedOff(): Promise<boolean>;
};

/** Shorter than two seconds, so that the whole answer is there by then. */
const TREE_BUDGET_MS = 1_500;

/** Windows, controls and, with `contents`, texts of an X11 desktop. */
export function createLinuxDescription(needs: DescribeScreenNeeds): Driver['describeScreen'] {
  return createDescribeScreen((look, signal) => unlessStopped(see(needs, { ...look, signal }), signal));
}

async function see(needs: DescribeScreenNeeds, request: Look & { signal: AbortSignal }): Promise<Seen> {
  const { display: wanted, contents, maxElements, signal } = request;
  const [desktop, allDisplays, entries] = await Promise.all([
    needs.x11.desktop(),
    readDisplays(needs.x11),
    needs.entries.list(),
  ]);
  if (!desktop.ok) return nothingSeen([reasonOf(withoutDisplay(desktop.reason))]);
  const displays = allDisplays.filter(({ id }) => wanted === undefined || id === wanted);
  const shown = windowsOn(displays, desktop.value.windows, wanted !== undefined);
  const [windows, found] = await Promise.all([
    namedWindows(shown, entries),
    needs.readElements({ windows: shown, contents, maxElements, budgetMs: TREE_BUDGET_MS, signal }),
  ]);
  const own = shown.filter(isOwn).map(({ id }) => id);
  const treeless = inTime(found).filter(({ id }) => !own.includes(id)); // guard N49-3
  const texts = contents
    ? await needs.texts.read({ windows: shown, treeless, displays, signal })
    : {
        text: [],
        unread: [],
        degradedReasons: await treelessReasons(found, { windows, isSwitchedOff: needs.isSwitchedOff }),
      };
  return {
    displays,
    ...appsOf(windows),
    windows,
    elements: found.elements,
    focusedElement: found.focusedElement,
    texts,
    why: whyTreeless(found, { contents, own, unread: texts.unread }),
    reasons: [...desktopReasons(desktop.value, { displays, wanted }), ...found.degradedReasons],
  };
}

/** An app that is late is not read by OCR as well: that takes longer than to ask again. */
function inTime({ treelessWindows, late }: Elements): Elements['treelessWindows'] {
  return treelessWindows.filter(({ pid }) => !late.includes(pid));
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
  const noDisplay =
    wanted === undefined
      ? { ...unknownDisplay(''), message: 'The display has no screen that is on.' }
      : unknownDisplay(wanted);
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
  const untold = untoldContents(windows.filter(({ id }) => silent.has(id)).map(({ app }) => app));
  if (!(await isSwitchedOff())) return [untold];
  return [
    {
      code: ACCESSIBILITY_SWITCHED_OFF,
      message: `${untold.message} Accessibility is switched off in this session, so apps built on Chromium, Electron and Qt tell nothing.`,
      fix: `${untold.fix} The person can switch it on at the Handrail dashboard, page Devices; an app that is open has to be started again then.`,
    },
  ];
}
