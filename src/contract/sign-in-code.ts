/** No two of these look alike: there is no 0, O, 1, I, L or U, and of 2 and Z, 5 and S, 8 and B only the digit. */
export const SIGN_IN_ALPHABET = '23456789ACDEFGHJKMNPQRTVWXY';

/** How many characters of the alphabet a sign-in code has. */
export const SIGN_IN_CODE_LENGTH = 8;

/** Letters that are easily taken for a character of the alphabet, and that character. */
const READ_AS: Record<string, string> = { Z: '2', S: '5', B: '8', U: 'V' };

/** Spaces and every kind of dash, as they are typed or come with a paste. */
const SEPARATORS = /[\s\p{Pd}\u2212]+/gu;

/**
 * Reads a sign-in code as a person types or pastes it: in either case, with or without the dash or spaces, or as the whole line
 * `code XXXX-XXXX`. Answers with the form `XXXX-XXXX`, or an empty string when the text is no code.
 */
export function readSignInCode(text: string): string {
  const joined = text.replace(SEPARATORS, '').toUpperCase();
  const typed = joined.length === SIGN_IN_CODE_LENGTH + 4 ? joined.replace(/^CODE/, '') : joined;
  const characters = [...typed].map((character) => READ_AS[character] ?? character);
  const isCode =
    characters.length === SIGN_IN_CODE_LENGTH && characters.every((character) => SIGN_IN_ALPHABET.includes(character));
  return isCode ? `${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}` : '';
}
