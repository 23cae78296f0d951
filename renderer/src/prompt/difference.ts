import { diffArrays } from 'diff';

/** A line of a text that changes. `number`: its place in the new text. */
export type DifferenceRow =
  | { kind: 'added' | 'same'; text: string; number: number }
  | { kind: 'removed'; text: string; number: undefined }
  | { kind: 'skipped'; count: number; number: undefined };

/** Lines around a change that are shown with it. */
const CONTEXT = 2;
/** Beyond this the texts have little in common, and comparing them takes long. */
const MOST_EDITS = 600;
const MOST_MS = 150;

/**
 * The lines by which two texts differ, with a few lines around each. `kept`: places in the new text that are shown in any case.
 * Nothing where the texts differ too much to be compared in a moment.
 */
export function differenceOf(
  former: string,
  text: string,
  kept: ReadonlySet<number>,
): readonly DifferenceRow[] | undefined {
  const limits = { maxEditLength: MOST_EDITS, timeout: MOST_MS };
  const [before, after] = linesOf(former, text);
  const changes = diffArrays(before, after, limits);
  if (changes === undefined) return undefined;
  let number = 0;
  const rows = changes.flatMap(({ value, added, removed }) =>
    value.map((line): DifferenceRow => {
      if (removed) return { kind: 'removed', text: line, number: undefined };
      number += 1;
      return { kind: added ? 'added' : 'same', text: line, number };
    }),
  );
  return folded(rows, kept);
}

/** A break at the end of both texts begins no other line. One at the end of only one of them is a line of its own, since it is a change. */
function linesOf(...texts: [string, string]): [string[], string[]] {
  const isBroken = texts.every((text) => text === '' || text.endsWith('\n'));
  const lines = (text: string) => (text === '' ? [] : (isBroken ? text.slice(0, -1) : text).split('\n'));
  return [lines(texts[0]), lines(texts[1])];
}

/** The rows without those that are far from any change. */
function folded(rows: readonly DifferenceRow[], kept: ReadonlySet<number>): DifferenceRow[] {
  const isShown = shownRows(rows, kept);
  const result: DifferenceRow[] = [];
  for (const [index, row] of rows.entries()) {
    const last = result.at(-1);
    if (isShown[index] === true) result.push(row);
    else if (last?.kind === 'skipped') last.count += 1;
    else result.push({ kind: 'skipped', count: 1, number: undefined });
  }
  return result;
}

/** Whether each row is shown: it is a change, it is to be kept, or one of these is near. */
function shownRows(rows: readonly DifferenceRow[], kept: ReadonlySet<number>): boolean[] {
  const isShown = rows.map(() => false);
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, row] of rows.entries()) {
    if (row.kind === 'same' && !kept.has(row.number)) {
      if (index - last <= CONTEXT) isShown[index] = true;
      continue;
    }
    for (let near = Math.max(0, index - CONTEXT); near <= index; near += 1) isShown[near] = true;
    last = index;
  }
  return isShown;
}
