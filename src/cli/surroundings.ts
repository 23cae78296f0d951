import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { commandFilePath, daemonEntryPath } from '../launch/assets.ts';
import { DAEMON_FLAGS } from '../launch/daemon-flags.cjs';

type Output = Pick<Writable, 'write'> & { isTTY?: boolean; columns?: number };

export type Program = { command: string; args: readonly string[] };

/** Everything outside of the command that it may read or change, apart from files. */
export type Surroundings = {
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  home: string;
  folder: string;
  input: Readable & { isTTY?: boolean };
  output: Output;
  errors: Output;
  /** Aborts at Ctrl-C. */
  stopped: AbortSignal;
  /** How another program starts this same `handrail`. */
  self: Program;
  /** The file of the command `handrail` of this same installation. */
  commandFile: string;
  /** How a daemon of this same installation is started. */
  daemon: Program;
  nowMs(): number;
};

export function ownSurroundings(): Surroundings {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped.abort());
  return {
    environment: process.env,
    platform: process.platform,
    home: homedir(),
    folder: process.cwd(),
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    stopped: stopped.signal,
    self: { command: process.execPath, args: [String(process.argv[1])] },
    commandFile: commandFilePath(),
    daemon: { command: process.execPath, args: [...DAEMON_FLAGS, daemonEntryPath()] },
    nowMs: Date.now,
  };
}
