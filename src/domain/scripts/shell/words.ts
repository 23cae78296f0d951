/** A word of a command, with its quotes removed and known variables filled in. */
export type Word = {
  text: string;
  /** It begins with a plain character: a quoted one is never an option, a keyword or the start of a comment. */
  isPlain: boolean;
  /** A part of it is known only when the script runs. */
  isComputed: boolean;
};

const LONGEST_VALUE = 1_000;
const MOST_VALUES = 500;
/** Characters that values add to the script in all. Beyond them a variable stays as it is written. */
const MOST_FILLED_IN = 65_536;

/** The variables with values that the text of the script tells. */
export type Variables = {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
};

/** Variables as they stand before the first line. The home folder is shown as `~`, as in the rest of a prompt. */
export function createVariables(): Variables {
  const values = new Map([
    ['HOME', '~'],
    ['IFS', ' '],
  ]);
  let left = MOST_FILLED_IN;
  return {
    get(name) {
      const value = values.get(name);
      left -= value?.length ?? 0;
      return left < 0 ? undefined : value;
    },
    set(name, value) {
      if (values.has(name) || values.size < MOST_VALUES) values.set(name, value.slice(0, LONGEST_VALUE));
    },
  };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '', b: '', e: '', f: '', v: '' };

/** The text of `$'…'`: escapes such as `\x72` and `\162` become their characters. */
export function decodeEscapes(text: string): string {
  return text
    .replace(/\\(?:x([0-9a-fA-F]{1,2})|[uU]([0-9a-fA-F]{1,8}))/gu, (_whole, byte: string | undefined, code: string) =>
      characterOf(Number.parseInt(byte ?? code, 16)),
    )
    .replace(/\\0?([0-7]{1,3})/gu, (_whole, code: string) => characterOf(Number.parseInt(code, 8)))
    .replace(/\\([\s\S])/gu, (_whole, other: string) => ESCAPES[other] ?? other);
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

type Redirect = { operator: string; target: Word };

/** One simple command: `rm -f a > b`. */
export type Command = {
  words: Word[];
  redirects: Redirect[];
  /** The text of its here-documents and here-strings, which is its standard input. */
  input: string;
  line: number;
  isInLoop: boolean;
  /** It ended with `&`. */
  isInBackground: boolean;
};

/** Commands that are joined by `|`, in their order. */
export type Pipeline = Command[];

export function createCommand(line: number): Command {
  return { words: [], redirects: [], input: '', line, isInLoop: false, isInBackground: false };
}
