import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { Confirmation, Grant } from '../../src/contract/console.ts';
import { until } from '../desktop/processes.ts';
import type { FilesRig } from './files-rig.ts';
import { startScriptsRig } from './scripts-rig.ts';

const WRITES_ON = 'while true; do echo x >> growing.txt; sleep 0.02; done';

async function startedScript(folder: string): Promise<{ rig: FilesRig; action: Action }> {
  const rig = await startScriptsRig();
  const { body } = await rig.submit('RunScript', { interpreter: 'sh', folder, script: WRITES_ON });
  await rig.answer('allow');
  await until('the script writes', async () =>
    statSync(rig.at(`${folder.slice(2)}/growing.txt`), { throwIfNoEntry: false }) === undefined ? undefined : true,
  );
  return { rig, action: body };
}

test.each([
  ['taken back', (rig: FilesRig) => rig.takeBack(rig.at('work'))],
  ['left to it for reading only', (rig: FilesRig) => rig.allow('~/work', 'read')],
])('X15: a script whose folder was %s is stopped, and nothing is written there any more', async (_how, lose) => {
  const { rig, action } = await startedScript('~/work');
  await lose(rig);
  expect(await rig.ended(action)).toMatchObject({ status: 'unknown', effect: 'unverified' });
  const size = statSync(rig.at('work/growing.txt')).size;
  const sleep = { interpreter: 'sh', folder: '~/outside', script: 'sleep 0.3' };
  expect(await rig.run('RunScript', sleep)).toMatchObject({ status: 'success' });
  expect(statSync(rig.at('work/growing.txt')).size).toBe(size);
});

test('a script in another folder goes on when a folder is taken back', async () => {
  const { rig, action } = await startedScript('~/outside');
  await rig.takeBack(rig.at('work'));
  expect(await rig.actionOf(action)).toMatchObject({ status: 'running' });
  await rig.daemon.call(`/api/tee/actions/${action.actionId}/cancel`, { method: 'POST', userId: 'ann' });
  expect(await rig.ended(action)).toMatchObject({ status: 'unknown' });
});

/** Allows the only prompt for 15 minutes, as the person would. */
async function allowForAWhile({ console: onConsole }: FilesRig): Promise<void> {
  const { body } = await onConsole<{ items: Confirmation[] }>('/confirmations');
  const [prompt] = body.items;
  if (prompt === undefined) throw new Error('there is no prompt to answer');
  const path = `/confirmations/${prompt.id}`;
  const shown = await onConsole<Confirmation>(`${path}/shown`, { method: 'POST' });
  const readyAtMs = Date.parse(String(shown.body.answerableAt));
  await until('the prompt can be answered', async () => Date.now() >= readyAtMs || undefined);
  const { nonce, actionDigest } = prompt;
  await onConsole(`${path}/decision`, { body: { decision: 'allow', scope: 'minutes15', nonce, actionDigest } });
}

test('X17: a grant for the scripts of a folder lets them run there, also by a link, until the folder is taken back', async () => {
  const rig = await startScriptsRig();
  mkdirSync(rig.at('work/deep'));
  symlinkSync(rig.at('work'), rig.at('link'));
  const script = (folder: string, text: string) => ({ interpreter: 'sh', folder, script: text });
  const { body: first } = await rig.submit('RunScript', script('~/work', 'echo one > one.txt'));
  await allowForAWhile(rig);
  expect(await rig.ended(first)).toMatchObject({ status: 'success' });
  const { body: grants } = await rig.console<{ items: Grant[] }>('/grants');
  expect(grants.items[0]?.literal).toContain(
    `shell scripts in ${rig.at('work')}, whatever their text, without network`,
  );
  const verdict = async (folder: string, text = 'cat one.txt') =>
    (await rig.explain('RunScript', script(folder, text))).body.verdict;
  expect([await verdict('~/work'), await verdict('~/link')]).toEqual(['allow', 'allow']);
  expect([await verdict('~/work/deep'), await verdict('~/outside')]).toEqual(['ask', 'ask']);
  expect(await verdict('~/work', 'cat ~/.ssh/id_rsa')).toBe('ask');
  const { body: second } = await rig.submit('RunScript', script('~/link', 'cat one.txt'));
  expect(await rig.ended(second)).toMatchObject({ status: 'success' });
  await rig.takeBack(rig.at('work'));
  expect(await verdict('~/work')).toBe('ask');
});
