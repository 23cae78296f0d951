import type { InputEvent } from './events.ts';
import { chordEvents, namedStroke } from './virtual-keys.ts';

/** An event drops what is beyond so many UTF-16 units. */
const MOST_UNITS = 20;

/** One piece for each character as a person sees it; one that is too long is cut between code points. */
export function piecesOf(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text);
  return [...segments].flatMap(({ segment }) => (segment.length <= MOST_UNITS ? [segment] : cut(segment)));
}

/** Line breaks and tabs are keys: many apps drop them from the characters of an event. */
export function eventsOf(piece: string): InputEvent[] {
  const key = piece === '\n' ? namedStroke('enter') : piece === '\t' ? namedStroke('tab') : undefined;
  return key === undefined ? [{ kind: 'text', text: piece }] : chordEvents([], key).flat();
}

function cut(segment: string): string[] {
  const pieces = [''];
  for (const character of segment) {
    const last = pieces.length - 1;
    const piece = `${pieces[last]}${character}`;
    if (piece.length <= MOST_UNITS) pieces[last] = piece;
    else pieces.push(character);
  }
  return pieces;
}
