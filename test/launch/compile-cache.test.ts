import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { secretAt } from '../../src/contract/secret-paths.ts';
import { compileCacheFolder } from '../../src/launch/compile-cache.ts';

const home = '/home/ann';

test('U3: on Linux compiled code is kept below the folder of the OS user, never in the shared folder for temporary files', () => {
  const linux = (environment: NodeJS.ProcessEnv) => compileCacheFolder({ platform: 'linux', environment, home });
  expect([linux({}), linux({ XDG_CACHE_HOME: '/var/cache/ann' }), linux({ XDG_CACHE_HOME: 'relative' })]).toEqual([
    '/home/ann/.cache/handrail-compiled-code',
    '/var/cache/ann/handrail-compiled-code',
    '/home/ann/.cache/handrail-compiled-code',
  ]);
  expect(compileCacheFolder({ platform: 'darwin', environment: {}, home })).toBeUndefined();
});

test('U3: no requester may write where the daemon runs code from', () => {
  const environment = { XDG_CACHE_HOME: '/srv/cache' };
  for (const folder of [
    compileCacheFolder({ platform: 'linux', environment: {}, home }),
    compileCacheFolder({ platform: 'linux', environment, home }),
    '/private/var/folders/x/T/node-compile-cache',
  ])
    expect(secretAt(join(String(folder), 'v26.10.0-x64/0f3a.cache'))).toBe("Handrail's compiled code");
});

test.runIf(process.platform === 'linux')('the folder is made for its OS user alone, and code is kept in it', () => {
  const cache = mkdtempSync(join(tmpdir(), 'handrail-cache-'));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  expect(keptIn(cache)).toEqual({ status: 0, stderr: '' });
  const folder = join(cache, 'handrail-compiled-code');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder)).not.toEqual([]);
});

test.runIf(process.platform === 'linux')('U3: nothing is kept in a folder that others can write to', () => {
  const cache = mkdtempSync(join(tmpdir(), 'handrail-cache-'));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  const folder = join(cache, 'handrail-compiled-code');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  expect(keptIn(cache)).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(folder)).toEqual([]);
});

test('a home that cannot be written to does not keep the program from starting', () => {
  expect(keptIn('/dev/null')).toEqual({ status: 0, stderr: '' });
});

/** Loads a library in a process that keeps compiled code below this folder. */
function keptIn(cache: string) {
  const module = join(import.meta.dirname, '../../src/launch/compile-cache.ts');
  const script = `import(${JSON.stringify(module)}).then(({ keepCompiledCode }) => { keepCompiledCode(); return import('pino'); })`;
  const env = { PATH: process.env.PATH, XDG_CACHE_HOME: cache };
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { env, encoding: 'utf8' });
  return { status, stderr };
}
