import { type ExecFileException, execFile } from 'node:child_process';

export type ProgramRun = {
  /** A path, or a name looked up in PATH. */
  program: string;
  /** Handed over one by one: there is no shell that could read anything into them. */
  args: readonly string[];
  timeoutMs: number;
  signal?: AbortSignal;
  environment?: NodeJS.ProcessEnv;
  /** Written to the program's standard input, which is closed after it; without it, closed at once. */
  input?: string;
  /** For standard output and standard error each; 4 MiB by default. */
  maxOutputBytes?: number;
};

/** How a run ended. Only `exited` has output; after the others the program has been killed or never ran. */
export type ProgramResult =
  | { kind: 'exited'; exitCode: number; stdout: string; stderr: string }
  | { kind: 'not_started'; reason: string }
  | { kind: 'crashed'; signal: string }
  | { kind: 'timed_out' }
  | { kind: 'aborted' }
  | { kind: 'too_much_output' };

const DEFAULT_OUTPUT_BYTES = 4 * 1024 * 1024;

/** Runs a program to its end. Never rejects: a program that cannot be started is a result like the others. */
export function runProgram(run: ProgramRun): Promise<ProgramResult> {
  return new Promise((resolve) => {
    if (run.signal?.aborted) return resolve({ kind: 'aborted' });
    try {
      start(run, resolve);
    } catch (error) {
      resolve({ kind: 'not_started', reason: messageOf(error) });
    }
  });
}

function start(run: ProgramRun, resolve: (result: ProgramResult) => void): void {
  const options = {
    encoding: 'utf8' as const,
    timeout: run.timeoutMs,
    killSignal: 'SIGKILL' as const,
    maxBuffer: run.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES,
    signal: run.signal,
    env: run.environment,
  };
  const child = execFile(run.program, run.args, options, (error, stdout, stderr) => {
    resolve(error === null ? { kind: 'exited', exitCode: 0, stdout, stderr } : failed(error, { stdout, stderr }));
  });
  // A program may end without reading its input; the result already says how it ended.
  child.stdin?.on('error', () => child.stdin?.destroy());
  child.stdin?.end(run.input ?? '');
}

function failed(error: ExecFileException, output: { stdout: string; stderr: string }): ProgramResult {
  if (error.name === 'AbortError') return { kind: 'aborted' };
  if (String(error.code) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return { kind: 'too_much_output' };
  if (typeof error.code === 'number') return { kind: 'exited', exitCode: error.code, ...output };
  if (typeof error.code === 'string') return { kind: 'not_started', reason: error.message };
  if (error.killed) return { kind: 'timed_out' };
  return { kind: 'crashed', signal: error.signal ?? 'unknown' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
