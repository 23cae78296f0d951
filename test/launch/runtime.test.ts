import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tooOld } from '../../src/launch/runtime.cjs';
import { createProject } from './launched.ts';

const root = join(import.meta.dirname, '../..');

test.each(['20.20.2', '22.21.0', '24.0.0', '24.8.9'])('Node %s is too old, and is named', (version) => {
  expect(tooOld(version)).toBe(`Handrail needs Node 24.9.0 or newer, and this is Node ${version}.`);
});

test.each(['24.9.0', '24.10.0', '25.0.0', '26.10.0'])('Node %s is new enough', (version) => {
  expect(tooOld(version)).toBeUndefined();
});

test('the daemon, started by hand on an older Node, says so in one sentence', { timeout: 30_000 }, () => {
  const { root: folder } = createProject();
  const older = join(folder, 'older.cjs');
  writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '24.0.0' });");
  const { status, stdout, stderr } = spawnSync(process.execPath, [`--require=${older}`, 'src/daemon/headless.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'handrail: Handrail needs Node 24.9.0 or newer, and this is Node 24.0.0. `npm start` runs it on the Node that `npm ci` installs.\n',
  });
});
