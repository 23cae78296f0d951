import { expect, test } from 'vitest';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import { scriptSizes } from '../bench/page-sizes.ts';

test('the scripts of the page have at most 220 kB gzipped, those of the first route 120', () => {
  buildPageIfNeeded();
  const { firstRoute, all } = scriptSizes();
  expect(firstRoute).toBeGreaterThan(50 * 1_024);
  expect(firstRoute).toBeLessThanOrEqual(120 * 1_024);
  expect(all).toBeGreaterThan(firstRoute);
  expect(all).toBeLessThanOrEqual(220 * 1_024);
});
