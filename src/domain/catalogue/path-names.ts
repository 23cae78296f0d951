import type { Assessment } from './definition.ts';
import { pathWords, quoted } from './window-words.ts';

/** How a sentence names a path: by itself, the file at it, and as the place of something. */
export type PathNames = {
  path(path: string): string;
  /** “letter.md” in /home/ann/Reports */
  named(path: string): string;
  /** ` in /home/ann/Reports`, at the end of a sentence */
  place(path: string): string;
};

/** The sentence of an action on paths, whole and for a prompt that names their folder once for all its steps. */
export function sentenceOn(say: (names: PathNames) => string): Pick<Assessment, 'sentence' | 'sentenceIn'> {
  return { sentence: say(WHOLE), sentenceIn: (folder) => say(namesIn(folder)) };
}

const WHOLE: PathNames = { path: pathWords, named: namedAt, place: (path) => ` in ${pathWords(path)}` };

export function namedAt(path: string): string {
  const at = path.lastIndexOf('/');
  const name = path.slice(at + 1);
  return at < 0 || name === '' ? pathWords(path) : `${quoted(name)} in ${pathWords(path.slice(0, at) || '/')}`;
}

/** What does not lie in the folder keeps its whole path, which alone begins with a slash or `~`. So does a folder whose own name is `~`. */
function namesIn(folder: string): PathNames {
  const inside = (path: string) => {
    const rest = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : '';
    return rest === '' || /^[~/]/u.test(rest) ? path : rest;
  };
  return {
    path: (path) => pathWords(inside(path)),
    named: (path) => (inside(path).includes('/') ? namedAt(inside(path)) : quoted(inside(path))),
    place: (path) => (path === folder ? '' : ` in ${pathWords(inside(path))}`),
  };
}
