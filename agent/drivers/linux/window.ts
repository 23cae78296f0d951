import { readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ResolveWindowParameters } from '../../../src/contract/parameters.ts';
import type { ResolvedApp, ResolvedWindow, ScreenDescription, ScreenWindow } from '../../../src/contract/screen.ts';
import { type AppIdentity, resolvedApp } from '../apps/resolved-risk.ts';
import type { Driver } from '../driver.ts';
import { identityOf, noSuchWindow, refuseChangedWindow, resolvedWindow } from '../expected-window.ts';
import type { WindowPlace } from '../input.ts';
import type { Failed } from '../outcome.ts';
import { stoppedFailure, unlessStopped, withinDeadline } from '../stopping.ts';
import type { DesktopEntries, DesktopEntry } from './desktop-entries.ts';
import { identityOfEntry } from './entry-risks.ts';
import { entryOfWindow, type NamedWindow } from './entry-search.ts';
import { processName } from './processes.ts';
import type { XWindow } from './x-window.ts';
import { withoutDisplay, type X11 } from './x11.ts';

/** Without an environment only the window's own words name its app. */
export type WindowSources = { x11: X11; entries: Pick<DesktopEntries, 'list'>; environment?: NodeJS.ProcessEnv };

export type SeenWindow = { ok: true; window: XWindow; identity: ResolvedWindow };

/** The window that has an id now, as it is told to a person. */
async function seeWindow(
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

export type IdentitySources = { entries: Pick<DesktopEntries, 'list'>; environment: NodeJS.ProcessEnv };

/** The kernel keeps so many bytes of a process's name. */
const NAME_BYTES = 15;

type IdentityOf = (window: NamedWindow) => Promise<AppIdentity | null>;

/**
 * The app of a window by all of its names: the same answer as for a name that leads to its desktop entry. A window only claims its entry, so
 * a process that is not of the entry's programs is named beside them.
 */
async function appOfWindow(
  window: NamedWindow & Pick<XWindow, 'pid'>,
  sources: IdentitySources,
  claimed: IdentityOf = (named) => claimedIdentity(named, sources),
): Promise<ResolvedApp> {
  const [identity, program] = await Promise.all([claimed(window), window.pid === null ? [] : programNames(window.pid)]);
  if (identity === null) {
    const names = [...new Set([window.className, window.instanceName, ...program].filter((name) => name !== ''))];
    const [name = 'An app without a name', ...alsoKnownAs] = names;
    return resolvedApp({ name, alsoKnownAs });
  }
  const known = new Set([identity.name, ...identity.alsoKnownAs].map(plain));
  const isIts = program.length === 0 || program.some((name) => known.has(plain(name)) || isCut(name, known));
  return resolvedApp(isIts ? identity : { ...identity, alsoKnownAs: [...identity.alsoKnownAs, ...program] });
}

const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 100;

/** The same for looks in quick succession. It remembers for a moment which app a window claims to be, but never the process behind it. */
export function createAppsOfWindows(sources: IdentitySources): (window: XWindow) => Promise<ResolvedApp> {
  const known = new Map<string, { untilMs: number; identity: Promise<AppIdentity | null> }>();
  const remembered: IdentityOf = (window) => {
    const { className, instanceName, applicationId } = window;
    const key = JSON.stringify([className, instanceName, applicationId]);
    const before = known.get(key);
    if (before !== undefined && performance.now() < before.untilMs) return before.identity;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const identity = claimedIdentity(window, sources);
    known.set(key, { untilMs: performance.now() + REMEMBERED_MS, identity });
    return identity;
  };
  return (window) => appOfWindow(window, sources, remembered);
}

async function claimedIdentity(
  window: NamedWindow,
  { entries, environment }: IdentitySources,
): Promise<AppIdentity | null> {
  const entry = entryOfWindow(window, await entries.list());
  return entry === null ? null : identityOfEntry(entry, environment);
}

/** The file that the process runs, and the name that it has given itself, which for a script is the script's. */
async function programNames(pid: number): Promise<string[]> {
  const [path, name] = await Promise.all([readlink(`/proc/${pid}/exe`).catch(() => null), processName(pid)]);
  const file = path === null ? null : basename(path.replace(/ \(deleted\)$/, ''));
  return [...new Set([file, name].filter((each) => each !== null))];
}

/** `soffice.bin` is run by `soffice`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/\.bin$/, '');
}

function isCut(name: string, known: ReadonlySet<string>): boolean {
  return name.length === NAME_BYTES && [...known].some((each) => each.startsWith(plain(name)));
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
      ...(seen.window.staysAbove && { staysAbove: true }), // guard N53-3
    });
  };
}

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

async function identityIn(window: XWindow, entries: readonly DesktopEntry[]): Promise<ResolvedWindow | undefined> {
  const [named] = await namedWindows([window], entries);
  return named === undefined ? undefined : identityOf(named);
}
