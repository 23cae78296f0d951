/** A piece of code. `name` holds a name with its dots, such as `os.path.join`. */
export type Token = { kind: 'name' | 'string' | 'mark'; text: string; line: number };

/** Groups: a long string, a string, a name. Without a group: blanks or a number. Groups without names take half the time. */
const PIECES =
  /[ \t\r]+|("""(?:[^"\\]|\\[\s\S]|"(?!""))*(?:"""|$)|'''(?:[^'\\]|\\[\s\S]|'(?!''))*(?:'''|$))|("(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|`(?:[^`\\]|\\[\s\S])*`?)|([\p{L}_$][\p{L}\p{N}_$]*(?:\??\.[\p{L}_$#][\p{L}\p{N}_$]*)*)|\d[\w.]*/uy;

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
    const first = source[at] ?? '';
    comment.lastIndex = at;
    const skipped = STARTS_COMMENT.includes(first) ? comment.exec(source)?.[0] : undefined;
    PIECES.lastIndex = at;
    const found = skipped === undefined && !ALONE.has(first) ? PIECES.exec(source) : null;
    const text = skipped ?? found?.[0] ?? String.fromCodePoint(source.codePointAt(at) ?? 0);
    const token = skipped === undefined ? tokenOf(text, { found, line }) : undefined;
    if (token !== undefined) tokens.push(token);
    line += newlinesIn(text);
    at += text.length;
  }
  return tokens;
}

const STARTS_COMMENT = '#/-(';

/** Marks that begin nothing longer, so that nothing has to be searched for. */
const ALONE: ReadonlySet<string> = new Set('\n()[]{}=,;:.+*<>!&|^%?@~-#/\\');
const BLANK = /^[ \t\r]/u;

function tokenOf(text: string, { found, line }: { found: RegExpExecArray | null; line: number }): Token | undefined {
  const [, long, string, name] = found ?? [];
  if (long !== undefined)
    return { kind: 'string', text: decodedString(long.slice(3).replace(/(?:"""|''')$/u, '')), line };
  if (string !== undefined)
    return { kind: 'string', text: decodedString(string.slice(1).replace(/["'`]$/u, '')), line };
  if (name !== undefined) return { kind: 'name', text: name.replaceAll('?.', '.'), line };
  return found !== null && BLANK.test(text) ? undefined : { kind: 'mark', text, line };
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
