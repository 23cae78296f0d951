import type { RenamedPlace } from '../../src/contract/scripts.ts';
import type { Overview } from './look-over.ts';
import { clearNewPlaces } from './repositories.ts';
import { createStartPlaces } from './start-places.ts';
import { createWaysOut } from './ways-out.ts';

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
