/** A piece of code. `name` holds a name with its dots, such as `os.path.join`. */
export type Token = { kind: 'name' | 'string' | 'mark'; text: string; line: number };

const PIECES =
  /(?<space>[ \t\r]+)|(?<newline>\n)|(?<long>"""(?:[^"\\]|\\[\s\S]|"(?!""))*(?:"""|$)|'''(?:[^'\\]|\\[\s\S]|'(?!''))*(?:'''|$))|(?<string>"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|`(?:[^`\\]|\\[\s\S])*`?)|(?<name>[\p{L}_$][\p{L}\p{N}_$]*(?:\??\.[\p{L}_$#][\p{L}\p{N}_$]*)*)|(?<number>\d[\w.]*)|(?<mark>[\s\S])/uy;

/** How a language writes comments. */
export type Comments = 'hash' | 'slashes' | 'dashes';

const COMMENTS: Readonly<Record<Comments, RegExp>> = {
  hash: /#[^\n]*/uy,
  slashes: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/uy,
  dashes: /(?:--|#)[^\n]*|\(\*[\s\S]*?(?:\*\)|$)/uy,
};

/** Reads code once, from its first to its last character, into names, strings and marks. Any text has tokens. */
export function readTokens(
  source: string,
  { line: firstLine, comments }: { line: number; comments: Comments },
): Token[] {
  const tokens: Token[] = [];
  const comment = COMMENTS[comments];
  let line = firstLine;
  for (let at = 0; at < source.length; ) {
    comment.lastIndex = at;
    const skipped = comment.exec(source)?.[0];
    PIECES.lastIndex = at;
    const found = skipped === undefined ? PIECES.exec(source) : null;
    const text = skipped ?? found?.[0] ?? source[at] ?? '';
    const { long, string, name, number, newline, mark } = found?.groups ?? {};
    if (long !== undefined)
      tokens.push({ kind: 'string', text: decodedString(long.slice(3).replace(/(?:"""|''')$/u, '')), line });
    else if (string !== undefined)
      tokens.push({ kind: 'string', text: decodedString(string.slice(1).replace(/["'`]$/u, '')), line });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.replaceAll('?.', '.'), line });
    else if (number !== undefined || mark !== undefined || newline !== undefined)
      tokens.push({ kind: 'mark', text, line });
    line += newlinesIn(text);
    at += Math.max(1, text.length);
  }
  return tokens;
}

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The escapes that can hide a path or a command. */
function decodedString(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/gu,
    (_whole, hex: string | undefined, code: string | undefined, other: string | undefined) => {
      const number = hex ?? code;
      if (number !== undefined) return String.fromCharCode(Number.parseInt(number, 16));
      return other === 'n' ? '\n' : other === 't' ? '\t' : (other ?? '');
    },
  );
}
