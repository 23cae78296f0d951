import { setTimeout as pause } from 'node:timers/promises';
import type { QuitResult } from '../../../src/contract/screen.ts';
import { appNotFound, appNotRunning } from '../apps/app-name.ts';
import { createApps } from '../apps/apps.ts';
import { asksFirst, closedApp, placeOf, untilQuit } from '../apps/quit-app.ts';
import { resolvedApp } from '../apps/resolved-risk.ts';
import type { Failed, Outcome } from '../outcome.ts';
import { stoppedFailure, unlessStopped } from '../stopping.ts';
import type { DesktopEntry } from './desktop-entries.ts';
import { identityOfEntry } from './entry-risks.ts';
import { entryOfWindow, findEntry } from './entry-search.ts';
import { type OpenAppNeeds, openApp } from './open-app.ts';
import { isAlive } from './processes.ts';
import type { XDesktop, XWindow } from './x-window.ts';
import { withoutDisplay, type X11 } from './x11.ts';

/** How long a program may take to end after its last window; many end a moment later, some never. */
const ENDING_TIMEOUT_MS = 2_000;
/** How long a window may take to announce that it accepts requests to close; some do so only after they are shown. */
const DEAF_AFTER_MS = 2_000;
const LOOK_AGAIN_MS = 50;

type Quitting = { x11: X11; entry: DesktopEntry; entries: readonly DesktopEntry[]; signal: AbortSignal };

/** Asks each window of an app to close, as its close button would, and watches until they are gone or the app asks back. */
async function quitApp(quitting: Quitting): Promise<Outcome<QuitResult>> {
  const { x11, entry, signal } = quitting;
  if (entry.terminal) return insideTerminal(entry);
  const desktop = await unlessStopped(x11.desktop(), signal);
  if (desktop === 'stopped') return stoppedFailure(signal, 'none');
  if (!desktop.ok) return withoutDisplay(desktop.reason);
  const before = windowsOf(quitting, desktop.value, new Set());
  if (before.length === 0) return appNotRunning(entry.name, runningApps(quitting, desktop.value));
  // A request to close would have no effect, or answer the question in the person's place.
  const question = before.find((window) => window.isModal);
  if (question !== undefined) return asksFirst(entry.name, { where: placeOf(question), windowsClosed: 0 });
  const [pids, requests] = [pidsOf(before), createRequests(quitting, before)];
  const { wereSent } = requests;
  let { revision } = desktop.value;
  return untilQuit({
    name: entry.name,
    before,
    signal,
    now: () => performance.now(),
    wasAsked: wereSent,
    async look() {
      const now = await unlessStopped(x11.desktop(), signal);
      if (now === 'stopped') return undefined;
      if (!now.ok) return withoutDisplay(now.reason, wereSent() ? 'unknown' : 'none');
      revision = now.value.revision;
      const left = windowsOf(quitting, now.value, pids);
      return left.length > 0 ? left : ended(quitting, { before, now: now.value, wasAsked: wereSent() });
    },
    isQuestion: (window, isNew) => window.isModal || (window.isDialog && isNew),
    // A new window may accept requests only a moment later.
    ask: requests.send,
    untilLater: () => x11.nextChange(revision, signal),
  });
}

function createRequests({ x11, entry, signal }: Quitting, before: readonly XWindow[]) {
  const open = new Set(before.map(({ xid }) => xid));
  const startedAtMs = performance.now();
  let wereSent = false;
  return {
    wereSent: () => wereSent,
    /** Returns the failure that makes waiting useless; `null` if the app may still close. */
    async send(windows: readonly XWindow[]): Promise<Failed | null> {
      if (windows.some(({ isModal }) => isModal)) return null;
      const hearing = windows.filter(({ xid, closesOnRequest }) => closesOnRequest && open.has(xid));
      const isDeaf = !wereSent && hearing.length === 0;
      if (isDeaf) return performance.now() - startedAtMs > DEAF_AFTER_MS ? cannotBeAsked(entry) : null;
      for (const { xid } of hearing) open.delete(xid);
      wereSent = true;
      const sending = Promise.all(hearing.map((window) => x11.requestClose(window)));
      const sent = await unlessStopped(sending, signal);
      if (sent === 'stopped') return stoppedFailure(signal, 'unknown');
      const lost = sent.find((answer) => !answer.ok);
      return lost === undefined || lost.ok ? null : withoutDisplay(lost.reason, 'unknown');
    },
  };
}

type Ended = { before: readonly XWindow[]; now: XDesktop; wasAsked: boolean };

/** The outcome when no window is left. An app without windows that was never asked to close was not running. */
async function ended(quitting: Quitting, { before: windows, now, wasAsked }: Ended): Promise<Outcome<QuitResult>> {
  const { entry, signal } = quitting;
  if (!wasAsked) return appNotRunning(entry.name, runningApps(quitting, now));
  const pids = pidsOf(windows);
  const stillRunning = pids.size === 0 ? null : !(await haveEnded(pids, signal));
  const { name: appName, id: bundleId } = entry;
  return closedApp({ appName, bundleId, pid: windows[0]?.pid ?? null, windowsClosed: windows.length, stillRunning });
}

async function haveEnded(pids: ReadonlySet<number>, signal: AbortSignal): Promise<boolean> {
  const endsAtMs = performance.now() + ENDING_TIMEOUT_MS;
  for (;;) {
    const alive = await Promise.all([...pids].map(isAlive));
    if (!alive.includes(true)) return true;
    if (signal.aborted || performance.now() > endsAtMs) return false;
    await pause(LOOK_AGAIN_MS);
  }
}

/** The app's windows, in front first, with every dialog of its processes under any name. */
function windowsOf({ entry, entries }: Quitting, { windows }: XDesktop, pids: ReadonlySet<number>): XWindow[] {
  const own = windows.filter((window) => window.isMain && entryOfWindow(window, entries)?.id === entry.id);
  const ownPids = new Set([...pids, ...pidsOf(own)]);
  return windows.filter(
    (window) => own.includes(window) || (window.isDialog && window.pid !== null && ownPids.has(window.pid)),
  );
}

function pidsOf(windows: readonly XWindow[]): Set<number> {
  return new Set(windows.flatMap(({ pid }) => (pid === null ? [] : [pid])));
}

function runningApps({ entries }: Quitting, { windows }: XDesktop): string[] {
  return windows.flatMap((window) => entryOfWindow(window, entries)?.name ?? []);
}

function insideTerminal({ name }: DesktopEntry): Failed {
  return {
    ok: false,
    code: 'not_supported',
    message: `${name} runs inside a terminal, whose windows do not tell which programs they hold.`,
    fix: 'Close it in its terminal.',
    sideEffect: 'none',
  };
}

function cannotBeAsked({ name }: DesktopEntry): Failed {
  return {
    ok: false,
    code: 'not_supported',
    message: `${name} does not hear requests to close its windows; it could only be ended by force, which is not done.`,
    fix: 'Close it by its own menu.',
    sideEffect: 'none',
  };
}

/** Apps by their desktop entries. */
export function createLinuxApps(needs: OpenAppNeeds) {
  return createApps<{ entry: DesktopEntry; entries: readonly DesktopEntry[] }>({
    async find({ appName }) {
      const entries = await needs.entries.list();
      const found = findEntry(appName, entries);
      if (found.kind === 'missing') return appNotFound(appName, found.near);
      if (found.kind === 'ambiguous') return ambiguous(appName, found.entries);
      const { entry } = found;
      return { app: { entry, entries }, resolved: resolvedApp(await identityOfEntry(entry, needs.environment)) };
    },
    keyOf: ({ entry }) => entry.id,
    open: (app, signal) => openApp({ needs, ...app, signal }),
    quit: (app, signal) => quitApp({ x11: needs.x11, ...app, signal }),
  });
}

function ambiguous(appName: string, entries: readonly DesktopEntry[]): Failed {
  const choices = entries.slice(0, 5).map((entry) => `${entry.name} (${entry.id})`);
  return {
    ok: false,
    code: 'app_not_found',
    message: `Expected the name of one app, but “${appName}” fits several: ${choices.join(', ')}.`,
    fix: 'Name one of them by its id.',
    sideEffect: 'none',
  };
}
