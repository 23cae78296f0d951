import type { Prompt } from '../../../src/contract/console.ts';

/** In the widest window, the box of a text first shows so many rows of so many characters. */
const ROWS = 7;
const CHARACTERS = 80;
/** A person cannot take in more words at a glance. */
const MOST_WORDS = 42;

/** Whether a text is prose rather than short lines, so that the first layer shows fewer rows of it. */
export function isDense({ script, contents }: Pick<Prompt, 'script' | 'contents'>): boolean {
  const text = (script ?? contents)?.text ?? '';
  const shown: string[] = [];
  let rows = 0;
  for (const line of text.slice(0, ROWS * CHARACTERS).split('\n')) {
    if (rows >= ROWS) break;
    shown.push(line.slice(0, (ROWS - rows) * CHARACTERS));
    rows += Math.max(1, Math.ceil(line.length / CHARACTERS));
  }
  return shown.join(' ').split(/\s+/u).filter(Boolean).length > MOST_WORDS;
}
