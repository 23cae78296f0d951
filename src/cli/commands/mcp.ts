import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { FEW_HEAPS } from '../../launch/daemon-flags.cjs';
import { findRunningDaemon } from '../../own-daemon/running-daemon.ts';
import { type Command, CommandError, EXIT } from '../command.ts';
import { settingsOf } from '../running.ts';
import type { Surroundings } from '../surroundings.ts';

/** Passes the messages of an MCP client on standard input and output on to the daemon, until the client ends them. */
export type RunStdio = (door: {
  baseUrl: string;
  /** Without one, the daemon makes it from the client's name. */
  userId?: string;
  key?: string;
  input: Readable;
  output: Writable;
}) => Promise<void>;

const READY_WITHIN_MS = 20_000;
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 50;
/** The log of a daemon that this command starts, in the data directory. */
const LOG_FILE = 'handrail.log';

/** `loadStdio` loads the stdio side only when the command runs. */
export function createMcpCommand(loadStdio: () => Promise<{ runStdio: RunStdio }>): Command {
  return {
    name: 'mcp',
    summary: 'serve an MCP client on standard input and output; starts Handrail where none runs',
    examples: ['handrail mcp', 'handrail connect claude-code'],
    async run({ surroundings }) {
      const [baseUrl, { runStdio }] = await Promise.all([runningOrStarted(surroundings), loadStdio()]);
      const { HANDRAIL_USER_ID: userId, HANDRAIL_USER_KEY: key } = surroundings.environment;
      const caller = { ...(userId ? { userId } : {}), ...(key ? { key } : {}) };
      await runStdio({ baseUrl, ...caller, input: process.stdin, output: process.stdout });
      return EXIT.done;
    },
  };
}

/** The address of the daemon. It is started where none runs, in a session of its own, so that it outlives the client. */
async function runningOrStarted(surroundings: Surroundings): Promise<string> {
  const settings = settingsOf(surroundings);
  const running = await findRunningDaemon(settings, PATIENCE_MS);
  if (running !== undefined) return withoutSlash(running.dashboardAddress);
  const logFile = join(settings.dataDirectory, LOG_FILE);
  mkdirSync(settings.dataDirectory, { recursive: true, mode: 0o700 });
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const log = openSync(logFile, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  const { command, args } = surroundings.daemon;
  const child = spawn(command, args, {
    detached: true,
    cwd: '/',
    env: { ...FEW_HEAPS, ...surroundings.environment },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = once(child, 'exit').then(
    () => 'ended' as const,
    () => 'ended' as const,
  );
  child.unref();
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    const state = await Promise.race([ended, pause(LOOK_EVERY_MS)]);
    const found = await findRunningDaemon(settings);
    if (found !== undefined) return withoutSlash(found.dashboardAddress);
    if (state === 'ended') break;
  }
  throw new CommandError(`Handrail did not start. Its log is ${logFile}.`);
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}
