import { lstat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { runProgram } from '../drivers/exec.ts';
import { identityOf } from '../files/identity.ts';
import type { Overview } from './look-over.ts';
import { markOf } from './repositories.ts';

const WITHIN_MS = 3_000;
/** More repositories take too long to ask each; a script's folder has one, as a rule. */
const MOST_ASKED = 50;

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
  const repositories = [...overview.repositories.keys()].map((path) => dirname(path));
  const folders = [...new Set([...roots, ...repositories])].slice(0, MOST_ASKED);
  const named = new Set<string>();
  for (const folder of folders) for (const path of await placesOf(folder, signal)) named.add(path);
  const within = [...named].filter((path) => roots.some((root) => path.startsWith(`${root}/`)));
  for (const path of within) await keep(path, overview);
  return new Set(within);
}

/** The paths that the settings of a repository may mean, whatever lies there. Git itself reads them, with all that they include. */
async function placesOf(folder: string, signal: AbortSignal): Promise<string[]> {
  const lists = await git(folder, ['config', '--list', '-z'], signal);
  const [top = folder, inside = folder] = (
    await git(folder, ['rev-parse', '--show-toplevel', '--absolute-git-dir'], signal)
  ).split('\n');
  return lists.split('\0').flatMap((entry) => {
    const end = entry.indexOf('\n');
    if (end < 0 || HARMLESS.test(entry.slice(0, end))) return [];
    const words = wordsOf(entry.slice(end + 1));
    return words.flatMap((word) => (isAbsolute(word) ? [normalize(word)] : [join(top, word), join(inside, word)]));
  });
}

/** A setting is a path or a command line. */
function wordsOf(value: string): string[] {
  const words = value.split(/[\s"'`;|&()<>]+/u).map((word) => word.replace(/^!/u, ''));
  return [value, ...words].filter((word) => word !== '' && word !== '.' && word.length <= 4_096);
}

async function git(folder: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const environment = { PATH: process.env.PATH, HOME: process.env.HOME, GIT_OPTIONAL_LOCKS: '0' };
  const run = {
    program: 'git',
    args: ['--no-pager', '-C', folder, ...args],
    timeoutMs: WITHIN_MS,
    signal,
    environment,
  };
  const ended = await runProgram(run);
  return ended.kind === 'exited' && ended.exitCode === 0 ? ended.stdout : '';
}

async function keep(path: string, overview: Overview): Promise<void> {
  const facts = await lstat(path, { bigint: true }).catch(() => undefined);
  const isKept = overview.readOnly.some((place) => `${path}/`.startsWith(`${place}/`));
  if (facts === undefined || isKept || overview.hidden.some((place) => `${path}/`.startsWith(`${place.path}/`))) return;
  overview.repositories.set(path, (await markOf(path)) ?? '');
  if (!facts.isFile() && !facts.isDirectory()) return;
  overview.readOnly.push(path);
  overview.identities.set(path, identityOf(facts));
}
