import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NOT_RUN_WITHOUT_MACOS } from './not-run-without-macos.ts';

const folder = new URL('../../macos/', import.meta.url);

test('every test for a real Mac is listed with what is taken for granted without it, and nothing else is', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  const titles = files.flatMap((name) => titlesIn(readFileSync(new URL(name, folder), 'utf8')));
  expect(NOT_RUN_WITHOUT_MACOS.map(({ name }) => name).sort()).toEqual(titles.sort());
  expect(NOT_RUN_WITHOUT_MACOS.every(({ reason }) => reason.length > 20)).toBe(true);
});

/** The titles of tests, of tables of tests, and of shared suites. */
function titlesIn(source: string): string[] {
  const pattern = /^(?:test|describeDriver|\] as const\))\((['"`])(.*?)\1, /gm;
  return [...source.matchAll(pattern)].map(([, , title]) => String(title));
}
