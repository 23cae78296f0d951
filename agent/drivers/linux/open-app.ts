import type { OpenedApp } from '../../../src/contract/screen.ts';
import { openedApp } from '../apps/apps.ts';
import type { Failed, Outcome } from '../outcome.ts';
import { stoppedFailure, unlessStopped } from '../stopping.ts';
import type { DesktopEntries, DesktopEntry } from './desktop-entries.ts';
import { entryOfWindow, isSameProgram } from './entry-search.ts';
import { launch } from './launch.ts';
import type { Launched } from './launched.ts';
import { isAlive, isOfSession } from './processes.ts';
import type { XDesktop, XWindow } from './x-window.ts';
import { withoutDisplay, type X11 } from './x11.ts';

export type OpenAppNeeds = {
  x11: X11;
  entries: DesktopEntries;
  environment: NodeJS.ProcessEnv;
  /** For startup notification: a text nobody else uses. */
  uniqueId(): string;
  /** How long an app may take to show a window before the opening counts as unverified; 10 s by default. */
  windowTimeoutMs?: number;
};

const WINDOW_TIMEOUT_MS = 10_000;
/** How long a window that is there may take to get its title and come to the front. */
const FRONT_TIMEOUT_MS = 2_000;

/** Brings an app to the front if it runs and starts it if not, and looks for the proof. */
export async function openApp(opening: Opening): Promise<Outcome<OpenedApp>> {
  const desktop = await unlessStopped(opening.needs.x11.desktop(), opening.signal);
  if (desktop === 'stopped') return stoppedFailure(opening.signal, 'none');
  if (!desktop.ok) return withoutDisplay(desktop.reason);
  const running = windowsOf(opening, desktop.value)[0];
  const raised = running === undefined ? null : await raise(opening, running);
  return raised ?? (await start(opening, desktop.value));
}

export type Opening = {
  needs: OpenAppNeeds;
  entry: DesktopEntry;
  entries: readonly DesktopEntry[];
  signal: AbortSignal;
};

/** The app's windows, in front first. An app in a terminal has none, since they cannot be told from the terminal's own. */
function windowsOf({ entry, entries }: Opening, { windows }: XDesktop): XWindow[] {
  if (entry.terminal) return [];
  return windows.filter((window) => window.isMain && entryOfWindow(window, entries)?.id === entry.id);
}

/** Brings a running app to the front; `null` when its window closed meanwhile, so that it has to be started. */
async function raise(opening: Opening, window: XWindow): Promise<Outcome<OpenedApp> | null> {
  const { needs, signal } = opening;
  await needs.x11.activate(window);
  const shown = await untilInFront(opening, window);
  if (signal.aborted) return stoppedFailure(signal, 'unknown');
  return shown === null ? null : opened(opening, { window: shown, alreadyRunning: true, pid: shown.pid });
}

async function start(opening: Opening, before: XDesktop): Promise<Outcome<OpenedApp>> {
  const { needs, entry, signal } = opening;
  const startupId = `handrail-${needs.uniqueId()}`;
  const result = await launch({ entry, startupId, environment: needs.environment });
  if (!result.ok) return notStarted(entry, result.reason);
  const { launched } = result;
  const known = new Map(before.windows.map((window) => [window.xid, window]));
  const found = await untilWindow(opening, { launched, startupId, known });
  if (signal.aborted) return stoppedFailure(signal, 'done');
  if (found.kind === 'died') return died(entry, launched);
  if (found.kind === 'none') return windowless(opening, launched);
  if (!found.window.focused) await needs.x11.activate(found.window);
  const shown = (await untilInFront(opening, found.window)) ?? found.window;
  if (signal.aborted) return stoppedFailure(signal, 'done');
  const alreadyRunning = known.has(shown.xid);
  return opened(opening, { window: shown, alreadyRunning, pid: shown.pid ?? launched.pid });
}

function timeoutOf({ needs }: Opening): number {
  return needs.windowTimeoutMs ?? WINDOW_TIMEOUT_MS;
}

type Search = { launched: Launched; startupId: string; known: ReadonlyMap<number, XWindow> };
type Sighting = { kind: 'window'; window: XWindow } | { kind: 'died' } | { kind: 'none' };

async function untilWindow(opening: Opening, search: Search): Promise<Sighting> {
  const sighting = await poll<Sighting>(opening, timeoutOf(opening), async (desktop) => {
    const window = await newWindow(opening, search, desktop);
    if (window !== null) return { kind: 'window', window };
    const ending = search.launched.ending();
    return ending !== null && ending.exitCode !== 0 ? { kind: 'died' } : null;
  });
  return sighting ?? { kind: 'none' };
}

/** A window the start brought about: by its startup id, its process, or as the app's own; in front first. */
async function newWindow(opening: Opening, search: Search, { windows }: XDesktop): Promise<XWindow | null> {
  for (const window of windows) {
    if (!window.isMain || !isChanged(window, search.known.get(window.xid))) continue;
    if (window.startupId === search.startupId || isOwn(opening, search, window)) return window;
    if (window.pid !== null && (await isOfSession(window.pid, search.launched.pid))) return window;
  }
  return null;
}

/** A program that ends well at once has handed over to a running one, which may be that of another entry. */
function isOwn({ entry, entries }: Opening, { launched }: Search, window: XWindow): boolean {
  const other = entry.terminal ? null : entryOfWindow(window, entries);
  if (other === null) return false;
  return other.id === entry.id || (launched.ending()?.exitCode === 0 && isSameProgram(other, entry));
}

/** New, or brought to the front by an app that handed the request to a process of its that was running. */
function isChanged(window: XWindow, before: XWindow | undefined): boolean {
  return before === undefined || (window.focused && !before.focused);
}

/** Waits until a window has the focus and a title; answers it as it last was, or `null` when it is gone. */
async function untilInFront(opening: Opening, { xid }: XWindow): Promise<XWindow | null> {
  let last: XWindow | null = null;
  await poll(opening, FRONT_TIMEOUT_MS, async ({ windows }) => {
    last = windows.find((window) => window.xid === xid) ?? null;
    return last === null || (last.focused && last.title !== '') ? true : null;
  });
  return last;
}

/** Reads the desktop at each change until `check` has an answer; `null` when the time is over or nobody waits for it. */
async function poll<Answer>(
  { needs, signal }: Opening,
  timeoutMs: number,
  check: (desktop: XDesktop) => Promise<Answer | null>,
): Promise<Answer | null> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  while (!over.aborted) {
    const desktop = await unlessStopped(needs.x11.desktop(), over);
    if (desktop === 'stopped') return null;
    const answer = desktop.ok ? await check(desktop.value) : null;
    if (answer !== null) return answer;
    await needs.x11.nextChange(desktop.ok ? desktop.value.revision : 0, over);
  }
  return null;
}

type Evidence = { window: XWindow; alreadyRunning: boolean; pid: number | null };

async function opened({ entry }: Opening, { window, alreadyRunning, pid }: Evidence): Promise<Outcome<OpenedApp>> {
  const isProven = pid !== null && (await isAlive(pid)); // guard E-22
  const { name: appName, id: bundleId } = entry;
  return openedApp({ appName, bundleId, pid, alreadyRunning, frontmost: window.focused, window, isProven });
}

async function windowless(opening: Opening, launched: Launched): Promise<Outcome<OpenedApp>> {
  const { name: appName, id: bundleId } = opening.entry;
  const isRunning = await isAlive(launched.pid);
  const state = isRunning ? 'it runs' : 'the program it started has ended';
  return openedApp({
    appName,
    bundleId,
    pid: isRunning ? launched.pid : null,
    alreadyRunning: false,
    frontmost: false,
    windowless: `; ${state}, but within ${timeoutOf(opening) / 1000} s no window of it appeared`,
    isProven: false,
  });
}

function died(entry: DesktopEntry, launched: Launched): Failed {
  const ending = launched.ending();
  const how = ending?.signal ? `was ended by ${ending.signal}` : `exited with code ${ending?.exitCode}`;
  return {
    ok: false,
    code: 'target_gone',
    message: `${entry.name} was started and ended at once: it ${how} without showing a window.`,
    fix: `Start it in a terminal to see why (${entry.exec}).`,
    sideEffect: 'done',
  };
}

function notStarted(entry: DesktopEntry, reason: string): Failed {
  return {
    ok: false,
    code: 'app_not_found',
    message: `${entry.name} is listed as installed (${entry.path}), but it cannot be started: ${reason}.`,
    fix: 'Install it again, or remove its desktop entry.',
    sideEffect: 'none',
  };
}
