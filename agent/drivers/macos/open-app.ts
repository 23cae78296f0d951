import { folded, nearNames } from '../../../src/contract/near-names.ts';
import type { OpenedApp } from '../../../src/contract/screen.ts';
import { appNotFound } from '../apps/app-name.ts';
import { type AppAction, openedApp } from '../apps/apps.ts';
import type { ProgramResult } from '../exec.ts';
import type { Done, Failed, Outcome } from '../outcome.ts';
import { stoppedFailure } from '../stopping.ts';
import { type Applications, type InstalledApp, isSameApp, shownName } from './applications.ts';
import { type DesktopState, type MacWindow, type RunningApp, readDesktop } from './desktop-state.ts';
import { automationRemedy } from './permissions.ts';
import { ALLOW_OSASCRIPT, type Clock, cleanEnvironment, howItEnded, type RunProgram } from './run-script.ts';

/** An installed or running app by the name that led to it, and the desktop before the action. */
export type MacApp = { appName: string; app: InstalledApp; before: Pick<DesktopState, 'apps' | 'windows'> };

type OpenAppSources = { run: RunProgram; applications: Applications; clock: Clock };

const OPEN = '/usr/bin/open';
const OPEN_TIMEOUT_MS = 10_000;

/** `open` says so when LaunchServices knows no such app: by name, by bundle id, and as an error number (−10814). */
const UNKNOWN_APP = /Unable to find application named|LSCopyApplicationURLsForBundleIdentifier\(\) failed|-10814/;
/** The app is there, but cannot run: damaged, without its program, or made for another system. */
const UNUSABLE_APP = /-10(?:810|825|826|827|661|664|669)\b|executable is missing/;

const LSAPPINFO = '/usr/bin/lsappinfo';
const TIMEOUT_MS = 2_000;

type Opening = { app: InstalledApp; alreadyRunning: boolean; signal: AbortSignal };

const WINDOW_WITHIN_MS = 10_000;
const FRONT_WITHIN_MS = 2_000;
const LOOK_AGAIN_MS = 100;

/** Looks until the app shows a window in front, or ten seconds are over; an app that has no windows needs only to run. */
async function verifyOpened(
  { run, clock }: { run: RunProgram; clock: Clock },
  opening: Opening,
): Promise<Outcome<OpenedApp>> {
  const { signal } = opening;
  const judge = createJudge(opening.app, clock.now());
  for (;;) {
    const state = await readDesktop(run, { parts: ['apps', 'windows'], signal });
    if (signal.aborted) return stoppedFailure(signal, 'done');
    if (!state.ok) return verifyWithoutScripting(run, { ...opening, why: state.message });
    const verdict = judge(state.data, clock.now());
    if (verdict.kind === 'gone') return gone(opening.app);
    if (verdict.kind === 'seen') return opened(opening, verdict.sighting);
    await clock.wait(LOOK_AGAIN_MS, signal);
  }
}

type Sighting = { process: RunningApp; window: MacWindow | undefined };
type Verdict = { kind: 'look again' } | { kind: 'seen'; sighting: Sighting } | { kind: 'gone' };

/** Judges one look after the other. An app that starts may look windowless at first; coming to the front may take a while. */
function createJudge(app: InstalledApp, startedAtMs: number): (state: DesktopState, nowMs: number) => Verdict {
  let looks = 0;
  let shownSinceMs: number | null = null;
  return (state, nowMs) => {
    looks += 1;
    const isOver = nowMs - startedAtMs >= WINDOW_WITHIN_MS;
    const sighting = sight(app, state);
    if (sighting === null) return { kind: isOver ? 'gone' : 'look again' };
    const { process, window } = sighting;
    if (window !== undefined) shownSinceMs ??= nowMs;
    const isBackground = window === undefined && process.policy !== 'regular' && looks > 1;
    const isInFront = window !== undefined && process.frontmost;
    const isShown = shownSinceMs !== null && nowMs - shownSinceMs >= FRONT_WITHIN_MS;
    return isBackground || isInFront || isShown || isOver ? { kind: 'seen', sighting } : { kind: 'look again' };
  };
}

function sight(app: InstalledApp, { apps, windows }: DesktopState): Sighting | null {
  const processes = apps.filter((one) => isSameApp(app, one));
  const process = processes.find((one) => one.frontmost) ?? processes[0];
  if (process === undefined) return null;
  return { process, window: windows.find((window) => window.pid === process.pid) };
}

function opened({ app, alreadyRunning }: Opening, { process, window }: Sighting): Done<OpenedApp> {
  const { pid, frontmost, policy } = process;
  const isWindowless = policy !== 'regular';
  return openedApp({
    appName: shownName(app),
    bundleId: process.bundleId ?? app.bundleId,
    pid,
    alreadyRunning,
    frontmost,
    window,
    windowless: isWindowless
      ? '; it is an app without windows'
      : ` (process ${pid}), but no window of it appeared within 10 seconds`,
    isProven: window !== undefined || isWindowless,
  });
}

function gone(app: InstalledApp): Failed {
  return {
    ok: false,
    code: 'target_gone',
    message: `macOS accepted to open ${JSON.stringify(shownName(app))}, but within 10 seconds no process of it was to be seen.`,
    fix: 'The app may have ended at once; open it by hand to see what it says.',
    sideEffect: 'unknown',
  };
}

/** Where scripting is blocked, as on managed Macs, LaunchServices still names the front app, but not its windows. */
async function verifyWithoutScripting(
  run: RunProgram,
  { app, alreadyRunning, signal, why }: Opening & { why: string },
): Promise<Outcome<OpenedApp>> {
  const front = await frontApp(run, signal);
  if (signal.aborted) return stoppedFailure(signal, 'done');
  const isFront = front !== null && isNamed(app, front);
  const { bundleId } = app;
  const appName = shownName(app);
  const pid = isFront ? front.pid : null;
  return {
    ...openedApp({ appName, bundleId, pid, alreadyRunning, frontmost: isFront, isProven: false }),
    details: `macOS accepted to open ${appName}${isFront ? ', and it is in front' : ''}. Its window could not be verified: ${why}`,
  };
}

function isNamed(app: InstalledApp, front: { bundleId: string | null; name: string | null }): boolean {
  if (app.bundleId !== null && front.bundleId !== null) return folded(app.bundleId) === folded(front.bundleId);
  return front.name !== null && app.names.some((name) => folded(name) === folded(front.name ?? ''));
}

type FrontApp = { pid: number | null; bundleId: string | null; name: string | null };

/** The front app as LaunchServices knows it, without scripting and without any permission; null when it would not say. */
export async function frontApp(run: RunProgram, signal: AbortSignal): Promise<FrontApp | null> {
  const front = await run({ program: LSAPPINFO, args: ['front'], timeoutMs: TIMEOUT_MS, signal });
  const serial = front.kind === 'exited' ? parseSerialNumber(front.stdout) : null;
  if (serial === null) return null;
  const args = ['info', '-only', 'pid', '-only', 'bundleid', '-only', 'name', serial];
  const info = await run({ program: LSAPPINFO, args, timeoutMs: TIMEOUT_MS, signal });
  return info.kind === 'exited' && info.exitCode === 0 ? parseAppInfo(info.stdout) : null;
}

/** `ASN:0x0-0x1a01a:`, with or without brackets around it; `[ NULL ]` when no app is in front. */
export function parseSerialNumber(output: string): string | null {
  return /ASN:0x[\da-f]+-(?:0x)?[\da-f]+:?/i.exec(output)?.[0] ?? null;
}

/** Lines of `"key"=value`; which spelling a key has differs between versions of macOS. */
export function parseAppInfo(output: string): FrontApp | null {
  const pid = /"pid"\s*=\s*(\d+)/i.exec(output)?.[1];
  const bundleId = /"(?:CFBundleIdentifier|bundleid)"\s*=\s*"([^"]+)"/i.exec(output)?.[1];
  const name = /"(?:LSDisplayName|name)"\s*=\s*"([^"]+)"/i.exec(output)?.[1];
  if (pid === undefined && bundleId === undefined && name === undefined) return null;
  return { pid: pid === undefined ? null : Number(pid), bundleId: bundleId ?? null, name: name ?? null };
}

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
