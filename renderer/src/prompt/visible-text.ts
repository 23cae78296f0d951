export type TextPart = { kind: 'text' | 'escape'; text: string };

/** Control, format (bidirectional, zero-width), private and unassigned characters, line separators, blank fillers. */
const SHOWS_NOTHING = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** What the daemon writes in place of such a character. A doubled backslash is a backslash of the text itself. */
const ESCAPES = /((?:\\u\{[0-9a-f]{1,6}\})+)|\\\\|[^\\]+|\\/g;

/**
 * A text from outside, cut where characters that would show nothing are written as escapes. The daemon has escaped them
 * already; whatever it has missed is escaped here, so that nothing on the page can be invisible or turn the line around.
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

function escaped(text: string): string {
  return text.replace(SHOWS_NOTHING, (character) =>
    character === '\n' ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
