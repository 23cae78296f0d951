import type { ContentsView } from '../../../contract/scripts.ts';
import { quoted } from '../window-words.ts';

/** A sentence has no room for more of a text; a prompt shows all of it. */
const LONGEST_IN_A_SENTENCE = 60;

/** A text as a sentence names it: whole, or by the beginning of its first line. */
export function textWords(text: string): string {
  const characters = charactersIn(text);
  if (characters <= LONGEST_IN_A_SENTENCE && !text.includes('\n')) return quoted(text);
  // A character takes two places at most.
  const beginning = Array.from(text.slice(0, 2 * LONGEST_IN_A_SENTENCE)).slice(0, LONGEST_IN_A_SENTENCE - 1);
  const [firstLine = ''] = beginning.join('').split('\n');
  return `${quoted(`${firstLine}…`)} (${characters} characters)`;
}

/** Characters as a person counts most of them: by code points. */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** The whole text for the prompt, where the sentence does not say all of it or would not show its lines. */
export function textView(text: string): { contents?: ContentsView } {
  if (isInSentence(text)) return {};
  const whole = { isWhole: true, isText: true, noticed: [], noticedCut: false };
  return { contents: { source: 'text', text, sizeBytes: Buffer.byteLength(text), ...whole } };
}

function isInSentence(text: string): boolean {
  return !text.includes('\n') && text.length <= LONGEST_IN_A_SENTENCE;
}
