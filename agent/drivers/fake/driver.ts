import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { Bounds } from '../../../src/contract/device.ts';
import { folded, nearNames } from '../../../src/contract/near-names.ts';
import type { ResolveWindowParameters, TakeScreenshotParameters } from '../../../src/contract/parameters.ts';
import type { OpenedApp, QuitResult, ResolvedApp, ResolvedWindow } from '../../../src/contract/screen.ts';
import { judgedWindow } from '../../targets/judged-targets.ts';
import { appNotFound, appNotRunning, refuseAppName } from '../apps/app-name.ts';
import { asksFirst, closedApp, stoppedWaiting } from '../apps/quit-app.ts';
import { resolvedTo } from '../apps/resolved-risk.ts';
import type { Driver } from '../driver.ts';
import { identityOf, noSuchWindow, refuseChangedWindow, resolvedWindow } from '../expected-window.ts';
import type { InputDriver } from '../input.ts';
import { unseenScreen } from '../looks/unseen-screen.ts';
import type { Attempt, Failed, Outcome } from '../outcome.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import { describeDesktop, tellOf } from './describe.ts';
import {
  FAKE_APPS,
  FAKE_DISPLAY,
  type FakeApp,
  type FakeWindow,
  firstWindows,
  identityIn,
  windowOf,
} from './desktop.ts';
import { createFakeHands } from './hands.ts';
import { befall } from './mishap.ts';
import { pause, untilAborted } from './pause.ts';
import { permissionsIn } from './permissions.ts';
import { paintDesktop } from './picture.ts';
import type { FakeScenario, Moment } from './scenario.ts';

/** A desktop that exists only in memory, for tests and for machines without one; it plays the scenario it is given. */
export function createFakeDriver(scenario: FakeScenario = {}): Driver {
  return new FakeDriver(scenario);
}

const WINDOW_PATIENCE_MS = 10_000;

class FakeDriver implements Driver {
  readonly platform = 'fake';
  readonly #scenario: FakeScenario;
  readonly #closing = new AbortController();
  readonly #hands: InputDriver;
  #windows: FakeWindow[];
  #windowsOpened: number;

  constructor(scenario: FakeScenario) {
    this.#scenario = scenario;
    this.#windows = firstWindows(scenario.moreWindows);
    this.#windowsOpened = this.#windows.length;
    this.#hands = createFakeHands({
      windows: () => (this.#hasScreen() ? this.#windows : []),
      changeTo: (windows) => {
        this.#windows = windows;
      },
      see: (input) => this.#record({ happened: 'input', input }),
    });
  }

  input(): InputDriver {
    return this.#hands;
  }

  async environment(): ReturnType<Driver['environment']> {
    return {
      displays: this.#hasScreen() ? [FAKE_DISPLAY] : [],
      permissions: permissionsIn(this.#scenario.permissionsPath),
    };
  }

  async resolveApp({ appName }: { appName: string }): Promise<Outcome<ResolvedApp>> {
    const app = this.#appCalled(appName);
    return 'ok' in app ? app : resolvedTo(identityIn({ app }));
  }

  async resolveWindow({ windowId }: ResolveWindowParameters): Promise<Outcome<ResolvedWindow>> {
    const failure = this.#screenFailure();
    if (failure !== null) return failure;
    const window = this.#windowOf(windowId);
    return window === undefined
      ? noSuchWindow(windowId)
      : resolvedWindow({ ...identityOf({ ...window, app: window.app.name }), identity: identityIn(window) });
  }

  async openApp({ appName }: { appName: string }, attempt: Attempt): Promise<Outcome<OpenedApp>> {
    const app = this.#appCalled(appName);
    if ('ok' in app) return app;
    const signal = this.#signalOf(attempt);
    const { beforeEffect, afterEffect } = this.#scenario.openApp ?? {};
    const stopped = await this.#play(beforeEffect, { signal, sideEffect: 'none' });
    if (stopped !== null) return stopped;
    const outcome = await this.#open(app, signal);
    return (await this.#play(afterEffect, { signal, sideEffect: 'done' })) ?? outcome;
  }

  async quitApp({ appName }: { appName: string }, attempt: Attempt): Promise<Outcome<QuitResult>> {
    const app = this.#appCalled(appName);
    if ('ok' in app) return app;
    const signal = this.#signalOf(attempt);
    const { beforeEffect, afterEffect } = this.#scenario.quitApp ?? {};
    const stopped = await this.#play(beforeEffect, { signal, sideEffect: 'none' });
    if (stopped !== null) return stopped;
    const window = this.#windows.find((open) => open.app === app);
    if (window === undefined) return appNotRunning(app.name, new Set(this.#windows.map((open) => open.app.name)));
    const outcome = await this.#quit(window, signal);
    return (await this.#play(afterEffect, { signal, sideEffect: outcome.ok ? 'done' : outcome.sideEffect })) ?? outcome;
  }

  async takeScreenshot(
    ...[wish, attempt, overlay]: Parameters<Driver['takeScreenshot']>
  ): ReturnType<Driver['takeScreenshot']> {
    const bounds = this.#boundsOf(wish);
    if ('ok' in bounds) return bounds;
    const signal = this.#signalOf(attempt);
    const { beforeEffect, afterEffect } = this.#scenario.takeScreenshot ?? {};
    const stopped = await this.#play(beforeEffect, { signal, sideEffect: 'none' });
    if (stopped !== null) return stopped;
    const change = this.#changeOf(attempt, wish.windowId);
    if (change !== null) return change;
    this.#record({ happened: 'capture' });
    const shown = wish.windowId === undefined ? this.#windows : this.#windows.filter(({ id }) => id === wish.windowId);
    const image = await paintDesktop(shown, { ...wish, bounds }, overlay);
    const late = await this.#play(afterEffect, { signal, sideEffect: 'none' });
    if (late !== null) return late;
    const { width, height } = image;
    const format = wish.format ?? 'png';
    const data = { width, height, format, scale: width / bounds.width, bounds, displays: [FAKE_DISPLAY] };
    return { ok: true, details: `A picture of ${width} by ${height} pixels.`, effect: 'none', data, images: [image] };
  }

  async describeScreen(...[wish, attempt]: Parameters<Driver['describeScreen']>): ReturnType<Driver['describeScreen']> {
    const signal = this.#signalOf(attempt);
    const { beforeEffect, afterEffect } = this.#scenario.describeScreen ?? {};
    const stopped = await this.#play(beforeEffect, { signal, sideEffect: 'none' });
    if (stopped !== null) return stopped;
    this.#record({ happened: 'describe' });
    const late = await this.#play(afterEffect, { signal, sideEffect: 'none' });
    if (late !== null) return late;
    const frameId = randomUUID();
    if (!this.#hasScreen()) {
      const reason = { code: 'display_unavailable', message: 'There is no display.', fix: 'Attach a display.' };
      const data = unseenScreen(frameId, [reason]);
      return { ok: true, details: 'There is no display to describe.', effect: 'none', data };
    }
    const data = describeDesktop({ displays: [FAKE_DISPLAY], windows: this.#windows, frameId }, wish);
    return { ok: true, details: tellOf(this.#windows), effect: 'none', data };
  }

  async warmUp(): Promise<void> {
    await import('sharp');
  }

  async close(): Promise<void> {
    this.#closing.abort('shutdown');
  }

  #hasScreen(): boolean {
    return this.#scenario.screen !== 'none';
  }

  #screenFailure(): Failed | null {
    if (this.#hasScreen()) return null;
    return {
      ok: false,
      code: 'display_unavailable',
      message: 'There is no display.',
      fix: 'Attach a display.',
      sideEffect: 'none',
    };
  }

  #signalOf(attempt: Attempt): AbortSignal {
    return AbortSignal.any([withinDeadline(attempt), this.#closing.signal]);
  }

  async #open(app: FakeApp, signal: AbortSignal): Promise<Outcome<OpenedApp>> {
    if (app.kind === 'broken') return notStarted(app);
    const running = this.#windows.find((window) => window.app === app);
    this.#record({ happened: running === undefined ? 'launch' : 'activate', app: app.name });
    if (app.kind === 'windowless') return windowless(app, signal);
    const window = running ?? windowOf(app, this.#windowsOpened++);
    this.#windows = [window, ...this.#windows.filter((other) => other !== window)];
    return opened(window, running !== undefined);
  }

  async #quit(window: FakeWindow, signal: AbortSignal): Promise<Outcome<QuitResult>> {
    const { name: appName, bundleId, whenAskedToClose } = window.app;
    this.#record({ happened: 'quit', app: appName });
    if (whenAskedToClose === 'nothing') {
      await untilAborted(signal);
      return stoppedWaiting(appName, { signal, windowsClosed: 0 });
    }
    if (whenAskedToClose !== undefined) {
      return asksFirst(appName, { where: `its window “${whenAskedToClose.asks}”`, windowsClosed: 0 });
    }
    this.#windows = this.#windows.filter((open) => open !== window);
    return closedApp({ appName, bundleId, pid: window.pid, windowsClosed: 1, stillRunning: false });
  }

  #appCalled(appName: string): FakeApp | Failed {
    const refusal = refuseAppName(appName) ?? this.#screenFailure();
    if (refusal !== null) return refusal;
    const app = FAKE_APPS.find(({ name, bundleId }) => [name, bundleId].some((known) => sameName(known, appName)));
    return app ?? appNotFound(appName, nearNames(appName, namesOfApps()));
  }

  #boundsOf({ display, windowId, region }: TakeScreenshotParameters): Bounds | Failed {
    const failure = this.#screenFailure();
    if (failure !== null) return failure;
    if (display !== undefined && display !== FAKE_DISPLAY.id) return gone(`display ${display}`);
    if (windowId === undefined) return within(region ?? FAKE_DISPLAY.bounds);
    const window = this.#windowOf(windowId);
    return window === undefined ? noSuchWindow(windowId) : within(window.bounds);
  }

  #windowOf(windowId: string): FakeWindow | undefined {
    return this.#windows.find(({ id }) => id === windowId);
  }

  /** Whether the window is no longer as the person was told. */
  #changeOf(attempt: Attempt, windowId: string | undefined): Failed | null {
    const expected = judgedWindow(attempt, windowId);
    const window = expected === undefined ? undefined : this.#windowOf(expected.id);
    return window === undefined ? null : refuseChangedWindow(expected, identityOf({ ...window, app: window.app.name }));
  }

  /** Lets the scenario have its way; answers a failure when it, or the end of the attempt, wants one. */
  async #play(moment: Moment | undefined, { signal, sideEffect }: Stage): Promise<Failed | null> {
    if (moment?.delayMs !== undefined) await pause(moment.delayMs, signal);
    if (signal.aborted) return stoppedFailure(signal, sideEffect);
    if (moment?.mishap !== undefined) await befall(moment.mishap);
    return moment?.failure === undefined ? null : { ok: false, ...moment.failure };
  }

  #record(line: { happened: Happened; app?: string; input?: string }): void {
    const { ledgerPath } = this.#scenario;
    if (ledgerPath !== undefined) appendFileSync(ledgerPath, `${JSON.stringify(line)}\n`, { flush: true });
  }
}

type Happened = 'launch' | 'activate' | 'quit' | 'capture' | 'describe' | 'input';
type Stage = { signal: AbortSignal; sideEffect: 'none' | 'done' | 'unknown' };

function sameName(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function namesOfApps(): string[] {
  return FAKE_APPS.map(({ name }) => name);
}

function opened({ app, pid, title }: FakeWindow, alreadyRunning: boolean): Outcome<OpenedApp> {
  const { name: appName, bundleId } = app;
  return {
    ok: true,
    details: alreadyRunning ? `${appName} was running and is in front.` : `${appName} is open and in front.`,
    effect: 'confirmed',
    data: { appName, bundleId, pid, alreadyRunning, frontmost: true, windowTitle: title },
  };
}

async function windowless({ name }: FakeApp, signal: AbortSignal): Promise<Outcome<OpenedApp>> {
  await pause(WINDOW_PATIENCE_MS, signal);
  if (signal.aborted) return stoppedFailure(signal, 'done');
  return {
    ok: true,
    details: `${name} was started and shows no window.`,
    effect: 'unverified',
    data: { appName: name, pid: null, alreadyRunning: false, frontmost: false },
  };
}

function notStarted({ name }: FakeApp): Failed {
  return { ok: false, code: 'internal_error', message: `${name} could not be started.`, sideEffect: 'none' };
}

function gone(what: string): Failed {
  return { ok: false, code: 'target_gone', message: `There is no ${what}.`, sideEffect: 'none' };
}

function within(bounds: Bounds): Bounds | Failed {
  const { width, height } = FAKE_DISPLAY.bounds;
  const isInside =
    bounds.x >= 0 && bounds.y >= 0 && bounds.x + bounds.width <= width && bounds.y + bounds.height <= height;
  return isInside
    ? bounds
    : { ok: false, code: 'coordinates_off_screen', message: 'The region is not on the display.', sideEffect: 'none' };
}
