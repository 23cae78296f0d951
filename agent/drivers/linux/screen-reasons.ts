import { ACCESSIBILITY_SWITCHED_OFF } from '../../../src/contract/accessibility-words.ts';
import type { Display } from '../../../src/contract/device.ts';
import type { DegradedReason, ScreenWindow } from '../../../src/contract/screen.ts';
import type { Elements } from './accessibility.ts';
import type { XDesktop } from './x-window.ts';
import type { NoDisplay } from './x11.ts';

/** The gaps in a description that the desktop itself causes. */
export function desktopReasons(
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
export async function treelessReasons(
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
export function noDisplayReason({ kind, message, fix }: NoDisplay): DegradedReason {
  return { code: kind === 'wayland' ? 'not_supported' : 'display_unavailable', message, fix };
}
