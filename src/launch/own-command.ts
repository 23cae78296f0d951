import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** npm adds such folders to the search path of the commands that it runs. A terminal of the person does not have them. */
const OF_NPM = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/** A copy in the cache of npx, and its folder there. */
const OF_NPX = /^(.*[\\/]_npx[\\/][^\\/]+)[\\/]node_modules[\\/]/;

/** The words that run this file of the command `handrail` in a terminal of the person, in any folder, also after npx has started it. */
export function ownCommand(commandFile: string, path: string | undefined): string {
  return isInstalled(commandFile, path) ? 'handrail' : `node ${shellWord(commandFile)}`;
}

/**
 * The package as the person named it to npx, such as `./handrail-0.1.0.tgz`, where this file is a copy in the cache of npx and the name
 * leads to a package from this folder.
 */
function packageForNpx(commandFile: string, folder: string): string | undefined {
  const [, cache] = OF_NPX.exec(commandFile) ?? [];
  if (cache === undefined) return undefined;
  const file = join(cache, 'package.json');
  if (!existsSync(file)) return undefined;
  const { _npx }: { _npx?: { packages?: readonly string[] } } = JSON.parse(readFileSync(file, 'utf8'));
  return _npx?.packages?.find((name) => existsSync(resolve(folder, name)));
}

/** The words that run the command in a terminal of the person in this folder: by npx, if that has started it. */
export function ownCommandHere(commandFile: string, { path, folder }: { path: string | undefined; folder: string }) {
  const ofNpx = packageForNpx(commandFile, folder);
  return ofNpx === undefined ? ownCommand(commandFile, path) : `npx --yes ${shellWord(ofNpx)}`;
}

/** What a person should know who lets something lasting start this copy. Undefined where it is no copy of npx. */
export function warningOfNpx(commandFile: string, folder: string): string | undefined {
  if (!OF_NPX.test(commandFile)) return undefined;
  const name = packageForNpx(commandFile, folder);
  const install = ['npm i -g', ...(name === undefined ? [] : [shellWord(name)])].join(' ');
  return `this copy is in the cache of npx, which npm may clear. \`${install}\` installs it for good.`;
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
