import type { Command } from './command.ts';

type Expected = { command: Command; word: string; isIndented: boolean };
/** `lines`: how many line ends the text and its last line have; the script can end without one. */
type Found = { command: Command; text: string; isQuoted: boolean; lines: number };

export type HereDocuments = ReturnType<typeof createHereDocuments>;

/** The here-documents that a line announces with `<<WORD`, whose texts begin on the next line. */
export function createHereDocuments() {
  let expected: Expected[] = [];
  return {
    isEmpty: () => expected.length === 0,
    expect: (one: Expected): void => void expected.push(one),
    /** The texts from a place on, one after the other. One without its end takes the rest of the script. */
    read(source: string, from: number): { end: number; found: Found[] } {
      let end = from;
      const found = expected.map(({ command, word, isIndented }): Found => {
        const delimiter = word.replace(/['"\\]/gu, '');
        const body = readBody(source, { from: end, delimiter, isIndented });
        end = body.end;
        return { command, text: body.text, isQuoted: delimiter !== word, lines: body.lines };
      });
      expected = [];
      return { end, found };
    },
  };
}

function readBody(
  source: string,
  { from, delimiter, isIndented }: { from: number; delimiter: string; isIndented: boolean },
) {
  let at = from;
  let lines = 0;
  while (at < source.length) {
    const found = source.indexOf('\n', at);
    const end = found < 0 ? source.length : found;
    if (found >= 0) lines += 1;
    const isEnd = isIndented ? isEndAfterTabs(source, at, end, delimiter) : isEndAt(source, at, end, delimiter);
    if (isEnd) return { text: source.slice(from, at), end: Math.min(end + 1, source.length), lines };
    at = end + 1;
  }
  return { text: source.slice(from), end: source.length, lines };
}

function isEndAt(source: string, from: number, to: number, delimiter: string): boolean {
  return to - from === delimiter.length && source.startsWith(delimiter, from);
}

function isEndAfterTabs(source: string, from: number, to: number, delimiter: string): boolean {
  let start = from;
  while (source[start] === '\t') start += 1;
  return isEndAt(source, start, to, delimiter);
}
