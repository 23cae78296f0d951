import { constants } from 'node:fs';
import { access, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startsByItself } from '../../src/contract/lasting-places.ts';
import { comparablePath, secretAt } from '../../src/contract/secret-paths.ts';
import { isRepositoryName, UNREADABLE } from './repositories.ts';
import type { StartPlaces } from './start-places.ts';

/** Systems follow no more links on one path. */
const MOST_FOLLOWED = 40;

/** Programs and libraries that scripts may read, too. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib\w*|System\/Library|Library\/Developer\/CommandLineTools|opt\/homebrew)(?:\/|$)/u;

/** What lies there depends on who looks. */
const LIVING = /^\/(?:proc|sys|dev)(?:\/|$)/u;

/** `closed`: places within the writable ones that the script may not write. */
type Reach = { writable: readonly string[]; closed: Iterable<string>; starts: StartPlaces };

/**
 * Knows the links that lead where a script itself may not go. Another program of the person follows them without asking. Such a link
 * may lead only to what the script may write, and to programs of the system that nobody may change.
 */
export function createWaysOut({ writable, closed, starts }: Reach) {
  const shut = [...closed].map((path) => `${comparablePath(path)}/`);

  function isClosed(path: string): boolean {
    const name = `${comparablePath(path)}/`;
    const isShut = shut.some((place) => name.startsWith(place));
    return isShut || secretAt(path) !== undefined || starts.isOne(path) || path.split('/').some(isRepositoryName);
  }

  /** `target` is what the link says. Its folder must be a real path. */
  return async (link: string, target: string): Promise<boolean> => {
    const end = await endOf(dirname(link), target);
    if (end === undefined) return false;
    if (end.includes(UNREADABLE)) return true;
    if (!writable.some((root) => `${end}/`.startsWith(`${root}/`))) return !(await isOfSystem(end));
    // Nobody takes a link with the name of a secret for something else.
    return climbsBehindName(target) || (isClosed(end) && secretAt(link) === undefined);
  };
}

async function isOfSystem(path: string): Promise<boolean> {
  if (!SYSTEM.test(path) || secretAt(path) !== undefined || startsByItself(path)) return false;
  const isThere = await can(path, constants.F_OK);
  // Root may write everywhere, with or without a link.
  return isThere && (process.geteuid?.() === 0 || !(await can(path, constants.W_OK)));
}

function can(path: string, right: number): Promise<boolean> {
  return access(path, right).then(
    () => true,
    () => false,
  );
}

/** Where `a/b/../x` leads depends on what is at `a/b` later. */
function climbsBehindName(target: string): boolean {
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  const first = names.findIndex((name) => name !== '..');
  return first >= 0 && names.includes('..', first);
}

/** Follows every link from a real folder on. What is not there counts as a plain name. Undefined where links lead round in a circle. */
async function endOf(folder: string, target: string): Promise<string | undefined> {
  const names = target.split('/').toReversed();
  let end = target.startsWith('/') ? '/' : folder;
  let followed = 1;
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const path = join(end, name);
    if (LIVING.test(path)) return path;
    const next = ['', '.', '..'].includes(name) ? undefined : await readlink(path).catch(() => undefined);
    if (next === undefined) end = path;
    else {
      followed += 1;
      if (followed > MOST_FOLLOWED) return undefined;
      names.push(...next.split('/').toReversed());
      if (next.startsWith('/')) end = '/';
    }
  }
  return end;
}
