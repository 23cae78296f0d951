import type { TypeTextWish } from '../input.ts';

/** Characters that no field takes as they are, or that would do more than type. */
export function unwantedCharacter({ text, newline = false, tab = false }: TypeTextWish): string | undefined {
  if (!text.isWellFormed()) return 'Expected a well-formed text; it holds half of a character.';
  const found = /[\p{Cc}\u2028\u2029]/gu;
  for (const [character] of text.matchAll(found)) {
    if (character === '\n' && newline) continue;
    if (character === '\t' && tab) continue;
    const name = character === '\n' ? 'a line break' : character === '\t' ? 'a tab' : 'a control character';
    return `Expected a text without ${name}; ask for it by its own parameter, if there is one.`;
  }
  return undefined;
}
