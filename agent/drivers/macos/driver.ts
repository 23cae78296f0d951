import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { converse } from '../converse.ts';
import type { Driver } from '../driver.ts';
import { runProgram } from '../exec.ts';
import type { Attempt } from '../outcome.ts';
import { createApplications } from './applications.ts';
import { createMacApps } from './apps.ts';
import { createMacDescription } from './describe-screen.ts';
import { readDesktop, toDisplay } from './desktop-state.ts';
import { createMacInput } from './input/driver.ts';
import { permissionStates } from './permissions.ts';
import { type Clock, type RunProgram, runScript, systemClock } from './run-script.ts';
import { createMacScreenshot } from './screenshot.ts';
import { type Converse, createScriptReader } from './script-reader.ts';
import { resolveWindow } from './window.ts';

const answer = Compile(Type.Object({ granted: Type.Boolean() }));

/** The call of macOS returns at once, also where it asks the person. */
const TIMEOUT_MS = 10_000;

export type MacosDriverOptions = {
  /** How programs of macOS are started. */
  run?: RunProgram;
  /** How a program of macOS is started that answers several calls. */
  converse?: Converse;
  clock?: Clock;
  /** A picture of the main display by other means, should `screencapture` not be where it belongs. */
  portableCapture?(): Promise<Uint8Array>;
};

/** The driver for macOS: programs that come with the system, and scripts of ours in Apple's JavaScript for Automation. */
export function createMacosDriver(options: MacosDriverOptions = {}): Driver {
  const { clock = systemClock, run = runProgram } = options;
  const closing = new AbortController();
  const untilClosed = (attempt: Attempt): Attempt => {
    return { ...attempt, signal: AbortSignal.any([attempt.signal, closing.signal]) };
  };
  // Not for looks that guard an action or ask for permissions: a process that goes on may remember an old answer of macOS.
  const reader = createScriptReader(run, options.converse ?? converse);
  const ownPids = new Set([process.pid, process.ppid]);
  const applications = createApplications(run, clock.now);
  const apps = createMacApps({ run, looks: reader.run, applications, clock });
  const pictures = {
    run,
    ownPids,
    enrol: createEnrolment(run),
    portableCapture: options.portableCapture ?? portableCapture,
  };
  const takeScreenshot = createMacScreenshot(pictures);
  const describeScreen = createMacDescription({ run, ownPids });
  const describe: Driver['describeScreen'] = (parameters, attempt) => describeScreen(parameters, untilClosed(attempt));
  const input = createMacInput({
    run,
    applications,
    converse: options.converse ?? converse,
    clock,
    describeScreen: describe,
  });

  return {
    platform: 'macos',
    async environment() {
      const state = await readDesktop(run, { parts: ENVIRONMENT_PARTS, signal: closing.signal });
      if (!state.ok) return { displays: [], permissions: UNKNOWN_PERMISSIONS };
      return { displays: state.data.displays.map(toDisplay), permissions: permissionStates(state.data, ownPids) };
    },
    resolveApp: (parameters, attempt) => apps.resolveApp(parameters, untilClosed(attempt)),
    resolveWindow: (parameters, attempt) => resolveWindow({ run, applications }, parameters, untilClosed(attempt)),
    openApp: (parameters, attempt) => apps.openApp(parameters, untilClosed(attempt)),
    quitApp: (parameters, attempt) => apps.quitApp(parameters, untilClosed(attempt)),
    takeScreenshot: (parameters, attempt, overlay) => takeScreenshot(parameters, untilClosed(attempt), overlay),
    describeScreen: describe,
    input: () => input,
    async warmUp() {
      await Promise.all([import('sharp'), applications.list({ maxAgeMs: 0, signal: closing.signal })]);
    },
    async close() {
      closing.abort('shutdown');
      reader.close();
      await input.close();
    },
  };
}

const ENVIRONMENT_PARTS = ['displays', 'windows', 'permissions'] as const;
const UNKNOWN_PERMISSIONS = {
  screenRecording: 'unknown',
  accessibility: 'unknown',
  automation: 'not_required',
} as const;

/**
 * Puts the responsible app into the list of the Screen Recording pane, where the person then only has to switch it on: macOS adds
 * an app there when it asks for the permission. Once for each start of the agent, since macOS may show an alert, and only when an
 * action needs the permission. No picture is taken: a capture would add an alert of its own.
 */
function createEnrolment(run: RunProgram): (signal: AbortSignal) => Promise<void> {
  let isDone = false;
  return async (signal) => {
    if (isDone) return;
    isDone = true;
    const request = { permission: 'screenRecording' };
    await runScript(run, { script: 'request-capture', request, answer, timeoutMs: TIMEOUT_MS, signal });
  };
}

/** A PNG of the main display, by screenshot-desktop: slow, as it asks for the system's hardware first. */
async function portableCapture(): Promise<Uint8Array> {
  const { default: screenshot } = await import('screenshot-desktop');
  return screenshot({ format: 'png' });
}
