import { type Stats, statSync } from 'node:fs';
import { delimiter, isAbsolute } from 'node:path';

/**
 * The folders of PATH in which Handrail looks for programs such as `bwrap`, `ssh` and `xdg-open`. npm puts `node_modules/.bin` first, where
 * a package can have a program of any name. A relative folder is another one in each folder, and in some folders other users write.
 */
export function safePath(path: string, uid: number | undefined = process.getuid?.()): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !OF_PACKAGES.test(folder) && isKept(folder, uid)) // guard X20-1
    .join(delimiter);
}

/** Takes the unsafe folders out of the PATH of this process, and so of every program that it starts. */
export function useSafePath(): void {
  process.env.PATH = safePath(process.env.PATH ?? '');
}

const OF_PACKAGES = /\/node_modules\/\.bin(?:\/|$)|\/\.{1,2}(?:\/|$)/u;
const BY_ALL = 0o002;

/** Whether only the administrator or the person says which programs are in it. */
function isKept(folder: string, uid: number | undefined): boolean {
  const facts = factsOf(folder);
  return facts !== undefined && (facts.mode & BY_ALL) === 0 && (facts.uid === 0 || facts.uid === uid);
}

/** Nothing for a folder that this user cannot reach: PATH may come from another user's shell. */
function factsOf(folder: string): Stats | undefined {
  try {
    return statSync(folder);
  } catch {
    return undefined;
  }
}
