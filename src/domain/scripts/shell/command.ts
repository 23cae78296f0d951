import type { Word } from './words.ts';

export type Redirect = { operator: string; target: Word };

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
