import { statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { until } from '../desktop/processes.ts';
import { type FilesRig, startFilesRig } from './files-rig.ts';

const WRITES_ON = 'while true; do echo x >> growing.txt; sleep 0.02; done';

async function startedScript(folder: string): Promise<{ rig: FilesRig; action: Action }> {
  const rig = await startFilesRig({ under: '/var/tmp' });
  onTestFinished(rig.stop);
  await rig.allow('~/work');
  const { body } = await rig.submit('RunScript', { interpreter: 'sh', folder, script: WRITES_ON });
  await rig.answer('allow');
  await until('the script writes', async () =>
    statSync(rig.at(`${folder.slice(2)}/growing.txt`), { throwIfNoEntry: false }) === undefined ? undefined : true,
  );
  return { rig, action: body };
}

const ended = (rig: FilesRig, action: Action) =>
  until('the script ends', async () => {
    const now = await rig.actionOf(action);
    return now.finishedAt === undefined ? undefined : now;
  });

test.each([
  ['taken back', (rig: FilesRig) => rig.takeBack(rig.at('work'))],
  ['left to it for reading only', (rig: FilesRig) => rig.allow('~/work', 'read')],
])('X15: a script whose folder was %s is stopped, and nothing is written there any more', async (_how, lose) => {
  const { rig, action } = await startedScript('~/work');
  await lose(rig);
  expect(await ended(rig, action)).toMatchObject({ status: 'unknown', effect: 'unverified' });
  const size = statSync(rig.at('work/growing.txt')).size;
  const { body } = await rig.submit('RunScript', { interpreter: 'sh', folder: '~/outside', script: 'sleep 0.3' });
  await rig.answer('allow');
  expect(await ended(rig, body)).toMatchObject({ status: 'success' });
  expect(statSync(rig.at('work/growing.txt')).size).toBe(size);
});

test('a script in another folder goes on when a folder is taken back', async () => {
  const { rig, action } = await startedScript('~/outside');
  await rig.takeBack(rig.at('work'));
  expect(await rig.actionOf(action)).toMatchObject({ status: 'running' });
  await rig.daemon.call(`/api/tee/actions/${action.actionId}/cancel`, { method: 'POST', userId: 'ann' });
  expect(await ended(rig, action)).toMatchObject({ status: 'unknown' });
});
