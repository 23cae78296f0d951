import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Away } from './away.ts';

export type MacPrograms = {
  /** Whether somebody else has the screen, or it is locked; undefined when macOS does not tell. Never rejects. */
  screenNow(): Promise<Away | undefined>;
  /** Tries to take a picture of one point, which puts Handrail into the list of the Screen Recording pane. Never rejects. */
  attemptCapture(): Promise<void>;
};

type Options = {
  /** The folder of the scripts for macOS. */
  scripts: string;
  log: { info(fields: object, message: string): void };
  osascript?: string;
  screencapture?: string;
};

const Desktop = Type.Object({ session: Type.Object({ onConsole: Type.Boolean(), locked: Type.Boolean() }) });
const desktop = Compile(Desktop);

/** Far more than either takes. A program that waits for the person is ended then, and macOS goes on asking. */
const TIMEOUT_MS = 4_000;

/**
 * The facts of macOS for which electron has no call. Both programs are children of the app, so that its permissions are theirs. Chromium
 * on macOS knows of a locked screen only what has happened since the app started, and its own way to capture the screen has made the
 * agent's captures fail.
 */
export function createMacPrograms({
  scripts,
  log,
  osascript = '/usr/bin/osascript',
  screencapture = '/usr/sbin/screencapture',
}: Options): MacPrograms {
  async function run(program: string, args: readonly string[]): Promise<string | undefined> {
    try {
      const options = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', env: environment() } as const;
      const { stdout } = await promisify(execFile)(program, args, options);
      return stdout;
    } catch (error) {
      log.info({ err: error }, 'a program of macOS did not answer');
      return undefined;
    }
  }

  return {
    async screenNow() {
      const request = JSON.stringify({ parts: ['session'] });
      return awayIn(await run(osascript, ['-l', 'JavaScript', join(scripts, 'desktop.js'), request]));
    },
    async attemptCapture() {
      try {
        const folder = await mkdtemp(join(tmpdir(), 'handrail-attempt-'));
        await run(screencapture, ['-x', '-t', 'png', '-R0,0,1,1', join(folder, 'point.png')]);
        await rm(folder, { recursive: true, force: true });
      } catch (error) {
        log.info({ err: error }, 'there is no folder for an attempt to capture the screen');
      }
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
