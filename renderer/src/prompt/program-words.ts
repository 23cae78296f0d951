import type { ProgramProcess } from '../../../src/contract/program.ts';

const MOST_CHARACTERS = 48;
const BEGINNING = 16;

/** A path in a line. A long one keeps its beginning and its end, which has the name of the file. It is cut at slashes, where that is possible. */
export function shortPath(path: string): string {
  const characters = [...path];
  if (characters.length <= MOST_CHARACTERS) return path;
  const beginning = characters.slice(0, BEGINNING).join('');
  const end = characters.slice(BEGINNING + 1 - MOST_CHARACTERS).join('');
  const folders = beginning.slice(0, beginning.lastIndexOf('/') + 1);
  const slash = end.indexOf('/');
  return `${folders === '' ? beginning : folders}…${slash < 0 ? end : end.slice(slash)}`;
}

/** The parent of a program and the app or terminal that it all began in: `bash, from xterm`. */
export function parentWords(startedBy: readonly ProgramProcess[]): string {
  const [parent] = startedBy;
  const first = startedBy.at(-1);
  if (parent === undefined || first === undefined) return '';
  return first === parent ? parent.name : `${parent.name}, from ${first.name}`;
}
