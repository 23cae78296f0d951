import { existsSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

type Installation = {
  /** The file of the command `handrail`. */
  commandFile: string;
  environment: NodeJS.ProcessEnv;
};

/** Settings of the daemon that the command must have too, so that the entry it writes leads to the same daemon. */
const PASSED_ON = ['HANDRAIL_DATA_DIR', 'HANDRAIL_PORT'] as const;

/** npm adds such folders to the search path of the commands that it runs. A terminal of the person does not have them. */
const OF_NPM = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/**
 * The shell command that connects an MCP client with this daemon, without the client's name, such as
 * `node /opt/handrail/src/launch/handrail.cjs connect`. It works in any folder. Undefined where Handrail runs without its command line.
 */
export function connectCommand({ commandFile, environment }: Installation): string | undefined {
  if (!existsSync(commandFile)) return undefined;
  const settings = PASSED_ON.flatMap((name) => {
    const value = environment[name];
    if (value === undefined || value === '') return [];
    return [`${name}=${quoted(name === 'HANDRAIL_DATA_DIR' ? resolve(value) : value)}`];
  });
  const program = isInstalled(commandFile, environment.PATH) ? ['handrail'] : ['node', quoted(commandFile)];
  return [...settings, ...program, 'connect'].join(' ');
}

/** Whether the word `handrail` runs this file in a terminal: the first program of that name on the search path is the file. */
function isInstalled(commandFile: string, path = ''): boolean {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder) && !OF_NPM.test(folder));
  const first = folders.map((folder) => join(folder, 'handrail')).find(existsSync);
  return first !== undefined && realpathSync(first) === realpathSync(commandFile);
}

/** One word for a shell of POSIX. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
