import { opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { holdsSettings, startsByItself } from '../../src/contract/lasting-places.ts';
import { comparablePath } from '../../src/contract/secret-paths.ts';

/** The names of such a place, from its first hidden one on, are at most so many. */
const LONGEST = 4;
/** Entries that one look reads behind links. Beyond, the target of a link counts as a whole. */
const MOST_ENTRIES = 200_000;

export type StartPlaces = ReturnType<typeof createStartPlaces>;

/**
 * Knows the places below the writable ones of a script from which programs of the person start something by itself, such as
 * `.vscode/tasks.json`. Where the approval named settings themselves as writable, they are the script's.
 */
export function createStartPlaces(writable: readonly string[]) {
  let left = MOST_ENTRIES;

  const rootOf = (path: string) =>
    writable
      .filter((root) => `${path}/`.startsWith(`${root}/`))
      .reduce<string | undefined>((longest = '', root) => (root.length > longest.length ? root : longest), undefined);

  function isOne(path: string): boolean {
    const root = rootOf(path);
    return root !== undefined && root !== path && !holdsSettings(root) && startsByItself(path);
  }

  /** Only a link near a hidden name can complete such a place. */
  function isNearHidden(path: string): boolean {
    const names = path.slice(rootOf(path)?.length ?? 0).split('/');
    const near = names.slice(1 - LONGEST).map(comparablePath);
    return near.some((name) => name.startsWith('.') || name === 'library');
  }

  /** What lies at a path that is reached by `link`, by its real path, where programs take it for such a place. */
  async function behind(path: string, link: string, depth: number): Promise<string[]> {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || rootOf(real) === undefined) return [];
    if (isOne(link)) return [real];
    const facts = depth === 0 ? undefined : await stat(real).catch(() => undefined);
    if (facts?.isDirectory() !== true) return [];
    const found: string[] = [];
    for await (const { name } of await opendir(real).catch(() => [])) {
      left -= 1;
      if (left < 0) return [real];
      found.push(...(await behind(join(real, name), join(link, name), depth - 1)));
    }
    return found;
  }

  return {
    isOne,
    /** `.vscode` may be a link to a folder with a `tasks.json`. Answers the real paths within the writable places. */
    behindLink: (link: string) => (isNearHidden(link) ? behind(link, link, LONGEST - 1) : Promise.resolve([])),
  };
}
