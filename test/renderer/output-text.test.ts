import { expect, test } from 'vitest';
import { shownText } from '../../renderer/src/activity/Results.tsx';

const folded = (text: string) => shownText(text, { isOpened: false });
const opened = (text: string) => shownText(text, { isOpened: true });
const lines = (count: number) => Array.from({ length: count }, (_none, index) => `${index + 1}\n`).join('');

test.each([
  ['', ''],
  ['one', 'one'],
  ['\n', '\n'],
  ['\n\n', '\n\n'],
  [lines(12), lines(12)],
  ['x'.repeat(2_000), 'x'.repeat(2_000)],
])('a short output is shown whole: %j', (text, shown) => {
  expect(folded(text)).toEqual({ text: shown, isWhole: true });
});

test('of more than 12 lines the last 12 are shown, with and without a line break at the end', () => {
  const last = lines(13).slice(2);
  expect(folded(lines(13))).toEqual({ text: last, isWhole: false });
  expect(folded(lines(13).slice(0, -1))).toEqual({ text: last.slice(0, -1), isWhole: false });
  expect(opened(lines(13))).toEqual({ text: lines(13), isWhole: true });
});

test('of one long line the end is shown: 2,000 characters, or 100,000 when it is opened', () => {
  const text = 'x'.repeat(100_001);
  expect([folded(text).text.length, opened(text).text.length]).toEqual([2_000, 100_000]);
  expect([folded(text).isWhole, opened(text).isWhole]).toEqual([false, false]);
  expect(opened('x'.repeat(100_000)).isWhole).toBe(true);
});

test('a cut parts no character', () => {
  const { text } = folded(`${'😀'.repeat(1_500)}x`);
  expect(text).toBe(`${'😀'.repeat(999)}x`);
});
