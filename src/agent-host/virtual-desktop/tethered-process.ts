import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

export type Command = {
  program: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
};

/** A program that ends when this process does, even when this process is killed and cannot see to it. Linux only. */
export type TetheredProcess = {
  program: string;
  pid: number;
  /** The first line the program writes to its file descriptor 3. Rejects with ProgramEndedError if it ends before. */
  firstLine(): Promise<string>;
  /** Resolves when the program has ended, with how; never rejects. */
  ended: Promise<ProgramEndedError>;
  /** Asks it to end, insists after `GRACE_MS`, resolves when it has ended. */
  end(): Promise<void>;
};

/** The message says how the program ended, with its last output on standard error. */
export class ProgramEndedError extends Error {
  override name = 'ProgramEndedError';
}

const GRACE_MS = 2_000;
const KEPT_STDERR_CHARACTERS = 2_000;

/**
 * The kernel is told to send the program SIGTERM when its parent ends. The shell in between closes the gap in which the
 * parent may have ended before the kernel was told: then the program is not started at all.
 */
const START_IF_PARENT_LIVES = '[ "$PPID" = "$0" ] && exec "$@"';

export function startTethered({ program, args, environment }: Command): TetheredProcess {
  const tether = ['--pdeathsig', 'TERM', '--', 'sh', '-c', START_IF_PARENT_LIVES, String(process.pid)];
  const child = spawn('setpriv', [...tether, program, ...args], {
    env: environment,
    // Ctrl-C in the terminal is for this process, which ends its programs in order.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = endOf(child, program);
  return {
    program,
    pid: child.pid ?? 0,
    ended,
    firstLine: () => Promise.race([firstLineOf(child), ended.then((error) => Promise.reject(error))]),
    async end() {
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      await ended;
      clearTimeout(insist);
    },
  };
}

async function endOf(child: ChildProcess, program: string): Promise<ProgramEndedError> {
  const lastWords = tailOf(child.stderr);
  try {
    const [code, signal] = await once(child, 'exit');
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
    const words = lastWords().trim();
    return new ProgramEndedError(`${program} ended with ${how}${words === '' ? '' : `: ${words}`}`);
  } catch (cause) {
    return new ProgramEndedError(`${program} could not be started`, { cause });
  }
}

function tailOf(stream: Readable | null): () => string {
  let tail = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-KEPT_STDERR_CHARACTERS);
  });
  return () => tail;
}

function firstLineOf(child: ChildProcess): Promise<string> {
  const stream = child.stdio[3];
  return new Promise((resolve) => {
    let text = '';
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
}
