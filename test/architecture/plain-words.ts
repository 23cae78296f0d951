/** A piece of text that a person reads: a comment, a string of several words, the text of a page or a document. */
export type Prose = { line: number; text: string };

export type Riddle = { line: number; sentence: string };

/** Sentences of fewer words say too little to be a riddle. */
const FEWEST_WORDS = 4;

const PRONOUN = '(?:what|whatever|whoever|those (?:that|who|which)|that which)';
const BEFORE_A_CLAUSE =
  '(?:of|for|from|to|that|and|or|by|with|on|in|at|is|are|was|were|be|does|than|about|beside|besides|against|but|so|as)';

const RIDDLES: readonly RegExp[] = [
  // A clause with a pronoun where a noun exists: “of what it is told”.
  new RegExp(`(?:^|[,;:(–—]\\s*|\\b${BEFORE_A_CLAUSE}\\s+)${PRONOUN}\\b(?!.*\\?$)`),
  // A statement that opens with such a clause, or turns the sentence round: “Of a Wait its duration”.
  /^(?:What|Whatever|Whoever|Those|That which|Of)\b(?!.*\?$)/,
  /\b(?:not|no|never|nothing|nobody)\b[^.]*\bany more\b/,
  /\bcom(?:e|es|ing) alive\b/,
  // An approval or a denial has a name. “a yes or no” is a common phrase.
  /\ba (?:yes|no)\b(?! or\b|-)/,
];

export function isRiddle(sentence: string): boolean {
  return RIDDLES.some((riddle) => riddle.test(sentence));
}

/** Sentences end with `.`, `!`, `?` or `;`. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?;])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(' ').length >= FEWEST_WORDS);
}

export function proseOf({ file, source }: { file: string; source: string }): Prose[] {
  if (file.endsWith('.md')) return paragraphsOf(source);
  return file.endsWith('.tsx') ? [...proseOfCode(source), ...textsOfElements(source)] : proseOfCode(source);
}

/** Paragraphs, headings, list items and table cells. Blocks of code and code between backticks are left out. */
function paragraphsOf(source: string): Prose[] {
  const withoutCode = source.replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/[^\n]/g, ''));
  const prose: Prose[] = [];
  let isOpen = false;
  for (const [index, line] of withoutCode.split('\n').entries()) {
    const last = prose.at(-1);
    const text = line.replace(/`[^`]*`/g, '`code`').trim();
    if (text.startsWith('|')) prose.push(...cellsOf({ line: index + 1, text }));
    else if (isOpen && last !== undefined && !/^(?:[-*#>]|\d+\.)\s/.test(text)) last.text += ` ${text}`;
    else if (text !== '') prose.push({ line: index + 1, text: text.replace(/^(?:[-*#>]+|\d+\.)\s+/, '') });
    isOpen = text !== '' && !/^[|#]/.test(text);
  }
  return prose.map(({ line, text }) => ({ line, text: text.trim() }));
}

function cellsOf({ line, text }: Prose): Prose[] {
  return text.split('|').map((cell) => ({ line, text: cell.trim() }));
}

/** The words between two tags, such as `<p>No requests waiting</p>`. */
function textsOfElements(source: string): Prose[] {
  return [...source.matchAll(/>([^<>{}=;]{15,})[<{]/g)]
    .map(({ index, 1: text = '' }) => ({ line: lineAt(source, index), text: text.replace(/\s+/g, ' ').trim() }))
    .filter(({ text }) => isProse(text));
}

const TOKEN = new RegExp(
  [
    /(?<block>\/\*[\s\S]*?\*\/)/,
    // Comments on lines of their own that follow each other are one text.
    /(?<lines>\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)/,
    /(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)/,
    // A regular expression stands where a value may begin. It may hold quotes and slashes.
    /(?<=[(,=:[!&|?{};>]\s*|\breturn\s+|^\s*)\/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/,
  ]
    .map((part) => part.source)
    .join('|'),
  'g',
);

function proseOfCode(source: string): Prose[] {
  return [...source.matchAll(TOKEN)]
    .map(({ index, groups }) => ({ line: lineAt(source, index), text: plainTextOf(groups ?? {}) }))
    .filter(({ text }) => isProse(text));
}

function plainTextOf({ block, lines, string }: Record<string, string | undefined>): string {
  const text =
    block?.slice(2, -2).replace(/^\s*\*+ ?/gm, ' ') ??
    lines?.replace(/^\s*\/\/ ?/gm, ' ') ??
    string?.slice(1, -1).replace(/\\(['"`])/g, '$1') ??
    '';
  return text.replace(/\s+/g, ' ').trim();
}

/** Three words of letters after each other; an import path or a class list has none. */
function isProse(text: string): boolean {
  return /\p{L}[,;:]? \p{L}+[,;:]? \p{L}/u.test(text);
}

function lineAt(source: string, index: number): number {
  return source.slice(0, index).split('\n').length;
}
