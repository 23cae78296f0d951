import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError } from '../command.ts';

const MOST_LINKS = 40;
/** These files hold keys of other servers. */
const NEW_FILE_MODE = 0o600;
const MOST_BYTES = 50_000_000;

/** A configuration file as it was read; `text` is empty where there is none. */
export type ConfigFile = { path: string; text: string; isThere: boolean };

export function readConfig(path: string): ConfigFile {
  const target = targetOf(path);
  if (!existsSync(target)) return { path: target, text: '', isThere: false };
  const { size } = statSync(target);
  if (!statSync(target).isFile() || size > MOST_BYTES)
    throw new CommandError(`${target} should be a file of settings.`);
  const bytes = readFileSync(target);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes))
    throw new CommandError(`${target} is no text in UTF-8, so it was left as it is.`);
  return { path: target, text, isThere: true };
}

/** Puts the new text in place at once and with the mode of the old file. A file that has changed since it was read is left alone. */
export function writeConfig({ path, text: before, isThere }: ConfigFile, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const mode = isThere ? statSync(path).mode & 0o7777 : NEW_FILE_MODE;
  const fresh = join(dirname(path), `.${basename(path)}.handrail-${process.pid}`);
  const file = openSync(fresh, 'wx', mode);
  try {
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    const now = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (now !== before) throw new CommandError(`${path} was changed meanwhile, so it was left as it is. Try again.`);
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** Where links lead, also where the file at their end is not there yet: people keep such files in a folder of their own. */
function targetOf(path: string): string {
  let at = path;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() !== true)
      return existsSync(at) ? realpathSync(at) : at;
    at = resolve(dirname(at), readlinkSync(at));
  }
  throw new CommandError(`${path} leads in a circle of links.`);
}
