export type TextPart = { kind: 'text' | 'escape'; text: string };

/** Control, format (bidirectional, zero-width), private and unassigned characters, line separators, blank fillers. */
const SHOWS_NOTHING = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

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

/** The same characters, where nobody has escaped them before; line breaks and tabs of an output are part of its form. */
const NO_FORM = /([[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]--[\n\t]]+)/v;

/** The output of a program or the text of a file, cut into the same parts. An escape that it spells itself is plain text. */
export function outputParts(text: string): TextPart[] {
  return text.split(NO_FORM).flatMap((piece, index): TextPart[] => {
    if (piece === '') return [];
    return index % 2 === 1
      ? [{ kind: 'escape', text: [...piece].map(escapeOf).join('') }]
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
  return text.replace(SHOWS_NOTHING, (character) => (character === '\n' ? character : escapeOf(character)));
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
