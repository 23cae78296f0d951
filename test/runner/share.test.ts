import { expect, onTestFinished, test, vi } from 'vitest';
import { SHARE_VARIABLE, shareOf } from './share.ts';

const CASES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

function sharesWith(seeds: readonly (string | undefined)[]): string[][] {
  onTestFinished(() => void vi.unstubAllEnvs());
  return seeds.map((seed) => {
    vi.stubEnv(SHARE_VARIABLE, seed);
    return shareOf(CASES, 3);
  });
}

test('three numbers in a row share the cases among them', () => {
  const shares = sharesWith(['40', '41', '42']);
  expect(shares.flat().sort()).toEqual(CASES);
  expect(shares.map(({ length }) => length).sort()).toEqual([2, 2, 3]);
});

test('without a number there are all cases', () => {
  expect(sharesWith([undefined])).toEqual([CASES]);
});
