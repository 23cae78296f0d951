import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export type RecordedPrograms = {
  folder: string;
  /** A PATH on which these programs write down that they were started before they run. */
  path: string;
  /** The programs started so far, in order. */
  started(): string[];
  remove(): void;
};

/** Stands before each of the programs, so that what a driver starts is seen however soon it ends. */
export function recordPrograms(names: readonly string[]): RecordedPrograms {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-recorded-'));
  const journal = join(folder, 'started');
  const { PATH: path = '' } = process.env;
  for (const name of names) {
    const real = path
      .split(delimiter)
      .map((place) => join(place, name))
      .find((place) => existsSync(place));
    const script = join(folder, name);
    writeFileSync(script, `#!/bin/sh\necho ${name} >> '${journal}'\nexec ${real ?? 'false'} "$@"\n`);
    chmodSync(script, 0o755);
  }
  return {
    folder,
    path: `${folder}${delimiter}${path}`,
    started: () => (existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : []),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
