import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DifferenceRow, differenceOf } from '../../renderer/src/prompt/Evidence.tsx';

const NONE: ReadonlySet<number> = new Set();
const lines = (rows: readonly DifferenceRow[] | undefined) =>
  rows?.map((row) => (row.kind === 'skipped' ? `…${row.count}` : `${SIGNS[row.kind]}${row.text}`));
const SIGNS = { added: '+', removed: '-', same: ' ' };

test('a changed line has two lines around it, and the others are counted', () => {
  const former = 'a\nb\nc\nd\ne\nf\ng\n';
  expect(lines(differenceOf(former, former.replace('e', 'E'), NONE))).toEqual([
    '…2',
    ' c',
    ' d',
    '-e',
    '+E',
    ' f',
    ' g',
  ]);
});

test('a line with a danger is shown, however far from a change it is', () => {
  const former = ['a', 'b', 'rm -rf ~', 'd', 'e', 'f', 'g', 'h'].join('\n');
  expect(lines(differenceOf(former, `${former}!`, new Set([3])))).toEqual([
    ' a',
    ' b',
    ' rm -rf ~',
    ' d',
    ' e',
    ' f',
    ' g',
    '-h',
    '+h!',
  ]);
});

test.each([
  ['a\nb', 'a\nb\n', [' a', ' b', '+']],
  ['a\n', 'a', [' a', '-']],
  ['a\n', 'a\n', ['…1']],
  ['', 'a\n', ['+a']],
  ['a\n', '', ['-a']],
  ['', '', []],
])(
  'P4: a break at the end is a line of its own where only one of the texts has it: %j and %j',
  (former, text, rows) => {
    expect(lines(differenceOf(former, text, NONE))).toEqual(rows);
  },
);

test('the rows hold every line of both texts that is not in both, in their order', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((all) => all.join('\n'));
  fc.assert(
    fc.property(text, text, (former, now) => {
      const rows = differenceOf(former, now, new Set(now.split('\n').map((_, index) => index + 1))) ?? [];
      const side = (kinds: readonly string[]) =>
        rows.flatMap((row) => (row.kind !== 'skipped' && kinds.includes(row.kind) ? [row.text] : [])).join('\n');
      const isBroken = [former, now].every((one) => one === '' || one.endsWith('\n'));
      const expected = (one: string) => (isBroken && one !== '' ? one.slice(0, -1) : one);
      expect([side(['same', 'removed']), side(['same', 'added'])]).toEqual([expected(former), expected(now)]);
    }),
  );
});

test('texts of 60 kB without a common line are given up in a moment', () => {
  const text = (word: string) => Array.from({ length: 10_000 }, (_, index) => `${word}${index}`).join('\n');
  expect(differenceOf(text('a'), text('b'), NONE)).toBeUndefined();
});
