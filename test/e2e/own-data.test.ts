import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilesRig, startFilesRig } from './files-rig.ts';

/** The person allowed a folder, and the daemon keeps its data in it. */
const folder = realpathSync(mkdtempSync('/var/tmp/handrail-own-data-'));
const data = join(folder, 'data');
let rig: FilesRig;

beforeAll(async () => {
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(folder, 'beside.txt'), 'beside');
  rig = await startFilesRig({ under: '/var/tmp', environment: { HANDRAIL_DATA_DIR: data } });
  await rig.allow(folder);
});

afterAll(async () => {
  await rig.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('X1: a script in an allowed folder that holds the data of the daemon sees nothing of it', async () => {
  expect(readdirSync(data)).toContain('handrail.db');
  const script = 'cat beside.txt; echo; ls -A data | wc -l; cat data/handrail.db; touch data/new; echo "write $?"';
  const ended = await rig.run('RunScript', { interpreter: 'sh', script, folder });
  expect(ended).toMatchObject({ status: 'success', data: { stdoutTail: 'beside\n0\nwrite 1\n' } });
  expect(readdirSync(data)).not.toContain('new');
});

test.each([
  ['ReadFile', { path: join(data, 'handrail.db') }],
  ['ListFiles', { path: data }],
  ['WriteFile', { path: join(data, 'new'), content: 'x' }],
  ['TrashFile', { path: join(data, 'handrail.db') }],
  ['MoveFile', { from: join(data, 'handrail.db'), to: join(folder, 'taken.db') }],
])('F3: %s of the data of the daemon is blocked in an allowed folder', async (actionType, parameters) => {
  const before = readdirSync(data).length;
  expect(await rig.submit(actionType, parameters)).toMatchObject({ status: 403, body: { code: 'action_blocked' } });
  expect([readdirSync(data).length, readdirSync(folder).toSorted()]).toEqual([before, ['beside.txt', 'data']]);
});
