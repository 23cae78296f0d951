import { expect, test } from 'vitest';
import { readLockFile, unlockedOptionals, withForeignPlatforms, withoutOptionalEngines } from './lock-file.ts';

test('the lock file has every optional package, or npm ci refuses it; npm run lock adds them', () => {
  const lock = readLockFile(new URL('../../package-lock.json', import.meta.url));
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
  expect(Object.keys(unlockedOptionals(lock))).toEqual([]);
});

test('the lock file has no engines of optional packages, or an older Node installs without them; npm run lock removes them', () => {
  const { packages } = readLockFile(new URL('../../package-lock.json', import.meta.url));
  const optional = Object.entries(packages).filter(([, { optional }]) => optional);
  expect(optional.length).toBeGreaterThan(50);
  expect(optional.filter(([, { engines }]) => engines !== undefined).map(([path]) => path)).toEqual([]);
});

test('only the engines of optional packages are removed', () => {
  const engines = { node: '>=22' };
  const packages = { one: { version: '1.0.0', engines }, other: { version: '2.0.0', optional: true, engines } };
  expect(withoutOptionalEngines({ packages })).toEqual({
    packages: { one: { version: '1.0.0', engines }, other: { version: '2.0.0', optional: true } },
  });
});

test('a package that only foreign platforms need says so in the lock file, or npm up to 11.6 installs it; npm run lock adds it', () => {
  const lock = readLockFile(new URL('../../package-lock.json', import.meta.url));
  expect(withForeignPlatforms(lock)).toEqual(lock);
});

test('an optional package gets the platform of those that need it, if none of them is for ours', () => {
  const optional = true;
  const packages = {
    '': { optionalDependencies: { one: '1.0.0' } },
    'node_modules/one': { version: '1.0.0', optionalDependencies: { 'one-wasm32': '1.0.0', 'one-linux': '1.0.0' } },
    'node_modules/one-linux': { version: '1.0.0', optional, os: ['linux'], dependencies: { shared: '1.0.0' } },
    'node_modules/one-wasm32': {
      version: '1.0.0',
      optional,
      cpu: ['wasm32'],
      dependencies: { runtime: '1.0.0', shared: '1.0.0' },
    },
    'node_modules/runtime': { version: '1.0.0', optional, dependencies: { deeper: '1.0.0' } },
    'node_modules/deeper': { version: '1.0.0', optional },
    'node_modules/shared': { version: '1.0.0', optional },
  };
  expect(withForeignPlatforms({ packages }).packages).toEqual({
    ...packages,
    'node_modules/runtime': { ...packages['node_modules/runtime'], cpu: ['wasm32'] },
    'node_modules/deeper': { ...packages['node_modules/deeper'], cpu: ['wasm32'] },
  });
});

test('packages for other platforms are added with the platform their name says', () => {
  const optionalDependencies = {
    '@tool/cli-darwin-arm64': '2.0.0',
    '@tool/binding-linux-arm-musleabihf': '2.0.0',
    '@tool/binding-linux-x64-gnu': '2.0.0',
    '@tool/here': '2.0.0',
    nested: '2.0.0',
  };
  const lock = {
    packages: {
      '': {},
      'node_modules/tool': { version: '2.0.0', dev: true, optionalDependencies },
      'node_modules/@tool/here': { version: '2.0.0' },
      'node_modules/tool/node_modules/nested': { version: '2.0.0' },
    },
  };
  expect(unlockedOptionals(lock)).toEqual({
    'node_modules/@tool/cli-darwin-arm64': {
      version: '2.0.0',
      dev: true,
      optional: true,
      os: ['darwin'],
      cpu: ['arm64'],
    },
    'node_modules/@tool/binding-linux-arm-musleabihf': {
      version: '2.0.0',
      dev: true,
      optional: true,
      os: ['linux'],
      cpu: ['arm'],
      libc: ['musl'],
    },
    'node_modules/@tool/binding-linux-x64-gnu': {
      version: '2.0.0',
      dev: true,
      optional: true,
      os: ['linux'],
      cpu: ['x64'],
      libc: ['glibc'],
    },
  });
});
