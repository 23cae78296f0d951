import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { QuitResult } from '../../../src/contract/screen.ts';
import { appNotRunning } from '../apps/app-name.ts';
import { createApps } from '../apps/apps.ts';
import { closedApp, untilQuit } from '../apps/quit-app.ts';
import { resolvedApp } from '../apps/resolved-risk.ts';
import type { Failed, Outcome } from '../outcome.ts';
import { stoppedFailure } from '../stopping.ts';
import { type Applications, identityOf, isSameApp, shownName } from './applications.ts';
import {
  type DesktopState,
  displayUnavailable,
  type MacWindow,
  type RunningApp,
  readDesktop,
} from './desktop-state.ts';
import { type MacApp, notInstalled, openApp } from './open-app.ts';
import { automationRemedy } from './permissions.ts';
import { ALLOW_OSASCRIPT, type Clock, type RunProgram, runScript } from './run-script.ts';

/** `looks` answers looks at the desktop more quickly than `run`. */
type AppSources = { run: RunProgram; looks: RunProgram; applications: Applications; clock: Clock };

const PARTS = {
  resolve: ['apps'],
  open: ['displays', 'apps', 'session'],
  quit: ['displays', 'apps', 'windows', 'session'],
} as const;

const answerShape = Compile(
  Type.Object({
    processes: Type.Array(Type.Object({ pid: Type.Integer(), answer: Type.Enum(['asked', 'refused', 'gone']) })),
  }),
);

const SCRIPT_TIMEOUT_MS = 10_000;
const LOOK_AGAIN_MS = 100;

/** The Dock, the login window and their like: to quit one of these is to log out, or to take the desktop away. */
const PART_OF_MACOS = /^\/System\/Library\/CoreServices\/[^/]+\.app$/;

/** Asks the app's processes to quit by AppKit, then watches until they are gone or a question stands. */
async function quitApp(
  { run, clock }: { run: RunProgram; clock: Clock },
  { app, before }: MacApp,
  signal: AbortSignal,
): Promise<Outcome<QuitResult>> {
  const name = shownName(app);
  const processes = frontFirst(before.apps.filter((one) => isSameApp(app, one)));
  const [front] = processes;
  if (front === undefined) return appNotRunning(name, regularApps(before));
  const system = processes.find(({ path }) => path !== null && PART_OF_MACOS.test(path));
  if (system !== undefined) return partOfMacos(system);
  const failure = await request(run, { name, processes, signal });
  if (failure !== null) return failure;
  const windowsOf = ({ windows }: Pick<DesktopState, 'windows'>) =>
    windows.filter((window) => processes.some(({ pid }) => pid === window.pid));
  const own = windowsOf(before);
  return untilQuit({
    name,
    before: own,
    signal,
    now: clock.now,
    wasAsked: () => true,
    async look() {
      const state = await readDesktop(run, { parts: ['apps', 'windows'], signal });
      if (signal.aborted) return undefined;
      if (!state.ok || state.data.errors.apps !== undefined) return unseen(name, state.ok ? '' : state.message);
      const isAlive = processes.some(({ pid }) => state.data.apps.some((one) => one.pid === pid));
      if (isAlive) return state.data.errors.windows === undefined ? windowsOf(state.data) : undefined;
      // Only windows on the screen are counted; those of a hidden app or on another space are not told.
      const { bundleId, pid } = front;
      return closedApp({ appName: name, bundleId, pid, windowsClosed: own.length, stillRunning: false });
    },
    isQuestion: (_window, isNew) => isNew,
    nameOf: (question) => sheetOn(own, question),
    untilLater: () => clock.wait(LOOK_AGAIN_MS, signal),
  });
}

/** A sheet is a window without a title, so it is named by the window that it is attached to. */
function sheetOn(windows: readonly MacWindow[], { bounds }: MacWindow): string | undefined {
  const under = windows.find((window) => window.title && isInside(bounds, window.bounds));
  return under && `a sheet on its window “${under.title}”`;
}

function isInside(one: MacWindow['bounds'], other: MacWindow['bounds']): boolean {
  const x = one.x + one.width / 2;
  const y = one.y + one.height / 2;
  return x >= other.x && x <= other.x + other.width && y >= other.y && y <= other.y + other.height;
}

function regularApps({ apps }: Pick<DesktopState, 'apps'>): string[] {
  return apps.filter(({ policy }) => policy === 'regular').map(({ name }) => name);
}

function frontFirst(processes: readonly RunningApp[]): RunningApp[] {
  return [...processes].sort((one, other) => Number(other.frontmost) - Number(one.frontmost));
}

type Asking = { name: string; processes: readonly RunningApp[]; signal: AbortSignal };

/** Null when at least one process was asked, or all are gone already. */
async function request(run: RunProgram, asking: Asking): Promise<Failed | null> {
  const { name, processes, signal } = asking;
  const answer = await runScript(run, {
    script: 'quit-app',
    request: { processes: processes.map(({ pid, path }) => ({ pid, path })) },
    answer: answerShape,
    timeoutMs: SCRIPT_TIMEOUT_MS,
    signal,
  });
  if (!answer.ok && answer.reason === 'aborted') return stoppedFailure(signal, 'unknown');
  if (!answer.ok) return notAsked(name, answer.message);
  const answers = answer.data.processes.map((one) => one.answer);
  return answers.includes('refused') && !answers.includes('asked') ? refused(name) : null;
}

function partOfMacos({ name }: RunningApp): Failed {
  return {
    ok: false,
    code: 'invalid_target',
    message: `${name} is a part of macOS itself; it is not asked to quit.`,
    fix: 'To end the session, log out by the Apple menu.',
    sideEffect: 'none',
  };
}

function notAsked(name: string, why: string): Failed {
  const message = `macOS did not say whether it asked ${name} to quit: ${why}`;
  const fix = automationRemedy(why) ?? `Look whether ${name} still runs.`;
  return { ok: false, code: 'internal_error', message, fix, sideEffect: 'unknown' };
}

function refused(name: string): Failed {
  return {
    ok: false,
    code: 'not_supported',
    message: `macOS did not pass the request to quit on to ${name}; it could only be ended by force, which is not done.`,
    fix: 'Quit it by its own menu.',
    sideEffect: 'none',
  };
}

function unseen(name: string, why: string): Failed {
  return {
    ok: false,
    code: 'internal_error',
    message: `${name} was asked to quit, but whether it did could not be seen. ${why}`.trim(),
    fix: `Look whether ${name} still runs.`,
    sideEffect: 'unknown',
  };
}

export function createMacApps({ run, looks, applications, clock }: AppSources) {
  return createApps<MacApp>({
    async find({ appName, action, signal }) {
      const before = await readDesktop(action === 'quit' ? run : looks, { parts: PARTS[action], signal });
      if (!before.ok && action === 'quit') return withoutScripting(appName, before.message);
      const missing =
        before.ok && action !== 'resolve' ? displayUnavailable(before.data, { whenLocked: 'go on' }) : null;
      if (missing !== null) return missing;
      const state = before.ok ? before.data : { apps: [], windows: [] };
      const app = await applications.find(appName, { running: state.apps, signal });
      // `open -a` would guess, and might open an app that was never assessed.
      if (app === null) return notInstalled(applications, { appName, action, signal });
      return { app: { appName, app, before: state }, resolved: resolvedApp(identityOf(app)) };
    },
    keyOf: ({ app }) => app.path ?? shownName(app),
    open: (app, signal) => openApp({ run: looks, applications, clock }, app, signal),
    quit: (app, signal) => quitApp({ run, clock }, app, signal),
  });
}

function withoutScripting(appName: string, why: string): Failed {
  return {
    ok: false,
    code: 'internal_error',
    message: `Whether ${JSON.stringify(appName)} runs could not be read, so nothing was asked of it: ${why}`,
    fix: automationRemedy(why) ?? ALLOW_OSASCRIPT,
    sideEffect: 'none',
  };
}
