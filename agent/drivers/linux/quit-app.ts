import { setTimeout as pause } from 'node:timers/promises';
import type { QuitResult } from '../../../src/contract/screen.ts';
import { appNotRunning } from '../app-name.ts';
import type { Driver, Failed, Outcome } from '../driver.ts';
import { asksFirst, closedSentence, QUESTION_AFTER_MS, stoppedWaiting } from '../quit-answers.ts';
import { stoppedFailure, unlessStopped, withinDeadline } from '../stopping.ts';
import type { DesktopEntries } from './desktop-entries.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { entryOfWindow } from './entry-search.ts';
import { namedEntry } from './named-entry.ts';
import { isAlive } from './processes.ts';
import { createTurns } from './turns.ts';
import { withoutDisplay } from './without-display.ts';
import type { X11, XDesktop, XWindow } from './x11.ts';

export type QuitAppNeeds = { x11: X11; entries: DesktopEntries };

/** How long a program may take to end after its last window; many end a moment later, some never. */
const ENDING_TIMEOUT_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/** Asks each window of an app to close, as its close button would, and watches until they are gone or the app asks back. */
export function createQuitApp(needs: QuitAppNeeds): Driver['quitApp'] {
  const inTurn = createTurns();
  return async ({ appName }, attempt) => {
    const signal = withinDeadline(attempt);
    if (signal.aborted) return stoppedFailure(signal, 'none');
    const entries = await needs.entries.list();
    const found = namedEntry(appName, entries);
    if (found.kind === 'failed') return found.failure;
    const { entry } = found;
    if (entry.terminal) return insideTerminal(entry);
    const quitting = { needs, entry, entries, signal };
    const outcome = await inTurn({ key: entry.id, signal, work: () => quit(quitting) });
    return outcome ?? stoppedFailure(signal, 'none');
  };
}

type Quitting = { needs: QuitAppNeeds; entry: DesktopEntry; entries: readonly DesktopEntry[]; signal: AbortSignal };

async function quit(quitting: Quitting): Promise<Outcome<QuitResult>> {
  const { needs, entry, signal } = quitting;
  const desktop = await unlessStopped(needs.x11.desktop(), signal);
  if (desktop === 'stopped' || signal.aborted) return stoppedFailure(signal, 'none');
  if (!desktop.ok) return withoutDisplay(desktop.reason);
  const windows = windowsOf(quitting, desktop.value, new Set());
  if (windows.length === 0) return appNotRunning(entry.name, runningApps(quitting, desktop.value));
  // A request to close would reach nobody, or answer the question in the person's place.
  const question = windows.find((window) => window.isModal);
  if (question !== undefined) return asksFirst(entry.name, { where: placeOf(question), windowsClosed: 0 });
  const asked = windows.filter((window) => window.closesOnRequest);
  if (asked.length === 0) return cannotBeAsked(entry);
  return (await request(quitting, asked)) ?? (await watch(quitting, windows));
}

async function request({ needs, signal }: Quitting, windows: readonly XWindow[]): Promise<Failed | null> {
  const sending = Promise.all(windows.map((window) => needs.x11.requestClose(window)));
  const sent = await unlessStopped(sending, signal);
  if (sent === 'stopped') return stoppedFailure(signal, 'unknown');
  const refused = sent.find((answer) => !answer.ok);
  return refused === undefined || refused.ok ? null : withoutDisplay(refused.reason, 'unknown');
}

async function watch(quitting: Quitting, before: readonly XWindow[]): Promise<Outcome<QuitResult>> {
  const { needs, entry, signal } = quitting;
  const pids = pidsOf(before);
  const questions = createQuestions(before);
  for (let windowsClosed = 0; ; ) {
    const desktop = await unlessStopped(needs.x11.desktop(), signal);
    if (desktop === 'stopped') return stoppedWaiting(entry.name, { signal, windowsClosed });
    if (!desktop.ok) return withoutDisplay(desktop.reason, windowsClosed === 0 ? 'unknown' : 'done');
    const left = windowsOf(quitting, desktop.value, pids);
    if (left.length === 0) return gone(quitting, before);
    windowsClosed = before.filter(({ xid }) => left.every((window) => window.xid !== xid)).length;
    const question = questions(left);
    if (question !== null) return asksFirst(entry.name, { where: placeOf(question), windowsClosed });
    await needs.x11.nextChange(desktop.value.revision, signal);
  }
}

/** Answers the dialog, of those that were not there before, that has been seen in every look for long enough. */
function createQuestions(before: readonly XWindow[]): (windows: readonly XWindow[]) => XWindow | null {
  const known = new Set(before.map((window) => window.xid));
  let sinceMs = new Map<number, number>();
  return (windows) => {
    const nowMs = performance.now();
    const asking = windows.filter((window) => window.isModal || (window.isDialog && !known.has(window.xid)));
    sinceMs = new Map(asking.map(({ xid }) => [xid, sinceMs.get(xid) ?? nowMs]));
    return asking.find(({ xid }) => nowMs - (sinceMs.get(xid) ?? nowMs) >= QUESTION_AFTER_MS) ?? null;
  };
}

async function gone({ entry, signal }: Quitting, windows: readonly XWindow[]): Promise<Outcome<QuitResult>> {
  const pids = pidsOf(windows);
  const stillRunning = pids.size === 0 ? null : !(await haveEnded(pids, signal));
  const closed = { windowsClosed: windows.length, stillRunning };
  return {
    ok: true,
    details: closedSentence(entry.name, closed),
    effect: 'confirmed',
    data: { appName: entry.name, bundleId: entry.id, pid: windows[0]?.pid ?? null, ...closed },
  };
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

/** The app's windows, in front first; a dialog of its processes is one too, whatever it calls itself. */
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

function placeOf({ title }: XWindow): string {
  return title === '' ? 'a window without a title' : `its window “${title}”`;
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
