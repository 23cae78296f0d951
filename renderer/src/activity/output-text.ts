/** An output is shown to its end, folded to this; opened, to the larger figure. A million characters would hold up the page. */
const FOLDED = { lines: 12, characters: 2_000 };
const OPENED = { lines: Number.POSITIVE_INFINITY, characters: 100_000 };

export type ShownText = { text: string; isWhole: boolean };

/** The end of an output that is shown, and whether that is all of it. */
export function shownText(text: string, { isOpened }: { isOpened: boolean }): ShownText {
  const { lines, characters } = isOpened ? OPENED : FOLDED;
  const from = Math.max(startOfLastLines(text, lines), text.length - characters, 0);
  const start = isSecondHalf(text, from) ? from + 1 : from;
  return { text: text.slice(start), isWhole: start === 0 };
}

/** Where the last lines begin. A line break at the end ends the last line and begins none. */
function startOfLastLines(text: string, count: number): number {
  let at = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let lines = 0; lines < count; lines += 1) {
    at = at > 0 ? text.lastIndexOf('\n', at - 1) : -1;
    if (at === -1) return 0;
  }
  return at + 1;
}

/** Whether a cut here would part a character that takes two places. */
function isSecondHalf(text: string, at: number): boolean {
  return at > 0 && /[\udc00-\udfff]/.test(text.charAt(at));
}
