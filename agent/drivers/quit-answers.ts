import type { Failed } from './outcome.ts';
import { stoppedFailure } from './stopping.ts';

/** How long a question has to stand before it counts: a note such as “Saving…” goes away by itself. */
export const QUESTION_AFTER_MS = 500;

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

/** `Name closed its 2 windows and has ended.` */
export function closedSentence(appName: string, { windowsClosed, stillRunning }: Closed): string {
  const what = windowsClosed === 1 ? 'its window' : `its ${windowsClosed} windows`;
  const act = windowsClosed === 0 ? `${appName} was asked to close` : `${appName} closed ${what}`;
  if (stillRunning === null) return `${act}; whether its program has ended cannot be told.`;
  return stillRunning ? `${act}; its program runs on without one.` : `${act} and has ended.`;
}

type Closed = { windowsClosed: number; stillRunning: boolean | null };

function others(windowsClosed: number): string {
  if (windowsClosed === 0) return '';
  return windowsClosed === 1 ? '; one window of it has closed' : `; ${windowsClosed} windows of it have closed`;
}
