import { converse } from '../converse.ts';
import type { Driver } from '../driver.ts';
import { runProgram } from '../exec.ts';
import type { Attempt } from '../outcome.ts';
import { createApplications } from './applications.ts';
import { type Clock, systemClock } from './clock.ts';
import { describeScreen } from './describe-screen.ts';
import { readDesktop, toDisplay } from './desktop-state.ts';
import { createEnrolment } from './enrolment.ts';
import { createMacInput } from './input/driver.ts';
import { openApp } from './open-app.ts';
import { permissionStates } from './permissions.ts';
import { portableCapture } from './portable-capture.ts';
import { quitApp } from './quit-app.ts';
import { resolveApp } from './resolve-app.ts';
import type { RunProgram } from './run-script.ts';
import { createTakeScreenshot } from './screenshot.ts';
import { type Converse, createScriptReader } from './script-reader.ts';
import { resolveWindow } from './window.ts';

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
  const pictures = {
    run,
    ownPids,
    enrol: createEnrolment(run),
    portableCapture: options.portableCapture ?? portableCapture,
  };
  const takeScreenshot = createTakeScreenshot(pictures);
  const describe: Driver['describeScreen'] = (parameters, attempt) =>
    describeScreen({ run, ownPids }, parameters, untilClosed(attempt));
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
    resolveApp: (parameters, attempt) =>
      resolveApp({ run: reader.run, applications }, parameters, untilClosed(attempt)),
    resolveWindow: (parameters, attempt) => resolveWindow({ run, applications }, parameters, untilClosed(attempt)),
    openApp: (parameters, attempt) =>
      openApp({ run: reader.run, applications, clock }, parameters, untilClosed(attempt)),
    quitApp: (parameters, attempt) => quitApp({ run, applications, clock }, parameters, untilClosed(attempt)),
    takeScreenshot: (parameters, attempt) => takeScreenshot(parameters, untilClosed(attempt)),
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
