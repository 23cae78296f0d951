import type { Surroundings } from './surroundings.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
type Place = Surroundings['output'];

const CODES: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

/** Colours a text where the place is a terminal, unless the person wants none (`NO_COLOR`). */
export function styled(place: Place, environment: NodeJS.ProcessEnv): (style: Style, text: string) => string {
  const isColoured = place.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
  return (style, text) => {
    const [on, off] = CODES[style];
    return isColoured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
}

/**
 * Makes a text of another program safe to print. Control characters, which could rewrite the terminal, become escapes, and so do
 * characters that turn the direction of a line.
 */
export function printable(text: string): string {
  return text.replace(/(?![\n\t\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** The same in one line. */
export function printableLine(text: string): string {
  return printable(text.replace(/[\n\t]+/g, ' '));
}

/** A line on a terminal that is written over as it changes. Elsewhere nothing is written. */
export function statusLine(place: Place): { show(text: string): void; clear(): void } {
  const isTerminal = place.isTTY === true;
  let isShown = false;
  const clear = () => {
    if (isShown) place.write('\r\u001b[K');
    isShown = false;
  };
  return {
    show(text) {
      if (!isTerminal) return;
      // A terminal that does not know its width says 0.
      const width = (place.columns || 80) - 1;
      place.write(`\r\u001b[K${text.slice(0, width)}`);
      isShown = true;
    },
    clear,
  };
}

/** Minutes and seconds, such as `0:47`. */
export function minutes(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
