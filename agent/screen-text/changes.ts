import type { Line } from './screen-text.ts';

/** The lines that went and came, each below the window that it is in; empty where nothing changed. */
export function changedLines(before: readonly Line[], now: readonly Line[]): Line[] {
  return [...marked('-', before, countsOf(now)), ...marked('+', now, countsOf(before))];
}

type Placed = { line: Line; place: string; key: string };

function marked(mark: '-' | '+', lines: readonly Line[], others: Map<string, number>): Line[] {
  const found: Line[] = [];
  let shownPlace = '';
  for (const { line, place, key } of placed(lines)) {
    const left = others.get(key) ?? 0;
    others.set(key, left - 1);
    if (left > 0) continue;
    if (line.depth > 0 && place !== shownPlace) found.push({ depth: 0, text: `in ${place}` });
    shownPlace = place;
    found.push({ depth: 0, text: `${mark} ${line.text}` });
  }
  return found;
}

/** Each line with the line of its window. The same line in two windows is two lines. */
function placed(lines: readonly Line[]): Placed[] {
  let place = '';
  return lines.map((line) => {
    if (line.depth === 0) place = line.text;
    return { line, place, key: `${line.depth === 0 ? '' : place}\n${line.text}` };
  });
}

function countsOf(lines: readonly Line[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of placed(lines)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
