import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('no script of the page has the schemas of the interface, which take a sixth of its size and of the time to its first frame', () => {
  buildPageIfNeeded();
  const folder = join(import.meta.dirname, '../../renderer/dist/assets');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(5);
  // Each schema of TypeBox has this key, which no minifier may change.
  expect(scripts.filter((name) => readFileSync(join(folder, name), 'utf8').includes('~kind'))).toEqual([]);
});
