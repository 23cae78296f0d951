import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { assetPathForOtherPrograms } from '../../../src/launch/assets.ts';
import type { ProgramResult, runProgram } from '../exec.ts';

/** The programs of macOS as the driver starts them; tests put a Mac in memory in their place. */
export type RunProgram = typeof runProgram;

export type ScriptAnswer<Data> =
  | { ok: true; data: Data }
  | { ok: false; reason: 'aborted' | 'failed'; message: string };

/** A compiled schema of a script's output. */
export type AnswerShape<Data> = {
  Check(value: unknown): value is Data;
  Errors(value: unknown): readonly { instancePath: string; message: string }[];
};

type ScriptRequest<Data> = {
  /** File name in the scripts folder, without its ending. */
  script:
    | 'desktop'
    | 'address-opener'
    | 'installed-apps'
    | 'accessibility'
    | 'recognize-text'
    | 'quit-app'
    | 'request-capture'
    | 'input-elements'
    | 'keyboard-layout'
    | 'clipboard'
    | 'trash-file';
  /** Handed over as one JSON argument; nothing is ever pasted into a script. */
  request: unknown;
  answer: AnswerShape<Data>;
  timeoutMs: number;
  signal?: AbortSignal;
};

export const OSASCRIPT = '/usr/bin/osascript';
/** The remedy where a script does not run. */
export const ALLOW_OSASCRIPT =
  'Let Handrail run /usr/bin/osascript; on a managed Mac an administrator may have blocked it.';
const LARGEST_ANSWER_BYTES = 32 * 1024 * 1024;

/** Runs one of our scripts by JavaScript for Automation and checks what it prints against its schema. Never rejects. */
export async function runScript<Data>(
  run: RunProgram,
  { script, request, answer, timeoutMs, signal }: ScriptRequest<Data>,
): Promise<ScriptAnswer<Data>> {
  const result = await run({
    program: OSASCRIPT,
    args: ['-l', 'JavaScript', scriptPath(script), JSON.stringify(request)],
    timeoutMs,
    maxOutputBytes: LARGEST_ANSWER_BYTES,
    environment: cleanEnvironment(process.env),
    signal,
  });
  if (result.kind === 'aborted') return { ok: false, reason: 'aborted', message: 'stopped' };
  if (result.kind !== 'exited' || result.exitCode !== 0) {
    const why = howItEnded(result).replaceAll(scriptPath(script), `${script}.js`);
    return { ok: false, reason: 'failed', message: `${script}.js did not answer: ${why}` };
  }
  const data = parsed(result.stdout);
  if (answer.Check(data)) return { ok: true, data };
  const [first] = answer.Errors(data);
  const where = first === undefined ? '' : ` at ${first.instancePath || '/'}: ${first.message}`;
  return { ok: false, reason: 'failed', message: `${script}.js answered in an unexpected shape${where}` };
}

/**
 * The environment for programs of macOS: without Electron's switches, which an app that `open` starts would inherit and
 * which turn an Electron app into a bare Node that exits without a window.
 */
export function cleanEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(ELECTRON_|NODE_|HANDRAIL_|npm_)/.test(name)),
  );
}

/** One line a person can make sense of. */
export function howItEnded(result: ProgramResult): string {
  switch (result.kind) {
    case 'exited':
      return result.stderr.trim() || `it ended with code ${result.exitCode} and no message`;
    case 'not_started':
      return `it could not be started (${result.reason})`;
    case 'crashed':
      return `it was ended by ${result.signal}`;
    case 'timed_out':
      return 'it took too long';
    case 'aborted':
      return 'it was stopped';
    case 'too_much_output':
      return 'it printed more than expected';
  }
}

export function scriptsFolder(): string {
  return assetPathForOtherPrograms('macos-scripts');
}

export function scriptPath(script: string): string {
  return join(scriptsFolder(), `${script}.js`);
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON without a character of more than one byte, which a process that reads its input in pieces could find cut in two. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Time as the driver sees it; tests bring their own. `wait` ends early, without an error, when the signal is aborted. */
export type Clock = { now(): number; wait(delayMs: number, signal: AbortSignal): Promise<void> };

export const systemClock: Clock = {
  now: () => performance.now(),
  wait: (delayMs, signal) =>
    delay(delayMs, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    }),
};
