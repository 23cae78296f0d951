import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { nearNames } from '../../../src/contract/near-names.ts';
import type { QuitAppParameters } from '../../../src/contract/parameters.ts';
import type { QuitResult } from '../../../src/contract/screen.ts';
import { appNotFound, appNotRunning, refuseAppName } from '../app-name.ts';
import type { Attempt, Failed, Outcome } from '../outcome.ts';
import { refuseApp, resolvedApp } from '../resolved-risk.ts';
import { stoppedFailure, withinDeadline } from '../stopping.ts';
import { type Applications, identityOf, isSameApp, shownName } from './applications.ts';
import { automationRemedy } from './automation-denied.ts';
import type { Clock } from './clock.ts';
import { type DesktopState, type RunningApp, readDesktop } from './desktop-state.ts';
import { displayUnavailable } from './display-available.ts';
import { type RunProgram, runScript } from './run-script.ts';
import { verifyQuit } from './verify-quit.ts';

export type QuitAppSources = { run: RunProgram; applications: Applications; clock: Clock };

const answerShape = Compile(
  Type.Object({
    processes: Type.Array(Type.Object({ pid: Type.Integer(), answer: Type.Enum(['asked', 'refused', 'gone']) })),
  }),
);

const SCRIPT_TIMEOUT_MS = 10_000;

/** The Dock, the login window and their like: to quit one of these is to log out, or to take the desktop away. */
const PART_OF_MACOS = /^\/System\/Library\/CoreServices\/[^/]+\.app$/;

/** Resolves the name, asks the app's processes to quit by AppKit, then watches until they are gone or a question stands. */
export async function quitApp(
  sources: QuitAppSources,
  { appName }: QuitAppParameters,
  attempt: Attempt,
): Promise<Outcome<QuitResult>> {
  const refusal = refuseAppName(appName);
  if (refusal !== null) return refusal;
  const signal = withinDeadline(attempt);
  const before = await readDesktop(sources.run, { parts: ['displays', 'apps', 'windows', 'session'], signal });
  if (signal.aborted) return stoppedFailure(signal, 'none');
  if (!before.ok) return withoutScripting(appName, before.message);
  const found = await runningApp(sources, { attempt, appName, before: before.data, signal });
  if (signal.aborted) return stoppedFailure(signal, 'none');
  if ('ok' in found) return found;
  const failure = await request(sources.run, { ...found, signal });
  return failure ?? (await verifyQuit(sources, { ...found, before: before.data, signal }));
}

type Running = { name: string; processes: readonly RunningApp[] };
type Search = { appName: string; attempt: Attempt; before: DesktopState; signal: AbortSignal };

async function runningApp({ applications }: QuitAppSources, search: Search): Promise<Running | Failed> {
  const { appName, attempt, before, signal } = search;
  const missing = displayUnavailable(before, { whenLocked: 'go on' });
  if (missing !== null) return missing;
  const app = await applications.find(appName, { running: before.apps, signal });
  if (app === null) {
    const installed = await applications.list({ maxAgeMs: Number.POSITIVE_INFINITY, signal });
    return appNotFound(appName, nearNames(appName, installed.map(shownName)));
  }
  const refused = refuseApp(appName, resolvedApp(identityOf(app)), attempt);
  if (refused !== null) return refused;
  const processes = before.apps.filter((one) => isSameApp(app, one));
  if (processes.length === 0) return appNotRunning(shownName(app), regularApps(before));
  const system = processes.find(({ path }) => path !== null && PART_OF_MACOS.test(path));
  return system === undefined ? { name: shownName(app), processes: frontFirst(processes) } : partOfMacos(system);
}

function regularApps({ apps }: DesktopState): string[] {
  return apps.filter(({ policy }) => policy === 'regular').map(({ name }) => name);
}

function frontFirst(processes: readonly RunningApp[]): RunningApp[] {
  return [...processes].sort((one, other) => Number(other.frontmost) - Number(one.frontmost));
}

/** Null when at least one process was asked, or all are gone already. */
async function request(run: RunProgram, asking: Running & { signal: AbortSignal }): Promise<Failed | null> {
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

function withoutScripting(appName: string, why: string): Failed {
  return {
    ok: false,
    code: 'internal_error',
    message: `Whether ${JSON.stringify(appName)} runs could not be read, so nothing was asked of it: ${why}`,
    fix: automationRemedy(why) ?? 'Check that osascript may run on this Mac.',
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
