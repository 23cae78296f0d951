import { constants } from 'node:fs';
import { access, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startsByItself } from '../../src/contract/lasting-places.ts';
import type { RenamedPlace } from '../../src/contract/scripts.ts';
import { comparablePath, secretAt } from '../../src/contract/secret-paths.ts';
import type { Overview } from './look-over.ts';
import { clearNewPlaces, isRepositoryName, UNREADABLE } from './repositories.ts';
import { createStartPlaces, type StartPlaces } from './start-places.ts';

const MOST_NAMED = 3;
/** A result must fit one frame of the link. */
const MOST_LISTED = 100;

/** Traces of a script that the person should know about, as data for the result and as sentences. */
export type Aftermath = { renamedByHandrail: RenamedPlace[]; removedByHandrail: string[]; sentences: string[] };

export const NOTHING_LEFT: Aftermath = { renamedByHandrail: [], removedByHandrail: [], sentences: [] };

type Traces = Pick<Overview, 'repositories' | 'readOnly' | 'links'> & {
  /** The folders, and what is hidden in them. */
  roots: readonly string[];
  hidden: readonly string[];
  named: ReadonlySet<string>;
  /** All that the script may write. */
  writable: readonly string[];
};

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
function createWaysOut({ writable, closed, starts }: Reach) {
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
    if (!writable.some((root) => `${end}/`.startsWith(`${root}/`))) return !(await isOfSystem(end)); // guard F15-1
    // Nobody takes a link with the name of a secret for something else.
    return climbsBehindName(target) || (isClosed(end) && secretAt(link) === undefined); // guard F15-2
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

/**
 * Makes the repositories and other places harmless from which programs start commands, and removes links that lead out, if a script made
 * them. Call it after all processes of the script have ended, even if they were killed.
 */
export async function clearUp({
  repositories,
  readOnly,
  hidden,
  links,
  roots,
  named,
  writable,
}: Traces): Promise<Aftermath> {
  const starts = createStartPlaces(writable);
  const files = writable.filter((path) => !roots.includes(path));
  const isWayOut = createWaysOut({ writable, closed: [...hidden, ...readOnly], starts });
  const places = { roots, files, before: repositories, hidden: new Set(hidden), links, named, starts, isWayOut };
  const sweep = await clearNewPlaces(places);
  return {
    renamedByHandrail: [...sweep.renamed, ...sweep.respelled].slice(0, MOST_LISTED),
    removedByHandrail: sweep.removed.slice(0, MOST_LISTED),
    sentences: [
      ...someOf(sweep.renamed.map(sentenceOf)),
      ...someOf(sweep.removed.map((path) => `${path}, ${WAY_OUT}, was removed.`)),
      ...someOf(sweep.left.map((path) => `${path}, ${WAY_OUT}, could not be removed; remove it.`)),
      ...someOf(sweep.respelled.map(respellingOf)),
      ...(sweep.isWhole ? [] : [UNSEEN]),
    ],
  };
}

const WAY_OUT = 'a link that it made to a place that it may not write';
const UNSEEN =
  'It made so many files that Handrail could not look for new places that start commands, and links that lead out, in all of them.';

function respellingOf({ from, to }: RenamedPlace): string {
  if (to === undefined)
    return `${from}, which it made, has a name that is no text, and could not be renamed; remove it.`;
  return `It made a link or folder with a name that is no text: ${from} is now ${to}.`;
}

function sentenceOf({ from, to }: RenamedPlace): string {
  if (to === undefined)
    return `${from} is a place from which other programs run commands, which it made and which could not be renamed; remove it.`;
  return `It made a place from which other programs run commands: ${from} is now ${to}.`;
}

/** The hidden places that were found under another name after a script. */
export function movedSecrets(before: Overview, after: Overview): string[] {
  const former = new Map([...before.hiddenMarks].map(([path, mark]) => [mark, path]));
  const moved = [...after.hiddenMarks].flatMap(([path, mark]) => {
    const from = former.get(mark);
    return from === undefined ? [] : `${from} was hidden from it and has the name ${path} now; it stays secret.`;
  });
  return someOf(moved);
}

function someOf(sentences: readonly string[]): string[] {
  const rest = sentences.length - MOST_NAMED;
  return [...sentences.slice(0, MOST_NAMED), ...(rest > 0 ? [`There are ${rest} more of this kind.`] : [])];
}
