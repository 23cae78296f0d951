import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Guard } from './guards.ts';
import { placesOf, withoutGuard } from './marks.ts';

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

/** Names in the lines that guards become which their files do not have: the test would fail for the wrong reason. `copy`: of the project. */
export function unknownNames(copy: string, guards: readonly Guard[]): string[] {
  const told: string[] = [];
  for (let waiting = [...guards]; waiting.length > 0; ) {
    const former = new Map<string, string>();
    // Of each file one guard at a time.
    waiting = waiting.filter(({ removed }) => {
      const file = join(copy, placesOf(removed.mark)[0] ?? '');
      if (former.has(file)) return true;
      const text = readFileSync(file, 'utf8');
      former.set(file, text);
      writeFileSync(file, withoutGuard(text, removed));
      return false;
    });
    const lint = ['lint', '--only=correctness/noUndeclaredVariables', '--colors=off', ...former.keys()];
    const { status, stdout, stderr } = spawnSync('node_modules/.bin/biome', lint, { cwd: copy, encoding: 'utf8' });
    if (status !== 0) told.push(`${stdout}${stderr}`);
    for (const [file, text] of former) writeFileSync(file, text);
  }
  return told;
}
