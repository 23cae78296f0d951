import { expect, test } from 'vitest';
import { effectOf } from '../../../src/guardian/metrics/usual.ts';

const up = { from: 0.6, to: 0.7 };
const down = { from: 0.7, to: 0.6 };

test('a rise is good where high is good, and bad where low is', () => {
  expect([effectOf('high', up), effectOf('low', up), effectOf('high', down), effectOf('low', down)]).toEqual([
    'improving',
    'worsening',
    'worsening',
    'improving',
  ]);
});

test('moving within the good range, or where nothing is good, is neutral', () => {
  expect([effectOf({ from: 0.5, to: 0.95 }, up), effectOf('neutral', up)]).toEqual(['neutral', 'neutral']);
});

test('leaving the good range is worse on either side, returning to it better', () => {
  const range = { from: 0.5, to: 0.95 };
  expect([
    effectOf(range, { from: 0.9, to: 1 }),
    effectOf(range, { from: 0.9, to: 0.2 }),
    effectOf(range, { from: 0.2, to: 0.4 }),
  ]).toEqual(['worsening', 'worsening', 'improving']);
});
