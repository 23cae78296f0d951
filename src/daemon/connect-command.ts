import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ownCommand, shellWord } from '../launch/own-command.ts';

type Installation = {
  /** The file of the command `handrail`. */
  commandFile: string;
  environment: NodeJS.ProcessEnv;
};

/** Settings of the daemon that the command must have too, so that the entry it writes leads to the same daemon. */
const PASSED_ON = ['HANDRAIL_DATA_DIR', 'HANDRAIL_PORT'] as const;

/**
 * The shell command that connects an MCP client with this daemon, without the client's name, such as
 * `node /opt/handrail/src/launch/handrail.cjs connect`. It works in any folder. Undefined where Handrail runs without its command line.
 */
export function connectCommand({ commandFile, environment }: Installation): string | undefined {
  if (!existsSync(commandFile)) return undefined;
  const settings = PASSED_ON.flatMap((name) => {
    const value = environment[name];
    if (value === undefined || value === '') return [];
    return [`${name}=${shellWord(name === 'HANDRAIL_DATA_DIR' ? resolve(value) : value)}`];
  });
  return [...settings, ownCommand(commandFile, environment.PATH), 'connect'].join(' ');
}
