const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const SPACE = 0x20;

type Limits = { members: number; levels: number };

/**
 * Which limit a JSON text exceeds, if one: on the members of objects and items of arrays, counted together, or on the levels of
 * nesting. It reads the bytes once and builds nothing, so that a body can be refused for less than its parsing costs. A text that
 * is not JSON gets any answer.
 */
export function excessIn(body: Uint8Array, most: Limits): keyof Limits | undefined {
  let members = 0;
  let levels = 0;
  let hasJustBegun = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    // The control characters below the space are blanks in JSON, or no JSON.
    if (byte <= SPACE) continue;
    if (byte === QUOTE) at = endOfString(body, at);
    if (byte === COMMA || (hasJustBegun && !isClosing(byte))) members += 1;
    hasJustBegun = isOpening(byte);
    levels += levelChange(byte);
    if (levels > most.levels) return 'levels';
    if (members > most.members) return 'members';
  }
  return undefined;
}

function levelChange(byte: number): number {
  if (isOpening(byte)) return 1;
  return isClosing(byte) ? -1 : 0;
}

function isOpening(byte: number): boolean {
  return byte === 0x5b || byte === 0x7b;
}

function isClosing(byte: number): boolean {
  return byte === 0x5d || byte === 0x7d;
}

/** Where the string that begins at `from` has its closing quote, or the end of the text. */
function endOfString(body: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}
