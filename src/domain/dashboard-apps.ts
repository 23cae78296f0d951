import type { DashboardProgram } from '../contract/own-window.ts';
import type { ResolvedApp, ResolvedWindow } from '../contract/screen.ts';
import type { Target } from '../contract/targets.ts';

/**
 * Whether an app goes by the name of a program: "chrome" is the program of "google-chrome.desktop". A name too many costs a refusal, and a
 * missed one leaves an access alive, so the words of the program may stand anywhere in a name of the app.
 */
export function isAppOf(app: ResolvedApp, programs: readonly string[]): boolean {
  const names = [app.appName, app.bundleId ?? '', ...app.alsoKnownAs].map((name) => new Set(wordsOf(name)));
  return programs.some((program) => {
    const wanted = wordsOf(program).filter((word) => !ENDINGS.has(word));
    return wanted.length > 0 && names.some((words) => wanted.every((word) => words.has(word)));
  });
}

/** Words that a file name adds to the name of its app. */
const ENDINGS = new Set(['bin', 'stable', 'beta', 'esr', 'browser', 'real']);

/** Programs whose file has another name than their app. */
const FILES: Readonly<Record<string, string>> = { msedge: 'edge' };

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => FILES[word] ?? word);
}

/** Whether a target is a window, or a control in a window, of a program that holds a dashboard. */
export function isInDashboard(target: Target, { pids, names, isByName }: DashboardProgram): boolean {
  const place = 'control' in target ? target.control : target.kind === 'window' ? target.window : undefined;
  if (place === undefined) return false;
  if (place.pid !== null && pids.includes(place.pid)) return true;
  const app = 'windowTitle' in place ? place.app : appOfWindow(place);
  return isByName === true && isAppOf(app, names);
}

/** The app of a window, by the name that the window gives where no other is known. */
export function appOfWindow({ app, identity }: ResolvedWindow): ResolvedApp {
  return identity ?? { appName: app, alsoKnownAs: [], risks: [] };
}
