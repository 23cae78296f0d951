import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Guard } from './guards.ts';

const root = join(import.meta.dirname, '../..');

/** A guard or a test that the project does not have: its words are out of date. */
export function outOfDate({ row, removed, failed }: Guard): string[] {
  const places = textOf(removed.file).split(removed.from).length - 1;
  const isTested = textOf(failed.file).includes(failed.title);
  return [
    ...(places === 1 ? [] : [`${row}  ${removed.file}: ${removed.what}: its text is there ${places} times, not once`]),
    ...(isTested ? [] : [`${row}  ${failed.file} has no test titled: ${failed.title}`]),
  ];
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
