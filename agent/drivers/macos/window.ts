import type { ResolveWindowParameters } from '../../../src/contract/parameters.ts';
import type { ResolvedWindow } from '../../../src/contract/screen.ts';
import { identityOf, noSuchWindow, refuseChangedWindow, resolvedWindow } from '../expected-window.ts';
import type { Attempt, Failed, Outcome } from '../outcome.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import { type Applications, runningApp } from './applications.ts';
import { type DesktopState, displayUnavailable, readDesktop, toScreenWindows } from './desktop-state.ts';
import { ALLOW_OSASCRIPT, type RunProgram } from './run-script.ts';

const PARTS = ['displays', 'windows', 'apps', 'session'] as const;

/** Which window on the screen has a number now. */
export async function resolveWindow(
  { run, applications }: { run: RunProgram; applications: Applications },
  { windowId }: ResolveWindowParameters,
  attempt: Attempt,
): Promise<Outcome<ResolvedWindow>> {
  const signal = withinDeadline(attempt);
  const state = await readDesktop(run, { parts: PARTS, signal });
  if (signal.aborted) return stoppedFailure(signal, 'none');
  if (!state.ok) return unseen(state.message);
  const blind = displayUnavailable(state.data, { whenLocked: 'refuse' });
  if (blind !== null) return blind;
  const window = windowIn(state.data, windowId);
  if (window === undefined) return noSuchWindow(windowId);
  const running = state.data.apps.find(({ pid }) => pid === window.pid);
  const identity = running && (await runningApp(running, applications, signal));
  return resolvedWindow({ ...window, ...(identity && { identity }) });
}

/** Whether the window that the person was told about is another one by now, as one look at the desktop shows. */
export function changeIn(state: DesktopState, expected: ResolvedWindow | undefined): Failed | null {
  if (expected === undefined) return null;
  const now = windowIn(state, expected.id);
  return now === undefined ? noSuchWindow(expected.id) : refuseChangedWindow(expected, now);
}

/** The same, looked up anew: after a capture, the window must still be the one that was captured. */
export async function changeNow(
  run: RunProgram,
  { expected, signal }: { expected: ResolvedWindow | undefined; signal: AbortSignal },
): Promise<Failed | null> {
  if (expected === undefined) return null;
  const state = await readDesktop(run, { parts: ['windows', 'apps'], signal });
  return state.ok ? changeIn(state.data, expected) : unseen(state.message);
}

function windowIn({ windows, apps }: DesktopState, windowId: string): ResolvedWindow | undefined {
  const window = toScreenWindows(windows, apps).find(({ id }) => id === windowId);
  return window === undefined ? undefined : identityOf(window);
}

function unseen(why: string): Failed {
  return {
    ok: false,
    code: 'internal_error',
    message: `It could not be checked which window this is, so nothing was captured: ${why}`,
    fix: ALLOW_OSASCRIPT,
    sideEffect: 'none',
  };
}
