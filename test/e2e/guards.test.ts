import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GUARDS } from './guards.ts';

const at = (file: string) => new URL(`../../${file}`, import.meta.url);
const ROWS = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9', 'L1', 'S1'];

test('for every row of the rail a guard was taken out and a test seen to fail', () => {
  expect([...new Set(GUARDS.map(({ row }) => row))].toSorted()).toEqual(ROWS);
});

test.each(GUARDS)('$row: what was taken out of $removed.file is there, and so is the test', ({ removed, failed }) => {
  expect(existsSync(at(removed.file))).toBe(true);
  expect(readFileSync(at(failed.file), 'utf8')).toContain(failed.title);
});
