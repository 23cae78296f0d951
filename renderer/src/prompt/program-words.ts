import type { ProgramProcess } from '../../../src/contract/program.ts';
import { PLAIN_PATH } from '../../../src/contract/unseen-characters.ts';
import { quotedText } from '../visible-text.ts';

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

/** A path or the name of a program in a line: in quotes where it could read on as words of Handrail. The name of an app may have blanks. */
export function inLine(text: string, { isName = false, shown = text } = {}): string {
  return PLAIN_PATH.test(isName ? text.replaceAll(' ', '') : text) ? shown : `“${quotedText(shown)}”`;
}

/** The parent of a program and the app or terminal that it all began in: `bash, from xterm`. */
export function parentWords(startedBy: readonly ProgramProcess[]): string {
  const [parent] = startedBy;
  const first = startedBy.at(-1);
  if (parent === undefined || first === undefined) return '';
  const name = ({ name: text }: ProgramProcess) => inLine(text, { isName: true });
  return first === parent ? name(parent) : `${name(parent)}, from ${name(first)}`;
}
