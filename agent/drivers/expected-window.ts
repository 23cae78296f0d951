import { MAX_WINDOW_APP, MAX_WINDOW_TITLE, type ResolvedWindow, type ScreenWindow } from '../../src/contract/screen.ts';
import { recheck } from '../targets/recheck.ts';
import type { Done, Failed } from './outcome.ts';

/** The facts about a window that the daemon tells the person. The agent compares the same facts later. */
export function identityOf(window: Pick<ScreenWindow, 'id' | 'app' | 'pid' | 'title' | 'bounds'>): ResolvedWindow {
  const { id, app, pid, title, bounds } = window;
  return { id, app: cut(app, MAX_WINDOW_APP), pid, title: cut(title, MAX_WINDOW_TITLE), bounds };
}

/** The agent's answer to the question which window has an id. */
export function resolvedWindow(data: ResolvedWindow): Done<ResolvedWindow> {
  return { ok: true, details: `The window is of ${data.app}.`, effect: 'none', data };
}

/** Why the window may not be captured, if another one was judged. Nothing was judged in tests of a driver alone. */
export function refuseChangedWindow(expected: ResolvedWindow | undefined, now: ResolvedWindow): Failed | null {
  if (expected === undefined) return null;
  const windowId = expected.id;
  return recheck({ kind: 'window', windowId, window: expected }, { kind: 'window', windowId, window: now });
}

/** No window on the screen has the id. The message says nothing about a window that is there and not shown. */
export function noSuchWindow(windowId: string, state = 'which is none'): Failed {
  return {
    ok: false,
    code: 'target_gone',
    message: `Expected the id of a window on the screen, got ${JSON.stringify(windowId)}, ${state}.`,
    fix: 'Describe the screen: it names the windows that are there now.',
    sideEffect: 'none',
  };
}

/** A cut in the middle of a character leaves half of it, which no canonical form has. */
function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
