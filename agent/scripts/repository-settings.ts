import { homedir } from 'node:os';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { runProgram } from '../drivers/exec.ts';
import { keepPlace, type Overview } from './look-over.ts';

const GIT_TIMEOUT_MS = 3_000;

/** Settings whose values name other repositories and folders of work, from which Git runs nothing. */
const HARMLESS =
  /^(?:core\.worktree|user\..*|branch\..*|remote\..*\.(?:url|pushurl|fetch|push)|submodule\..*\.(?:url|path))$/u;

/**
 * Keeps the places in the folders of a script that settings of Git name, such as `core.hooksPath` and `include.path`: programs of
 * the person run commands from them. Answers all of them, also those that are not there yet.
 */
export async function keepPlacesOfSettings(
  roots: readonly string[],
  overview: Overview,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const root of roots) for (const path of await placesAround(root, signal)) named.add(path);
  for (const repository of overview.repositories.keys()) {
    const bases = [dirname(repository), repository];
    for (const path of await placesOf(dirname(repository), bases, signal)) named.add(path);
  }
  const within = [...named].filter((path) => roots.some((root) => path.startsWith(`${root}/`)));
  for (const path of within) await keepPlace(path, overview);
  return new Set(within);
}

/** A folder of a script can be a part of a repository that begins above it. */
async function placesAround(folder: string, signal: AbortSignal): Promise<string[]> {
  const bases = await git(folder, ['rev-parse', '--show-toplevel', '--absolute-git-dir'], signal);
  return placesOf(folder, bases.split('\n').filter(isAbsolute), signal);
}

/**
 * The paths that the settings of a repository may mean. A path need not exist. Git itself reads the settings, with every file that they
 * include. `bases`: the folders that a relative path may start from.
 */
async function placesOf(folder: string, bases: readonly string[], signal: AbortSignal): Promise<string[]> {
  const settings = await git(folder, ['config', '--list', '-z'], signal);
  return settings.split('\0').flatMap((entry) => {
    const end = entry.indexOf('\n');
    if (end < 0 || HARMLESS.test(entry.slice(0, end))) return [];
    const words = wordsOf(entry.slice(0, end), entry.slice(end + 1));
    return words.flatMap((word) => (isAbsolute(word) ? [normalize(word)] : bases.map((base) => join(base, word))));
  });
}

const PATHS = /^(?:core\.hookspath|include(?:if\..*)?\.path)$/iu;

/**
 * The paths in a setting, which is one or a command line. A word alone, such as a name of a branch, means a file only where a path is
 * expected, or where a command gets a name with an ending.
 */
function wordsOf(name: string, value: string): string[] {
  const words = value.split(/[\s"'`;|&()<>]+/u).map((word) => word.replace(/^!/u, ''));
  const isFile = (word: string) => word.includes('/') || (words.length > 1 && /\w\.\w+$/u.test(word));
  const found = PATHS.test(name) ? [value, ...words.filter(isFile)] : words.filter(isFile);
  return found.filter((word) => word.length <= 4_096).map((word) => word.replace(/^~(?=\/)/u, homedir()));
}

async function git(folder: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const environment = { PATH: process.env.PATH, HOME: process.env.HOME, GIT_OPTIONAL_LOCKS: '0' };
  const run = {
    program: 'git',
    args: ['--no-pager', '-C', folder, ...args],
    timeoutMs: GIT_TIMEOUT_MS,
    signal,
    environment,
  };
  const ended = await runProgram(run);
  return ended.kind === 'exited' && ended.exitCode === 0 ? ended.stdout : '';
}
