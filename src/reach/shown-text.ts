const LONGEST = 200;
const SHOWS_NOTHING = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A text outside of the page: characters that control, show nothing or turn a line around become escapes; a long text is cut. */
export function shownText(text: string): string {
  const characters = [...text.slice(0, 2 * LONGEST + 2)];
  const cut = characters.length > LONGEST ? [...characters.slice(0, LONGEST), '…'] : characters;
  return cut.map((character) => (SHOWS_NOTHING.test(character) ? escapeOf(character) : character)).join('');
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
