import type { PersonVerb } from '../contract/person-verb.ts';
import type { PolicyQuestion } from '../contract/policy.ts';
import { askDaemon, DeclinedByDaemon, NoDaemon } from '../own-daemon/person-call.ts';
import { findRunningDaemon } from '../own-daemon/running-daemon.ts';
import { readSettings, type Settings } from '../own-daemon/settings.ts';
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

/** Sends a verb of the person to the daemon of the data directory. */
export async function tell(
  surroundings: Surroundings,
  verb: PersonVerb,
  given: { words?: string; policy?: PolicyQuestion; withinMs?: number } = {},
): Promise<string> {
  const { dataDirectory } = settingsOf(surroundings);
  try {
    return await askDaemon({ dataDirectory, verb, ...given });
  } catch (error) {
    if (error instanceof DeclinedByDaemon) throw new CommandError(error.message);
    if (error instanceof NoDaemon) throw new CommandError(notRunning(surroundings));
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
