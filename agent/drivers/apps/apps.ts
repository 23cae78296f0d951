import type { OpenedApp, ResolvedApp } from '../../../src/contract/screen.ts';
import type { Driver } from '../driver.ts';
import { createTurns } from '../keyed-queue.ts';
import type { Attempt, Done, Failed, Outcome } from '../outcome.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import { refuseAppName } from './app-name.ts';
import { refuseApp, refuseHandrail, resolvedTo } from './resolved-risk.ts';

export type AppAction = 'resolve' | 'open' | 'quit';
export type FoundApp<App> = { app: App; resolved: ResolvedApp };

/** How one desktop finds an app, starts it and asks it to close. */
export type AppDesk<App> = {
  /** The one app that a name leads to, or why there is none for the action. */
  find(wish: { appName: string; action: AppAction; signal: AbortSignal }): Promise<FoundApp<App> | Failed>;
  /** Tells apps apart. */
  keyOf(app: App): string;
  open(app: App, signal: AbortSignal): ReturnType<Driver['openApp']>;
  quit(app: App, signal: AbortSignal): ReturnType<Driver['quitApp']>;
};

/** The actions that take the name of an app: each finds it in the same way, and refuses it for the same reasons. */
export function createApps<App>(desk: AppDesk<App>): Pick<Driver, 'resolveApp' | 'openApp' | 'quitApp'> {
  const inTurn = createTurns();

  /** One attempt at a time for one app, or two at once could start it twice. */
  async function alone<Data>(key: string, signal: AbortSignal, work: () => Promise<Outcome<Data>>) {
    return (await inTurn({ key, signal, work })) ?? stoppedFailure(signal, 'none');
  }

  async function onApp<Data>(
    { appName, action, attempt }: { appName: string; action: AppAction; attempt: Attempt },
    work: (found: FoundApp<App>, signal: AbortSignal) => Outcome<Data> | Promise<Outcome<Data>>,
  ): Promise<Outcome<Data>> {
    const refusal = refuseAppName(appName);
    if (refusal !== null) return refusal;
    const signal = withinDeadline(attempt);
    if (signal.aborted) return stoppedFailure(signal, 'none');
    const found = await desk.find({ appName, action, signal });
    if (signal.aborted) return stoppedFailure(signal, 'none');
    if ('ok' in found) return found;
    const { resolved } = found;
    const refused = action === 'resolve' ? refuseHandrail(resolved) : refuseApp(appName, resolved, attempt);
    return refused ?? work(found, signal);
  }

  return {
    resolveApp: ({ appName }, attempt) =>
      onApp({ appName, action: 'resolve', attempt }, ({ resolved }) => resolvedTo(resolved)),
    openApp: ({ appName }, attempt) =>
      onApp({ appName, action: 'open', attempt }, ({ app }, signal) =>
        alone(`open ${desk.keyOf(app)}`, signal, () => desk.open(app, signal)),
      ),
    quitApp: ({ appName }, attempt) =>
      onApp({ appName, action: 'quit', attempt }, ({ app }, signal) =>
        alone(`quit ${desk.keyOf(app)}`, signal, () => desk.quit(app, signal)),
      ),
  };
}

type Evidence = Omit<OpenedApp, 'bundleId' | 'windowTitle'> & {
  bundleId: string | null;
  window?: { title: string | null } | undefined;
  /** The end of the sentence where there is no window. */
  windowless?: string;
  isProven: boolean;
};

/** The outcome of an opening, by what was seen of the app. */
export function openedApp({ bundleId, window, windowless = '', isProven, ...seen }: Evidence): Done<OpenedApp> {
  const act = `${seen.appName} was ${seen.alreadyRunning ? 'already running' : 'opened'}`;
  const what = window?.title ? `its window “${window.title}”` : 'its window';
  const place = seen.frontmost ? 'is in front' : 'is open, but not in front';
  return {
    ok: true,
    details: window === undefined ? `${act}${windowless}.` : `${act}; ${what} ${place}.`,
    effect: isProven ? 'confirmed' : 'unverified',
    data: { ...seen, ...(bundleId !== null && { bundleId }), ...(window?.title && { windowTitle: window.title }) },
  };
}
