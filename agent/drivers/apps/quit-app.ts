import type { QuitResult } from '../../../src/contract/screen.ts';
import type { Done, Failed, Outcome } from '../outcome.ts';
import { stoppedFailure } from '../stopping.ts';

type QuitWindow = { id: string; title: string | null };

/** How one desktop asks an app to close, and sees what it does. */
export type QuitWatch<Window> = {
  name: string;
  /** The app's windows before it was asked. */
  before: readonly Window[];
  signal: AbortSignal;
  now(): number;
  wasAsked(): boolean;
  /** The app's windows that are left; `undefined` where they are not known. The outcome where all is over. */
  look(): Promise<readonly Window[] | undefined | Outcome<QuitResult>>;
  isQuestion(window: Window, isNew: boolean): boolean;
  /** Names a window without a title. */
  nameOf?(window: Window): string | undefined;
  /** Asks what can be asked by now. Answers the failure that makes waiting useless. */
  ask?(left: readonly Window[]): Promise<Failed | null>;
  /** Until there may be something else to see. */
  untilLater(): Promise<unknown>;
};

/** How long a question has to stand before it counts: a note such as “Saving…” goes away by itself. */
const QUESTION_AFTER_MS = 500;

/** Looks until the app is gone or asks the person something, which only time or the person limits. */
export async function untilQuit<Window extends QuitWindow>(watch: QuitWatch<Window>): Promise<Outcome<QuitResult>> {
  const { name, before, signal } = watch;
  const questions = createQuestions(watch);
  for (let windowsClosed = 0; ; ) {
    const seen = await watch.look();
    if (seen && 'ok' in seen) return seen;
    if (signal.aborted) return stopped(watch, windowsClosed);
    if (seen !== undefined) windowsClosed = before.filter((window) => !holds(seen, window)).length;
    const left = seen ?? [];
    const question = questions(left);
    if (question !== undefined) return asksFirst(name, { where: placeOf(question, watch), windowsClosed });
    const failed = (await watch.ask?.(left)) ?? null;
    if (failed !== null) return failed;
    await watch.untilLater();
  }
}

function stopped({ name, signal, wasAsked }: Pick<QuitWatch<never>, 'name' | 'signal' | 'wasAsked'>, closed: number) {
  return wasAsked() ? stoppedWaiting(name, { signal, windowsClosed: closed }) : stoppedFailure(signal, 'none');
}

/** Returns a function that finds a question to the person: a window that was seen in every look for long enough. */
function createQuestions<Window extends QuitWindow>({ before, now, isQuestion }: QuitWatch<Window>) {
  let sinceMs = new Map<string, number>();
  return (windows: readonly Window[]): Window | undefined => {
    const nowMs = now();
    const asking = windows.filter((window) => isQuestion(window, !holds(before, window)));
    sinceMs = new Map(asking.map(({ id }) => [id, sinceMs.get(id) ?? nowMs]));
    return asking.find(({ id }) => nowMs - (sinceMs.get(id) ?? nowMs) >= QUESTION_AFTER_MS);
  };
}

function holds(windows: readonly QuitWindow[], wanted: QuitWindow): boolean {
  return windows.some(({ id }) => id === wanted.id);
}

/** Where a question stands. */
export function placeOf<Window extends QuitWindow>(
  question: Window,
  { nameOf }: Pick<QuitWatch<Window>, 'nameOf'> = {},
) {
  return question.title ? `its window “${question.title}”` : (nameOf?.(question) ?? 'a window without a title');
}

/** The failure when the app asks the person a question instead of closing. The driver leaves the question unanswered. */
export function asksFirst(appName: string, { where, windowsClosed }: { where: string; windowsClosed: number }): Failed {
  return {
    ok: false,
    code: 'busy',
    message: `${appName} asks something before it closes, in ${where}${others(windowsClosed)}.`,
    fix: 'Answer the question the app asks.',
    sideEffect: windowsClosed === 0 ? 'none' : 'done',
  };
}

/** The failure of a driver that was stopped after it had asked the app to close: the app may still close. */
export function stoppedWaiting(appName: string, { signal, windowsClosed }: Waiting): Failed {
  const failure = stoppedFailure(signal, windowsClosed === 0 ? 'unknown' : 'done');
  const message = `${failure.message} ${appName} was asked to close and is still there${others(windowsClosed)}.`;
  return { ...failure, message, fix: 'Look whether the app asks something, or is still at work.' };
}

type Waiting = { signal: AbortSignal; windowsClosed: number };

/** The outcome when no window is left. `stillRunning` is `null` where that cannot be told. */
export function closedApp({
  bundleId,
  ...closed
}: Omit<QuitResult, 'bundleId'> & { bundleId: string | null }): Done<QuitResult> {
  return {
    ok: true,
    details: closedSentence(closed),
    effect: 'confirmed',
    data: { ...closed, ...(bundleId !== null && { bundleId }) },
  };
}

/** `Name closed its 2 windows and has ended.` */
function closedSentence({ appName, windowsClosed, stillRunning }: QuitResult): string {
  if (windowsClosed === 0) return `${appName} has ended; it showed no window.`;
  const act = `${appName} closed ${windowsClosed === 1 ? 'its window' : `its ${windowsClosed} windows`}`;
  if (stillRunning === null) return `${act}; whether its program has ended cannot be told.`;
  return stillRunning ? `${act}; its program runs on without one.` : `${act} and has ended.`;
}

function others(windowsClosed: number): string {
  if (windowsClosed === 0) return '';
  return windowsClosed === 1 ? '; one window of it has closed' : `; ${windowsClosed} windows of it have closed`;
}
