import { expect, test } from 'vitest';
import { probabilityAbove } from '../../../src/guardian/statistics/distributions.ts';

test.each([
  [6.313752, 1, 0.05],
  [4.604095, 4, 0.005],
  [-4.604095, 4, 0.995],
  [2.763769, 10, 0.01],
  [0, 7, 0.5],
])('more than %d with %i degrees of freedom has the probability %d of the tables', (t, freedom, probability) => {
  expect(probabilityAbove(t, freedom)).toBeCloseTo(probability, 6);
});
