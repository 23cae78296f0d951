import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { bundleOf, openArguments } from '../launch/open-app.ts';

/** Waits for the end of a process, then becomes the command. */
const WAIT = 'while kill -0 "$1" 2>/dev/null; do sleep 0.2; done; shift; exec "$@"';

/** Why nobody sits at this screen: it is locked, or another user of the Mac has it. */
export type Away = { locked: boolean; otherUser: boolean };

/** Combines the causes. The person has `left` with the first of them, and is `back` when the last has gone. */
export function createAway(): (change: Partial<Away>) => 'left' | 'back' | 'nothing' {
  let away: Away = { locked: false, otherUser: false };
  return (change) => {
    const wasAway = away.locked || away.otherUser;
    away = { ...away, ...change };
    const isAway = away.locked || away.otherUser;
    if (isAway === wasAway) return 'nothing';
    return isAway ? 'left' : 'back';
  };
}

/**
 * Tells the daemon when nobody can sit at this screen and when the person is back. `heard` takes the events of the system. `atStart`
 * takes the state that the system reports for the start; an event that came before it wins.
 */
export function createScreenWatch(tell: (change: 'locked' | 'unlocked') => void) {
  const away = createAway();
  let hasHeard = false;
  function note(change: Partial<Away>): void {
    const now = away(change);
    if (now !== 'nothing') tell(now === 'left' ? 'locked' : 'unlocked');
  }
  return {
    heard(change: Partial<Away>): void {
      hasHeard = true;
      note(change);
    },
    atStart(found: Partial<Away> | undefined): void {
      if (found !== undefined && !hasHeard) note(found);
    },
  };
}

export type MacPrograms = {
  /** Whether somebody else has the screen, or it is locked; undefined when macOS does not tell. Never rejects. */
  screenNow(): Promise<Away | undefined>;
  /** Asks macOS for Screen Recording, which puts Handrail into the list of the pane. Takes no picture. Never rejects. */
  requestCapture(): Promise<void>;
  /** Starts the app again when this process has ended. Answers whether this process is an app that can be started so. */
  relaunch(): boolean;
};

type Options = {
  /** The folder of the scripts for macOS. */
  scripts: string;
  log: { info(fields: object, message: string): void };
  osascript?: string;
};

const Desktop = Type.Object({ session: Type.Object({ onConsole: Type.Boolean(), locked: Type.Boolean() }) });
const desktop = Compile(Desktop);

/** Far more than it takes. A program that waits for the person is ended then, and macOS goes on asking. */
const TIMEOUT_MS = 4_000;

/**
 * The facts of macOS for which electron has no call. `osascript` is a child of the app, so that macOS asks in the name of the app.
 * Chromium on macOS knows only the locks since the app started. Its own way to capture the screen has made the agent's captures
 * fail.
 */
export function createMacPrograms({ scripts, log, osascript = '/usr/bin/osascript' }: Options): MacPrograms {
  async function run(script: string, ...request: string[]): Promise<string | undefined> {
    const args = ['-l', 'JavaScript', join(scripts, script), ...request];
    try {
      const options = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', env: environment() } as const;
      const { stdout } = await promisify(execFile)(osascript, args, options);
      return stdout;
    } catch (error) {
      log.info({ err: error }, 'a program of macOS did not answer');
      return undefined;
    }
  }

  return {
    async screenNow() {
      const request = JSON.stringify({ parts: ['session'] });
      return awayIn(await run('desktop.js', request));
    },
    async requestCapture() {
      await run('request-capture.js', JSON.stringify({ permission: 'screenRecording' }));
    },
    relaunch() {
      const [, ...args] = process.argv;
      const { ELECTRON_RUN_AS_NODE: _, ...inherited } = process.env;
      return relaunchByOpen({ execPath: process.execPath, args, pid: process.pid, environment: inherited });
    },
  };
}

function awayIn(printed = ''): Away | undefined {
  try {
    const answer: unknown = JSON.parse(printed);
    if (!desktop.Check(answer)) return undefined;
    return { locked: answer.session.locked, otherUser: !answer.session.onConsole };
  } catch {
    // It printed no JSON: macOS does not tell.
    return undefined;
  }
}

/** No settings of Node or electron that a program could inherit. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  return { PATH, HOME, TMPDIR, LANG };
}

type Relaunch = {
  execPath: string;
  /** Without the program itself. */
  args: readonly string[];
  /** The process to wait for. */
  pid: number;
  environment: NodeJS.ProcessEnv;
  open?: string;
};

/**
 * Starts the app again by LaunchServices when this process has ended. The relauncher of Electron starts the program directly, and macOS
 * may then hold its permissions against another app. Answers whether this process is an app at all.
 */
export function relaunchByOpen({ execPath, args, pid, environment, open = '/usr/bin/open' }: Relaunch): boolean {
  const bundle = bundleOf(execPath);
  if (bundle === undefined) return false;
  const command = [open, ...openArguments({ bundle, args, environment })];
  const child = spawn('/bin/sh', ['-c', WAIT, 'handrail', String(pid), ...command], {
    detached: true,
    stdio: 'ignore',
    env: environment,
  });
  child.unref();
  return true;
}
