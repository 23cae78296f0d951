import type { Prompt } from '../../../src/contract/console.ts';

/** How the daemon begins the part of a sentence that tells of the dangers in a script or a file. */
const NOTICED = '. Handrail noticed: ';

/** The sentence of a prompt as its title and the dangers noticed in its script or file. Nothing of the sentence is left out. */
export function headlineParts({ sentence, script, contents }: Pick<Prompt, 'sentence' | 'script' | 'contents'>): {
  title: string;
  noticed: string;
} {
  const dangers = (script ?? contents)?.noticed ?? [];
  const at = dangers.length === 0 ? -1 : sentence.lastIndexOf(NOTICED);
  if (at === -1) return { title: sentence, noticed: '' };
  return { title: sentence.slice(0, at + 1), noticed: sentence.slice(at + 1) };
}
