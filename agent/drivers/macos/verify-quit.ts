import type { QuitResult } from '../../../src/contract/screen.ts';
import type { Done, Failed, Outcome } from '../outcome.ts';
import { asksFirst, closedSentence, QUESTION_AFTER_MS, stoppedWaiting } from '../quit-answers.ts';
import type { Clock } from './clock.ts';
import { type DesktopState, type MacWindow, type RunningApp, readDesktop } from './desktop-state.ts';
import type { RunProgram } from './run-script.ts';

export type Quitting = {
  name: string;
  /** The processes that were asked to quit, the front one first. */
  processes: readonly RunningApp[];
  before: DesktopState;
  signal: AbortSignal;
};

const LOOK_AGAIN_MS = 100;

/**
 * Looks until the processes are gone, which only time or the person limits. A window that was not there before and stays
 * is taken for the app's question; a sheet is such a window, without a title and without need of any permission to see.
 */
export async function verifyQuit(
  { run, clock }: { run: RunProgram; clock: Clock },
  quitting: Quitting,
): Promise<Outcome<QuitResult>> {
  const { name, signal } = quitting;
  const own = windowsOf(quitting, quitting.before);
  const questions = createQuestions(own);
  for (let windowsClosed = 0; ; ) {
    const state = await readDesktop(run, { parts: ['apps', 'windows'], signal });
    if (signal.aborted) return stoppedWaiting(name, { signal, windowsClosed });
    if (!state.ok || state.data.errors.apps !== undefined) return unseen(name, state.ok ? '' : state.message);
    const alive = quitting.processes.some(({ pid }) => state.data.apps.some((app) => app.pid === pid));
    if (!alive) return gone(quitting, own.length);
    const left = windowsOf(quitting, state.data);
    if (state.data.errors.windows === undefined) windowsClosed = own.filter((window) => !holds(left, window)).length;
    const question = questions(left, clock.now());
    if (question !== null) return asksFirst(name, { where: placeOf(question, own), windowsClosed });
    await clock.wait(LOOK_AGAIN_MS, signal);
  }
}

/** Returns a function that finds a question to the person: a new window that was seen in every look for long enough. */
function createQuestions(
  before: readonly MacWindow[],
): (windows: readonly MacWindow[], nowMs: number) => MacWindow | null {
  let sinceMs = new Map<string, number>();
  return (windows, nowMs) => {
    const fresh = windows.filter((window) => !holds(before, window));
    sinceMs = new Map(fresh.map(({ id }) => [id, sinceMs.get(id) ?? nowMs]));
    return fresh.find(({ id }) => nowMs - (sinceMs.get(id) ?? nowMs) >= QUESTION_AFTER_MS) ?? null;
  };
}

function windowsOf({ processes }: Quitting, { windows }: DesktopState): MacWindow[] {
  return windows.filter((window) => processes.some(({ pid }) => pid === window.pid));
}

function holds(windows: readonly MacWindow[], wanted: MacWindow): boolean {
  return windows.some(({ id }) => id === wanted.id);
}

/** Names a window by its title. A sheet has none, so it is named by the window that it is attached to. */
function placeOf({ title, bounds }: MacWindow, before: readonly MacWindow[]): string {
  if (title !== null && title !== '') return `its window “${title}”`;
  const under = before.find((window) => window.title && isInside(bounds, window.bounds));
  return under === undefined ? 'a window without a title' : `a sheet on its window “${under.title}”`;
}

function isInside(one: MacWindow['bounds'], other: MacWindow['bounds']): boolean {
  const x = one.x + one.width / 2;
  const y = one.y + one.height / 2;
  return x >= other.x && x <= other.x + other.width && y >= other.y && y <= other.y + other.height;
}

/** Only windows on the screen are counted; those of a hidden app or on another space are not told. */
function gone({ name, processes }: Quitting, windowsClosed: number): Done<QuitResult> {
  const [front] = processes;
  const closed = { windowsClosed, stillRunning: false };
  return {
    ok: true,
    details: windowsClosed === 0 ? `${name} has ended; it showed no window.` : closedSentence(name, closed),
    effect: 'confirmed',
    data: {
      appName: name,
      ...(front?.bundleId && { bundleId: front.bundleId }),
      pid: front?.pid ?? null,
      ...closed,
    },
  };
}

function unseen(name: string, why: string): Failed {
  return {
    ok: false,
    code: 'internal_error',
    message: `${name} was asked to quit, but whether it did could not be seen. ${why}`.trim(),
    fix: `Look whether ${name} still runs.`,
    sideEffect: 'unknown',
  };
}
