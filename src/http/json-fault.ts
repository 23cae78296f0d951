/**
 * The place where the JSON parser stopped, without a character of the body: `line 2, column 5`. Lines and columns count from
 * 1.
 */
export function placeOfFault(text: string, error: SyntaxError): string {
  const [, told] = /at position (\d+) \(line \d+ column \d+\)$/.exec(error.message) ?? [];
  const position = told === undefined ? valueMissingAt(text) : Number(told);
  const before = text.slice(0, position).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return position < text.length ? place : `${place}, where it ends`;
}

const BLANK = /[ \t\r\n]*/y;
const TOKEN = /"(?:[^"\\]|\\.)*"|[-\d][\d.eE+-]*|true|false|null|[[\]{}:,]/y;
const BEFORE_VALUES: readonly (string | undefined)[] = [undefined, '[', ',', ':'];
const NO_VALUES: readonly string[] = [']', '}', ',', ':'];

/** The parser tells no position where it expected a value and something else came; all before that is well formed. */
function valueMissingAt(text: string): number {
  let position = 0;
  let last: string | undefined;
  while (position < text.length) {
    position += matchAt(BLANK, text, position)?.length ?? 0;
    const token = matchAt(TOKEN, text, position);
    const isMisplaced = token !== undefined && BEFORE_VALUES.includes(last) && NO_VALUES.includes(token);
    if (token === undefined || (isMisplaced && !(last === '[' && token === ']'))) return position;
    position += token.length;
    last = token;
  }
  return position;
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}
