import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { safePath } from '../../src/launch/safe-path.ts';

const ROOT = join(import.meta.dirname, '../..');

function newFolder(name: string, mode = 0o755): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-path-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, mode);
  return folder;
}

test('X20: no program is looked for in a folder of packages, of others, or of no fixed place', () => {
  const own = newFolder('bin');
  const packages = newFolder('node_modules/.bin');
  const shared = newFolder('shared', 0o777);
  const path = [packages, '.', '', 'bin', `${own}/../bin`, shared, '/not/there', own, '/usr/bin'].join(':');
  expect(safePath(path)).toBe(`${own}:/usr/bin`);
});

test('X20: a folder that cannot be looked at is left out, and ends nothing', () => {
  const file = join(newFolder('bin'), 'file');
  writeFileSync(file, '');
  expect(safePath(`${file}/bin:${'/a'.repeat(3_000)}:/usr/bin`)).toBe('/usr/bin');
});

test('X20: a folder of another user is left out', () => {
  const own = newFolder('bin');
  expect(safePath(`${own}:/usr/bin`, (process.getuid?.() ?? 0) + 1)).toBe(
    process.getuid?.() === 0 ? `${own}:/usr/bin` : '/usr/bin',
  );
});

test.each(['src/daemon/headless.ts', 'agent/main.ts'])(
  'X20: %s takes them out before it loads anything that starts a program',
  (entry) => {
    const packages = newFolder('node_modules/.bin');
    writeFileSync(join(packages, 'bwrap'), '#!/bin/sh\n', { mode: 0o755 });
    // The end of the process tells its PATH; both entries end at once with these words.
    const told = `process.on('exit', () => console.error('PATH=' + process.env.PATH + '.'))`;
    const { stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(told)}`, join(ROOT, entry), '--help'],
      { encoding: 'utf8', env: { ...process.env, PATH: `${packages}:/usr/bin` }, timeout: 60_000 },
    );
    expect(stderr).toContain('PATH=/usr/bin.');
  },
);
