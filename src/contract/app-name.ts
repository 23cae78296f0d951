/**
 * Says why a text cannot be the name of an app ("is a path"), or returns `undefined`. Both ends of the link use this rule: a
 * text that may be more than a name (an option, a path, a URL, script syntax), or that may be confused with another name, is
 * refused and never looked up.
 */
export function appNameObjection(appName: string): string | undefined {
  return OBJECTIONS.find(({ applies }) => applies(appName))?.what; // guard A1-1
}

/** Whether two names say the same app, as far as names tell: case, spaces, and the ending of an id make no difference. */
export function isSameApp(one: string, other: string): boolean {
  return plainName(one) === plainName(other);
}

/** A name without the differences that do not tell apps apart. */
export function plainName(name: string): string {
  const folded = name.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();
  return folded.replace(/\.(?:desktop|app)$/u, '');
}

const OBJECTIONS: readonly { what: string; applies(name: string): boolean }[] = [
  { what: 'is empty', applies: (name) => name.trim() === '' },
  {
    what: 'holds characters that are not shown',
    applies: (name) => /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name),
  },
  { what: 'begins with "-" like an option', applies: (name) => /^\s*[-\u2010-\u2015\u2212]/u.test(name) },
  { what: 'is a path', applies: (name) => /[/\\~]|\.\./u.test(name) },
  { what: 'is a URL', applies: (name) => /^\s*[a-z][a-z0-9+.-]*:/iu.test(name) },
  {
    what: 'holds script syntax',
    applies: (name) => /[;|`$<>"*?{}[\]^]|&&|^\s*&|&\s*$|(?<!\p{L})'|'(?!\p{L})/u.test(name),
  },
  { what: 'mixes alphabets or uses look-alike letters', applies: isConfusable },
];

/** Scripts that one language writes together (Unicode UTS #39, "highly restrictive"). */
const WRITTEN_TOGETHER = [
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u,
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Bopomofo}]*$/u,
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hangul}]*$/u,
];

function isConfusable(name: string): boolean {
  const letters = name.match(/\p{L}/gu) ?? [];
  // Full-width, mathematical and similar forms of a letter read as the letter itself.
  if (letters.some((letter) => letter.normalize('NFKC') !== letter.normalize('NFC'))) return true;
  return !WRITTEN_TOGETHER.some((scripts) => scripts.test(name)) && !isOfOneScript(letters);
}

function isOfOneScript(letters: readonly string[]): boolean {
  const first = OTHER_SCRIPTS.find((script) => script.test(letters[0] ?? ''));
  return first !== undefined && letters.every((letter) => first.test(letter));
}

const OTHER_SCRIPTS = [
  /^\p{Script=Cyrillic}/u,
  /^\p{Script=Greek}/u,
  /^\p{Script=Arabic}/u,
  /^\p{Script=Hebrew}/u,
  /^\p{Script=Armenian}/u,
  /^\p{Script=Georgian}/u,
  /^\p{Script=Devanagari}/u,
  /^\p{Script=Bengali}/u,
  /^\p{Script=Tamil}/u,
  /^\p{Script=Telugu}/u,
  /^\p{Script=Thai}/u,
  /^\p{Script=Khmer}/u,
  /^\p{Script=Ethiopic}/u,
];
