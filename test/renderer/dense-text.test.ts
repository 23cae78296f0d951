import { expect, test } from 'vitest';
import { isDense } from '../../renderer/src/prompt/Evidence.tsx';

const written = (text: string) =>
  isDense({
    contents: {
      source: 'text',
      text,
      isWhole: true,
      isText: true,
      sizeBytes: text.length,
      noticed: [],
      noticedCut: false,
    },
  });

test('prose is dense, and short lines are not, however many there are', () => {
  expect(written('The quick brown fox jumps over the lazy dog. '.repeat(5))).toBe(true);
  expect(written('wc -l "part.csv"\n'.repeat(5_000))).toBe(false);
  expect(written(`${'short\n'.repeat(7)}${'prose far below '.repeat(50)}`)).toBe(false);
  expect(written(`line\n${'x'.repeat(60_000)}`)).toBe(false);
  expect(isDense({})).toBe(false);
});
