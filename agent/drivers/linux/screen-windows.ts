import type { ScreenDescription, ScreenWindow } from '../../../src/contract/screen.ts';
import type { WindowPlace } from '../input.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { entryOfWindow } from './entry-search.ts';
import { processName } from './processes.ts';
import type { XWindow } from './x-window.ts';

/** The windows as a description tells them, with the names of their apps. */
export async function namedWindows(
  windows: readonly XWindow[],
  entries: readonly DesktopEntry[],
): Promise<ScreenWindow[]> {
  return Promise.all(
    windows.map(async (window, zIndex) => ({
      ...placeOf(window, zIndex),
      app: await appNameOf(window, entries),
      title: window.title,
      focused: window.focused,
    })),
  );
}

/** `zIndex`: its index among the windows, in front first. */
export function placeOf({ id, pid, bounds, shown }: XWindow, zIndex: number): WindowPlace {
  return { id, pid, bounds, onScreen: shown, zIndex };
}

async function appNameOf(window: XWindow, entries: readonly DesktopEntry[]): Promise<string> {
  const ownName = entryOfWindow(window, entries)?.name || window.className || window.instanceName;
  if (ownName !== '') return ownName;
  return (window.pid === null ? null : await processName(window.pid)) ?? 'An app without a name';
}

/** The apps that have windows, and the one in front. */
export function appsOf(windows: readonly ScreenWindow[]): Pick<ScreenDescription, 'apps' | 'frontmostApp'> {
  const front = windows.find((window) => window.focused);
  const groups = Map.groupBy(windows, ({ app, pid }) => `${pid} ${app}`);
  const apps = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : [{ name: first.app, pid: first.pid, frontmost: front !== undefined && group.includes(front) }];
  });
  return { apps, frontmostApp: front?.app ?? null };
}
