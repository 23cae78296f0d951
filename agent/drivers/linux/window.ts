import type { ResolveWindowParameters } from '../../../src/contract/parameters.ts';
import type { ResolvedWindow } from '../../../src/contract/screen.ts';
import type { Driver } from '../driver.ts';
import { identityOf, noSuchWindow, refuseChangedWindow, resolvedWindow } from '../expected-window.ts';
import type { Failed } from '../outcome.ts';
import { stoppedFailure, unlessStopped, withinDeadline } from '../stopping.ts';
import type { DesktopEntries } from './desktop-entries.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { namedWindows } from './screen-windows.ts';
import { appOfWindow } from './window-identity.ts';
import { withoutDisplay } from './without-display.ts';
import type { XWindow } from './x-window.ts';
import type { X11 } from './x11.ts';

/** Without an environment only the window's own words name its app. */
export type WindowSources = { x11: X11; entries: Pick<DesktopEntries, 'list'>; environment?: NodeJS.ProcessEnv };

export type SeenWindow = { ok: true; window: XWindow; identity: ResolvedWindow };

/** The window that has an id now, as it is told to a person. */
export async function seeWindow(
  { x11, entries }: WindowSources,
  { windowId, hidden = false }: ResolveWindowParameters,
): Promise<SeenWindow | Failed> {
  const [desktop, installed] = await Promise.all([x11.desktop(), entries.list()]);
  if (!desktop.ok) return withoutDisplay(desktop.reason);
  const window = desktop.value.windows.find((one) => Number(one.id) === Number(windowId));
  if (window === undefined) return noSuchWindow(windowId);
  if (!window.shown && !hidden) return noSuchWindow(windowId, 'which is not shown');
  const identity = await identityIn(window, installed);
  return identity === undefined ? noSuchWindow(windowId) : { ok: true, window, identity };
}

/** The same, unless it is not as the person was told. */
export async function seeExpected(
  sources: WindowSources,
  windowId: string,
  expected: ResolvedWindow | undefined,
): Promise<SeenWindow | Failed> {
  const seen = await seeWindow(sources, { windowId });
  return seen.ok ? (refuseChangedWindow(expected, seen.identity) ?? seen) : seen;
}

export function createResolveWindow(sources: WindowSources): Driver['resolveWindow'] {
  return async (parameters, attempt) => {
    const signal = withinDeadline(attempt);
    const seen = await unlessStopped(seeWindow(sources, parameters), signal);
    if (seen === 'stopped') return stoppedFailure(signal, 'none');
    if (!seen.ok) return seen;
    const { entries, environment = {} } = sources;
    const { bounds } = seen.identity;
    return resolvedWindow({
      ...seen.identity,
      // One that is minimized has no place: the window manager moves it while it shows how it goes.
      bounds: seen.window.minimized ? { ...bounds, x: 0, y: 0 } : bounds,
      identity: await appOfWindow(seen.window, { entries, environment }),
      ...(seen.window.staysAbove && { staysAbove: true }),
    });
  };
}

async function identityIn(window: XWindow, entries: readonly DesktopEntry[]): Promise<ResolvedWindow | undefined> {
  const [named] = await namedWindows([window], entries);
  return named === undefined ? undefined : identityOf(named);
}
