import { expect, test } from 'vitest';
import { createRunFinder } from '../../src/contract/path-runs.ts';

const find = createRunFinder([
  { meaning: 'first', runs: ['a/b', 'x'] },
  { meaning: 'second', runs: ['a/b/c', 'a', 'b/d'] },
]);

test('a run is found anywhere on a path, as whole names', () => {
  expect(['/a/b', 'a/b/', '/z/a//b/c', '/z/x'].map(find)).toEqual(['first', 'first', 'first', 'first']);
  expect(['/a/c', '/b/d/e', '/ab', '/b', '/xx/y', ''].map(find)).toEqual([
    'second',
    'second',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
