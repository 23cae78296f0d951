import { expect, test } from 'vitest';
import type { Interpreter } from '../../../src/contract/scripts.ts';
import { noticeDangers } from '../../../src/domain/scripts/notice-dangers.ts';
import { decoded } from '../../../src/domain/scripts/shell/interpreters.ts';

function noticed(script: string, interpreter: Interpreter = 'sh'): string[] {
  return noticeDangers({ interpreter, script }).findings.map(({ words }) => words);
}

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

test('text within text is read eight deep, and deeper the script is said to run it', () => {
  const within = (depth: number) => noticed(`${'eval '.repeat(depth)}rm a.txt`);
  expect([within(8), within(9)]).toEqual([['deletes a.txt'], ['runs text within text as programs']]);
});

test('twelve programs that start another are seen through, and no thirteenth', () => {
  const behind = (count: number) => noticed(`${'nohup '.repeat(count)}rm a.txt`);
  expect(behind(12)).toContain('deletes a.txt');
  expect(behind(13)).not.toContain('deletes a.txt');
});

test('within 399 open brackets a quote holds words together, and within 400 it separates them', () => {
  const within = (depth: number) =>
    noticed(`${'$('.repeat(depth)}rm "a b"`).filter((words) => words.startsWith('deletes'));
  expect([within(399), within(400)]).toEqual([['deletes a b'], ['deletes a, b']]);
});

test('a shell runs what one of the eight commands before it prints', () => {
  const printed = (before: number) => noticed(`echo "rm a.txt" | ${'cat | '.repeat(before - 1)}sh`);
  expect([printed(8), printed(9)]).toEqual([['deletes a.txt'], ['runs the output of other commands as a program']]);
});

test('twenty redirections of a command are read', () => {
  const written = (count: number) => noticed(`echo x ${Array.from({ length: count }, (_, at) => `>f${at}`).join(' ')}`);
  expect(written(20)).toHaveLength(20);
  expect(written(21)).toEqual(written(20));
});

test('a call is read for 60 tokens from its bracket', () => {
  const deleted = (before: number) => noticed(`os.remove(${'x '.repeat(before)}"a.txt")`, 'python');
  expect([deleted(58), deleted(59)]).toEqual([['deletes a.txt'], ['deletes files']]);
});

test('of the value of a variable the first 1,000 characters are kept', () => {
  const deleted = (length: number) => noticed(`A='${'rm b.txt'.padStart(length, ' ')}'\neval "$A"`);
  expect([deleted(1_000), deleted(1_001)]).toEqual([['deletes b.txt'], ['deletes b.tx']]);
});

test('500 variables are known, of which two are there before the first line', () => {
  const deleted = (before: number) => noticed(`${lines(before, (index) => `V${index}=x`)}\nZ=a.txt\nrm $Z`);
  expect([deleted(497), deleted(498)]).toEqual([['deletes a.txt'], ['deletes $Z']]);
});

test('known values add 65,536 characters to a script in all', () => {
  const deleted = (times: number) => noticed(`A=${'x'.repeat(1_000)}\nB=a.txt\n${': $A\n'.repeat(times)}rm $B`);
  expect([deleted(65), deleted(66)]).toEqual([['deletes a.txt'], ['deletes $B']]);
});

test('of a line of AppleScript the first 4,000 characters are read', () => {
  const quits = (before: number) => noticed(`${'a '.repeat(1_996)}${'b'.repeat(before)} quit`, 'applescript');
  expect([quits(3), quits(4)]).toEqual([['quits apps'], []]);
});

test('of encoded text 100,000 characters are decoded', () => {
  const lengthOf = (characters: number) => decoded('YWFh'.repeat(characters / 4)).length;
  expect([99_996, 100_000, 100_004].map(lengthOf)).toEqual([74_997, 75_000, 75_000]);
});

test.each([
  ['sh', [390, 'cat a;'], [2_100, ':;'], false],
  ['sh', [390, 'cat a;'], [2_150, ':;'], true],
  ['python', [1, ''], [1_360, 'os.remove\n'], false],
  ['python', [1, ''], [1_410, 'os.remove\n'], true],
] as const)('the work of reading %s %j and then %j is too much: %s', (interpreter, first, second, isCut) => {
  const script = [first, second].map(([times, piece]) => piece.repeat(times)).join('');
  expect(noticeDangers({ interpreter, script }).isCut).toBe(isCut);
});

test.each([
  ['sh', `cd ${'/a'.repeat(2_000)}\n`, 'cat a;', [40, 50]],
  ['sh', `cd ${'/a'.repeat(2_000)}\n`, 'echo a.;', [40, 50]],
  ['python', `a="${'/a'.repeat(450)}"\n`, 'open(a)\n', [120, 220]],
] as const)('D4: a look at a long path takes much of the work of reading %s', (interpreter, before, piece, counts) => {
  const isCut = (count: number) => noticeDangers({ interpreter, script: before + piece.repeat(count) }).isCut;
  expect(counts.map(isCut)).toEqual([false, true]);
});
