import { existsSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** npm adds such folders to the search path of the commands that it runs. A terminal of the person does not have them. */
const OF_NPM = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/** The words that run this file of the command `handrail` in a terminal of the person, in any folder, also after npx has started it. */
export function ownCommand(commandFile: string, path: string | undefined): string {
  return isInstalled(commandFile, path) ? 'handrail' : `node ${shellWord(commandFile)}`;
}

/** Whether the word `handrail` runs this file in a terminal: the first program of that name on the search path is the file. */
function isInstalled(commandFile: string, path = ''): boolean {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder) && !OF_NPM.test(folder));
  const first = folders.map((folder) => join(folder, 'handrail')).find(existsSync);
  return first !== undefined && existsSync(commandFile) && realpathSync(first) === realpathSync(commandFile);
}

/** One word for a shell of POSIX. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
