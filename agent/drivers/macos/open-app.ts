import { nearNames } from '../../../src/contract/near-names.ts';
import type { OpenedApp } from '../../../src/contract/screen.ts';
import { appNotFound } from '../apps/app-name.ts';
import type { AppAction } from '../apps/apps.ts';
import type { ProgramResult } from '../exec.ts';
import type { Failed, Outcome } from '../outcome.ts';
import { stoppedFailure } from '../stopping.ts';
import { type Applications, type InstalledApp, isSameApp, shownName } from './applications.ts';
import { automationRemedy } from './automation-denied.ts';
import type { Clock } from './clock.ts';
import type { DesktopState } from './desktop-state.ts';
import { ALLOW_OSASCRIPT, cleanEnvironment, howItEnded, type RunProgram } from './run-script.ts';
import { verifyOpened } from './verify-opened.ts';

/** An installed or running app by the name that led to it, and the desktop before the action. */
export type MacApp = { appName: string; app: InstalledApp; before: Pick<DesktopState, 'apps' | 'windows'> };

export type OpenAppSources = { run: RunProgram; applications: Applications; clock: Clock };

const OPEN = '/usr/bin/open';
const OPEN_TIMEOUT_MS = 10_000;

/** `open` says so when LaunchServices knows no such app: by name, by bundle id, and as an error number (−10814). */
const UNKNOWN_APP = /Unable to find application named|LSCopyApplicationURLsForBundleIdentifier\(\) failed|-10814/;
/** The app is there, but cannot run: damaged, without its program, or made for another system. */
const UNUSABLE_APP = /-10(?:810|825|826|827|661|664|669)\b|executable is missing/;

/** Opens the app by `open`, then looks for its process and its window. */
export async function openApp(
  sources: OpenAppSources,
  { appName, app, before }: MacApp,
  signal: AbortSignal,
): Promise<Outcome<OpenedApp>> {
  const result = await launch(sources.run, app, signal);
  if (result.kind !== 'exited' || result.exitCode !== 0)
    return notOpened(sources.applications, { appName, result, signal });
  const alreadyRunning = before.apps.some((one) => isSameApp(app, one));
  return verifyOpened(sources, { app, alreadyRunning, signal });
}

/** LaunchServices may not know an app that lies in its folder, and of two with one id it opens the one it likes. */
async function launch(run: RunProgram, app: InstalledApp, signal: AbortSignal): Promise<ProgramResult> {
  const open = (args: string[]) =>
    run({ program: OPEN, args, timeoutMs: OPEN_TIMEOUT_MS, environment: cleanEnvironment(process.env), signal });
  const { bundleId, path, hasTwin } = app;
  if (bundleId === null) return open(['-a', String(path ?? app.names[0])]);
  if (hasTwin && path !== null) return open(['-a', path]);
  const result = await open(['-b', bundleId]);
  return isUnknownApp(result) && path !== null ? open(['-a', path]) : result;
}

function isUnknownApp(result: ProgramResult): boolean {
  return result.kind === 'exited' && result.exitCode !== 0 && UNKNOWN_APP.test(result.stderr);
}

async function notOpened(
  applications: Applications,
  { appName, result, signal }: { appName: string; result: ProgramResult; signal: AbortSignal },
): Promise<Failed> {
  if (result.kind === 'aborted') return stoppedFailure(signal, 'unknown');
  if (result.kind === 'timed_out') {
    const message = `macOS did not say within ${OPEN_TIMEOUT_MS / 1000} s whether it opened ${quoted(appName)}.`;
    return { ok: false, code: 'timeout', message, sideEffect: 'unknown' };
  }
  if (isUnknownApp(result)) {
    return notInstalled(applications, { appName, action: 'open', signal });
  }
  const neverRan = result.kind === 'not_started' || (result.kind === 'exited' && UNUSABLE_APP.test(result.stderr));
  return {
    ok: false,
    code: result.kind === 'exited' && neverRan ? 'app_not_found' : 'internal_error',
    message: `macOS could not open ${quoted(appName)}: ${howItEnded(result)}`,
    fix:
      automationRemedy(howItEnded(result)) ??
      'Open it once by hand: macOS then says whether it is damaged, blocked or not made for this Mac.',
    sideEffect: neverRan ? 'none' : 'unknown',
  };
}

/** Nothing was started. An opening says so where macOS would not list its apps at all. */
export async function notInstalled(
  applications: Applications,
  { appName, action, signal }: { appName: string; action: AppAction; signal: AbortSignal },
): Promise<Failed> {
  const installed = await applications.list({ maxAgeMs: Number.POSITIVE_INFINITY, signal });
  if (signal.aborted) return stoppedFailure(signal, 'none');
  const failure = appNotFound(appName, nearNames(appName, installed.map(shownName)));
  if (installed.length > 0 || action !== 'open') return failure;
  return {
    ...failure,
    message: `Handrail could not list the apps of this Mac, so that ${JSON.stringify(appName)} was not looked up and not opened.`,
    fix: ALLOW_OSASCRIPT,
  };
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
