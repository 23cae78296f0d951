import { readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { isExecutable } from './desktop-entries.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { commandOf } from './exec-line.ts';
import { appEnvironment } from './launch.ts';

/** A word of a command line that may be a program: its own name and those of everything it links to. */
export type Program = {
  names: readonly string[];
  /** The file, each link on the way, and the file at the end; empty for a word that leads to no file. */
  files: readonly string[];
};

/** Longer lines than any real entry has are cut here. Each word costs a few file accesses. */
const MOST_WORDS = 100;
const MOST_LINKS = 20;

/**
 * All words of an Exec line are looked at, not only the first: `env`, `nohup` and their like run a later one, and so does a
 * shell line inside quotes. Options and settings are left out, and the values of options are not.
 */
export async function programsOf(entry: DesktopEntry, environment: NodeJS.ProcessEnv): Promise<Program[]> {
  const raw = (entry.exec ?? '').split(/[\s;&|()<>`]+/).map((word) => word.replace(/^["']+|["']+$/g, ''));
  const all = [...(commandOf(entry) ?? []), ...raw].map(withoutOption);
  const words = [...new Set(all)].filter(isPossibleProgram).slice(0, MOST_WORDS);
  const places = {
    folder: entry.workingDirectory ?? environment.HOME ?? homedir(),
    environment: appEnvironment(environment),
  };
  return Promise.all(words.map((word) => programOf(word, places)));
}

/** The value of an option such as `--command=sh` may be a program. */
function withoutOption(word: string): string {
  return /^--?[\w-]+=(.+)$/.exec(word)?.[1] ?? word;
}

function isPossibleProgram(word: string): boolean {
  return /^[^-%=\s][^=\s]*$/.test(word);
}

type Places = { folder: string; environment: NodeJS.ProcessEnv };

async function programOf(word: string, places: Places): Promise<Program> {
  const found = await fileOf(word, places);
  const files = found === null ? [] : await linksFrom(found);
  return { names: [...new Set([word, ...files].map((path) => basename(path)))], files };
}

/** A word with a slash is a path, any other is looked up in PATH as starting it would. */
async function fileOf(word: string, { folder, environment }: Places): Promise<string | null> {
  const { PATH: path = '' } = environment;
  const candidates = word.includes('/')
    ? [resolve(folder, word)]
    : path
        .split(delimiter)
        .filter((place) => place !== '')
        .map((place) => join(place, word));
  for (const candidate of candidates) if (await isExecutable(candidate, environment)) return candidate;
  return null;
}

/** Each name on the way counts: a link to x-terminal-emulator is a terminal, whichever program that one links to. */
async function linksFrom(file: string): Promise<string[]> {
  const files = [file];
  for (let at = file; files.length < MOST_LINKS; ) {
    const target = await readlink(at).catch(() => null);
    if (target === null) break;
    at = resolve(dirname(at), target);
    files.push(at);
  }
  const end = await realpath(file).catch(() => null);
  return [...new Set(end === null ? files : [...files, end])];
}
