/** Up to five of `names` that resemble `wanted`, the nearest first. */
export function nearNames(wanted: string, names: Iterable<string>): string[] {
  const target = folded(wanted);
  const scored = [...new Set(names)].map((name) => ({ name, distance: resemblance(target, folded(name)) }));
  return scored
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name, 'en'))
    .slice(0, 5)
    .map(({ name }) => name);
}

/** How names are compared: without regard to case, and composed and spaced one way. */
export function folded(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}

const MAX_DISTANCE = 0.4;

/** 0 for the same name, up to 1 for nothing in common; a name that begins or contains the other counts as near. */
function resemblance(wanted: string, name: string): number {
  const longest = Math.max(wanted.length, name.length);
  if (longest === 0) return 0;
  const distance = editDistance(wanted, name) / longest;
  const shortest = Math.min(wanted.length, name.length);
  if (shortest >= 3 && (name.startsWith(wanted) || wanted.startsWith(name))) return Math.min(distance, 0.1);
  if (shortest >= 3 && (name.includes(wanted) || wanted.includes(name))) return Math.min(distance, 0.3);
  return distance;
}

/** Edits of one character, and swaps of two neighbours, that turn one text into the other (optimal string alignment). */
function editDistance(from: string, to: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      current[column] = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1),
        isSwap(from, to, row, column) ? at(older, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    older = previous;
    previous = current;
  }
  return at(previous, to.length);
}

function isSwap(from: string, to: string, row: number, column: number): boolean {
  return row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? Number.POSITIVE_INFINITY;
}
