import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Guard } from './guards.ts';
import { placesOf } from './marks.ts';

const root = join(import.meta.dirname, '../..');

/** A guard or a test that the project does not have: its words are out of date. */
export function outOfDate({ row, removed, failed }: Guard): string[] {
  const places = placesOf(removed.mark);
  const isTested = readFileSync(join(root, failed.file), 'utf8').includes(failed.title);
  return [
    ...(places.length === 1
      ? []
      : [`${removed.mark}: ${removed.what}: its mark is there ${places.length} times, not once`]),
    ...(isTested ? [] : [`${row}  ${failed.file} has no test titled: ${failed.title}`]),
  ];
}
