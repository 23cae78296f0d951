import { setTimeout as pause } from 'node:timers/promises';
import type { QuitResult, ResolvedApp } from '../../../src/contract/screen.ts';
import { appNotRunning } from '../app-name.ts';
import type { Driver } from '../driver.ts';
import { createTurns } from '../keyed-queue.ts';
import type { Failed, Outcome } from '../outcome.ts';
import { asksFirst, closedSentence, QUESTION_AFTER_MS, stoppedWaiting } from '../quit-answers.ts';
import { refuseApp } from '../resolved-risk.ts';
import { stoppedFailure, unlessStopped, withinDeadline } from '../stopping.ts';
import type { DesktopEntries } from './desktop-entries.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { entryOfWindow } from './entry-search.ts';
import { namedEntry } from './named-entry.ts';
import { isAlive } from './processes.ts';
import { withoutDisplay } from './without-display.ts';
import type { XDesktop, XWindow } from './x-window.ts';
import type { X11 } from './x11.ts';

export type QuitAppNeeds = { x11: X11; entries: DesktopEntries; environment: NodeJS.ProcessEnv };

/** How long a program may take to end after its last window; many end a moment later, some never. */
const ENDING_TIMEOUT_MS = 2_000;
/** How long a window may take to announce that it accepts requests to close; some do so only after they are shown. */
const DEAF_AFTER_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/** Asks each window of an app to close, as its close button would, and watches until they are gone or the app asks back. */
export function createQuitApp(needs: QuitAppNeeds): Driver['quitApp'] {
  const inTurn = createTurns();
  return async ({ appName }, attempt) => {
    const signal = withinDeadline(attempt);
    if (signal.aborted) return stoppedFailure(signal, 'none');
    const entries = await needs.entries.list();
    const refuse = (app: ResolvedApp) => refuseApp(appName, app, attempt);
    const found = await namedEntry({ appName, entries, environment: needs.environment, refuse });
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
  // A request to close would have no effect, or answer the question in the person's place.
  const question = windows.find((window) => window.isModal);
  if (question !== undefined) return asks(entry, { question, windowsClosed: 0 });
  return watch(quitting, windows);
}

/** Asks each window once, as soon as it accepts requests: a new window may accept them only a moment later. */
async function watch(quitting: Quitting, before: readonly XWindow[]): Promise<Outcome<QuitResult>> {
  const { needs, entry, signal } = quitting;
  const [pids, questions, requests] = [pidsOf(before), createQuestions(before), createRequests(quitting, before)];
  for (let windowsClosed = 0; ; ) {
    const desktop = await unlessStopped(needs.x11.desktop(), signal);
    const wasAsked = requests.wereSent();
    if (desktop === 'stopped') return stopped(quitting, { wasAsked, windowsClosed });
    if (!desktop.ok) return withoutDisplay(desktop.reason, wasAsked ? 'unknown' : 'none');
    const left = windowsOf(quitting, desktop.value, pids);
    if (left.length === 0) return ended(quitting, { before, now: desktop.value, wasAsked });
    windowsClosed = countGone(before, left);
    const question = questions(left);
    const end = question === null ? await requests.send(left) : asks(entry, { question, windowsClosed });
    if (end !== null) return end;
    await needs.x11.nextChange(desktop.value.revision, signal);
  }
}

function countGone(before: readonly XWindow[], left: readonly XWindow[]): number {
  return before.filter(({ xid }) => left.every((window) => window.xid !== xid)).length;
}

function stopped(
  { entry, signal }: Quitting,
  { wasAsked, windowsClosed }: { wasAsked: boolean; windowsClosed: number },
) {
  return wasAsked ? stoppedWaiting(entry.name, { signal, windowsClosed }) : stoppedFailure(signal, 'none');
}

function createRequests({ needs, entry, signal }: Quitting, before: readonly XWindow[]) {
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
      const sending = Promise.all(hearing.map((window) => needs.x11.requestClose(window)));
      const sent = await unlessStopped(sending, signal);
      if (sent === 'stopped') return stoppedFailure(signal, 'unknown');
      const lost = sent.find((answer) => !answer.ok);
      return lost === undefined || lost.ok ? null : withoutDisplay(lost.reason, 'unknown');
    },
  };
}

/** Returns a function that finds a question to the person: a new dialog that was seen in every look for long enough. */
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

type Ended = { before: readonly XWindow[]; now: XDesktop; wasAsked: boolean };

/** The outcome when no window is left. An app without windows that was never asked to close was not running. */
async function ended(quitting: Quitting, { before: windows, now, wasAsked }: Ended): Promise<Outcome<QuitResult>> {
  const { entry, signal } = quitting;
  if (!wasAsked) return appNotRunning(entry.name, runningApps(quitting, now));
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

function asks(
  { name }: DesktopEntry,
  { question, windowsClosed }: { question: XWindow; windowsClosed: number },
): Failed {
  const where = question.title === '' ? 'a window without a title' : `its window “${question.title}”`;
  return asksFirst(name, { where, windowsClosed });
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
