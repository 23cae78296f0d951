import { QUOTATION_MARKS, spelledOut, UNSEEN, UNSEEN_IN_LINES } from '../../src/contract/unseen-characters.ts';

export type TextPart = { kind: 'text' | 'escape'; text: string };

/** The daemon's escapes for such characters. A doubled backslash is a backslash of the text itself. */
const ESCAPES = /((?:\\u\{[0-9a-f]{1,6}\})+)|\\\\|[^\\]+|\\/g;

/**
 * A text from outside, cut into plain parts and escapes of invisible characters. The daemon has already escaped them; a
 * character that it missed is escaped here, so that nothing on the page can be invisible or reverse the line.
 */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  for (const [piece, ofDaemon] of escaped(text).matchAll(ESCAPES)) {
    const kind = ofDaemon === undefined ? 'text' : 'escape';
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += piece;
    else parts.push({ kind, text: piece });
  }
  return parts;
}

/** The same for a text that stands in quotes. No mark in it can seem to end them. */
export function quotedText(text: string): string {
  return text.replace(QUOTATION_MARKS, spelledOut);
}

/** Runs of such characters, where nobody has escaped them before. */
const RUNS_UNSEEN = new RegExp(`((?:${UNSEEN_IN_LINES.source})+)`, 'v');

/** The output of a program or the text of a file, cut into the same parts. An escape that it spells itself is plain text. */
export function outputParts(text: string): TextPart[] {
  return text.split(RUNS_UNSEEN).flatMap((piece, index): TextPart[] => {
    if (piece === '') return [];
    return index % 2 === 1
      ? [{ kind: 'escape', text: [...piece].map(spelledOut).join('') }]
      : [{ kind: 'text', text: piece }];
  });
}

/** The same as one text, for places that hold no elements: names of buttons, options of a list. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => part.text)
    .join('');
}

function escaped(text: string): string {
  return text.replace(UNSEEN, (character) => (character === '\n' ? character : spelledOut(character)));
}
