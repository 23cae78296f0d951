import { existsSync } from 'node:fs';
import { findRunningDaemon } from '../own-daemon/running-daemon.ts';
import { readSettings, type Settings } from '../own-daemon/settings.ts';
import { askDaemon, SignInSocketError, signInSocketPath, type Verb } from '../own-daemon/sign-in-socket.ts';
import { CommandError } from './command.ts';
import type { Surroundings } from './surroundings.ts';

/** On a busy machine a daemon may take seconds to answer. */
const PATIENCE_MS = 15_000;

export function settingsOf({ environment, platform }: Surroundings): Settings {
  return readSettings(environment, platform);
}

/** The address of the daemon that runs with these settings, without a slash at its end. */
export async function baseOf(surroundings: Surroundings): Promise<string> {
  const running = await findRunningDaemon(settingsOf(surroundings), PATIENCE_MS);
  if (running === undefined) throw new CommandError(notRunning(surroundings));
  return running.dashboardAddress.replace(/\/$/, '');
}

/** Sends a verb of the person over the socket in the data directory. */
export async function tell(surroundings: Surroundings, verb: Verb, words?: string): Promise<string> {
  const { dataDirectory } = settingsOf(surroundings);
  try {
    const path = existsSync(dataDirectory) ? signInSocketPath(dataDirectory) : undefined;
    if (path === undefined || !existsSync(path)) throw new CommandError(notRunning(surroundings));
    return await askDaemon(path, verb, words);
  } catch (error) {
    if (error instanceof SignInSocketError) throw new CommandError(error.message);
    if (hasCode(error, 'ECONNREFUSED') || hasCode(error, 'ENOENT')) throw new CommandError(notRunning(surroundings));
    if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM'))
      throw new CommandError(`Another OS user runs the Handrail of ${dataDirectory}. Only that user can do this.`);
    throw error;
  }
}

export function notRunning(surroundings: Surroundings): string {
  const { dataDirectory, port } = settingsOf(surroundings);
  return `No Handrail runs with the data in ${dataDirectory} or at port ${port}. Start it with \`handrail start\`, or set HANDRAIL_DATA_DIR to the folder that it uses.`;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
