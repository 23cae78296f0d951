import { createInterface } from 'node:readline/promises';
import type { PersonVerb, PersonVerbRequest } from '../contract/person-verb.ts';
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
  given: Partial<PersonVerbRequest> & { withinMs?: number } = {},
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

/** Sends a verb that takes a code where the daemon has a terminal: the person reads it there. */
export async function tellWithCode(
  surroundings: Surroundings,
  verb: PersonVerb,
  given: Omit<PersonVerbRequest, 'words'> = {},
): Promise<string> {
  const { hasTerminal } = JSON.parse(await tell(surroundings, 'status'));
  return tell(surroundings, verb, { ...given, words: hasTerminal === true ? await typedCode(surroundings) : '' });
}

/** The code is typed and never an argument: every process can read the arguments of another. */
async function typedCode({ input, errors, stopped }: Surroundings): Promise<string> {
  if (input.isTTY === true) errors.write('Press Enter where Handrail runs, and type the code that it prints: ');
  const lines = createInterface({ input, signal: stopped });
  try {
    for await (const line of lines) return line.trim();
  } finally {
    lines.close();
  }
  throw new CommandError(
    'A code is needed. Give the one that Handrail prints when you press Enter in its terminal, on standard input.',
  );
}

export function notRunning(surroundings: Surroundings): string {
  const { dataDirectory, port } = settingsOf(surroundings);
  return `No Handrail runs with the data in ${dataDirectory} or at port ${port}. Start it with \`handrail start\`, or set HANDRAIL_DATA_DIR to the folder that it uses.`;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
