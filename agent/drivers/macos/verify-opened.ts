import { folded } from '../../../src/contract/near-names.ts';
import type { OpenedApp } from '../../../src/contract/screen.ts';
import { openedApp } from '../apps/apps.ts';
import type { Done, Failed, Outcome } from '../outcome.ts';
import { stoppedFailure } from '../stopping.ts';
import { type InstalledApp, isSameApp, shownName } from './applications.ts';
import type { Clock } from './clock.ts';
import { type DesktopState, type MacWindow, type RunningApp, readDesktop } from './desktop-state.ts';
import type { RunProgram } from './run-script.ts';

const LSAPPINFO = '/usr/bin/lsappinfo';
const TIMEOUT_MS = 2_000;

export type Opening = { app: InstalledApp; alreadyRunning: boolean; signal: AbortSignal };

const WINDOW_WITHIN_MS = 10_000;
const FRONT_WITHIN_MS = 2_000;
const LOOK_AGAIN_MS = 100;

/** Looks until the app shows a window in front, or ten seconds are over; an app that has no windows needs only to run. */
export async function verifyOpened(
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
