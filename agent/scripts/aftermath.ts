import type { RenamedPlace } from '../../src/contract/scripts.ts';
import type { Overview } from './look-over.ts';
import { renameNewRepositories } from './repositories.ts';
import { createStartPlaces } from './start-places.ts';

const MOST_NAMED = 3;
/** A result must fit one frame of the link. */
const MOST_LISTED = 100;

/** Traces of a script that the person should know about, as data for the result and as sentences. */
export type Aftermath = { renamedByHandrail: RenamedPlace[]; sentences: string[] };

export const NOTHING_LEFT: Aftermath = { renamedByHandrail: [], sentences: [] };

type Traces = Pick<Overview, 'repositories' | 'hidden' | 'links'> & {
  named: ReadonlySet<string>;
  writable: readonly string[];
};

/** Makes the repositories and other places harmless from which programs start commands, if a script made them. Call it after all processes of the script have ended, even if they were killed. */
export async function clearUp(
  roots: readonly string[],
  { repositories, hidden, links, named, writable }: Traces,
): Promise<Aftermath> {
  const starts = createStartPlaces(writable);
  const places = { roots, before: repositories, hidden: new Set(hidden.map(({ path }) => path)), links, named, starts };
  const { renamed, isWhole } = await renameNewRepositories(places);
  const unseen =
    'It made so many files that Handrail could not look for new places that start commands in all of them.';
  return {
    renamedByHandrail: renamed.slice(0, MOST_LISTED),
    sentences: [...someOf(renamed.map(sentenceOf)), ...(isWhole ? [] : [unseen])],
  };
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
