import { hash } from 'node:crypto';
import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { Task } from '../../src/contract/task.ts';
import { until } from '../desktop/processes.ts';
import { type FilesRig, NOTES_TEXT, OUTSIDE_TEXT, SECRET_TEXT, startFilesRig } from './files-rig.ts';

const WRITTEN_TEXT = 'canary-written-61e8';

let rig: FilesRig;
let outside: string[];

beforeAll(async () => {
  rig = await startFilesRig();
  outside = outsideNow();
});

afterAll(() => rig.stop());

/** Everything outside of the folder `work`, but the log of the window manager. */
function outsideNow(): string[] {
  return rig.ledger().filter((line) => line.startsWith('outside') || line.startsWith('.ssh'));
}

async function denied(action: Action): Promise<void> {
  await rig.answer('deny');
  await until('the denial counts', async () => ((await rig.actionOf(action)).status === 'denied' ? true : undefined));
}

/** The requester no longer wants it; the person's denials would count against later requests. */
async function cancelled({ actionId }: Action): Promise<void> {
  await rig.daemon.call(`/api/tee/actions/${actionId}/cancel`, { userId: 'ann', body: {} });
  expect((await rig.actionOf({ actionId })).status).toBe('cancelled');
}

/** Answers the only prompt, and waits for the end of the action that it is about. */
async function allowed(action: Action): Promise<Action> {
  const answer = await rig.answer('allow');
  expect(answer.status).toBe(200);
  return rig.ended(action);
}

test('a dry run names the verdict and the place to which the path leads', async () => {
  const { body } = await rig.explain('ReadFile', { path: '~/work/../outside/letter.txt' });
  expect(body).toMatchObject({ verdict: 'ask', risk: { level: 'high' }, target: rig.at('outside/letter.txt') });
  const secret = await rig.explain('ReadFile', { path: '~/.ssh/id_ed25519' });
  expect(secret.body).toMatchObject({ verdict: 'block' });
});

test('before the person allows a folder, reading asks at high risk', async () => {
  const { body } = await rig.submit('ReadFile', { path: '~/work/notes.txt' });
  expect(body).toMatchObject({ status: 'awaiting_confirmation', risk: { level: 'high' } });
  await denied(body);
});

test('in a folder that the person allowed, reading and listing run at once', async () => {
  expect((await rig.allow('~/work')).body.items).toMatchObject([{ userId: 'ann', path: rig.at('work') }]);
  const read = await rig.submit('ReadFile', { path: '~/work/notes.txt' });
  expect(read.body).toMatchObject({ status: 'success', risk: { level: 'low' }, data: { text: NOTES_TEXT } });
  const listed = await rig.submit('ListFiles', { path: '~/work' });
  expect(listed.body).toMatchObject({ status: 'success', risk: { level: 'low' } });
  expect(listed.body).toMatchObject({ data: { entries: [{ path: 'notes.txt' }] } });
});

test('writing asks at medium risk, and after the approval the file is there', async () => {
  const { body } = await rig.submit('WriteFile', { path: '~/work/new.txt', content: WRITTEN_TEXT });
  expect(body).toMatchObject({ status: 'awaiting_confirmation', risk: { level: 'medium' } });
  const [prompt] = await rig.person.prompts();
  expect(prompt?.prompt.sentence).toBe(`Create “new.txt” in ${rig.at('work')}`);
  expect(await allowed(body)).toMatchObject({
    status: 'success',
    effect: 'confirmed',
    data: { sha256: hash('sha256', WRITTEN_TEXT) },
  });
  expect(readFileSync(rig.at('work/new.txt'), 'utf8')).toBe(WRITTEN_TEXT);
});

test('a file is read as it is now right after it was written', async () => {
  expect((await rig.submit('ReadFile', { path: '~/work/fresh.txt' })).body).toMatchObject({ status: 'failed' });
  const { body } = await rig.submit('WriteFile', { path: '~/work/fresh.txt', content: WRITTEN_TEXT });
  await allowed(body);
  const read = await rig.submit('ReadFile', { path: '~/work/fresh.txt' });
  expect(read.body).toMatchObject({ status: 'success', data: { text: WRITTEN_TEXT } });
});

test('F3: a secret is blocked under every profile, by its real path', async () => {
  symlinkSync(rig.at('.ssh'), rig.at('work/harmless'));
  const { body: profiles } = await rig.console<{ items: { name: string }[] }>('/profiles');
  expect(profiles.items.length).toBeGreaterThan(2);
  for (const { name } of profiles.items) {
    await rig.console('/users/ann/profile', { method: 'PUT', body: { profile: name } });
    const blocked = await rig.submit('ReadFile', { path: '~/work/harmless/id_ed25519' });
    expect(blocked.body, name).toMatchObject({ status: 403, code: 'action_blocked' });
  }
  await rig.console('/users/ann/profile', { method: 'PUT', body: { profile: 'assist' } });
  expect(await rig.person.prompts()).toEqual([]);
});

test('F2: a link that takes the place of a folder between prompt and approval fails the action, and nothing is touched', async () => {
  const { body } = await rig.submit('WriteFile', { path: '~/work/letter.txt', content: WRITTEN_TEXT });
  renameSync(rig.at('work'), rig.at('work-aside'));
  symlinkSync(rig.at('outside'), rig.at('work'));
  try {
    expect(await allowed(body)).toMatchObject({ status: 'failed', error: { code: 'target_changed' }, effect: 'none' });
    expect(readFileSync(rig.at('outside/letter.txt'), 'utf8')).toBe(OUTSIDE_TEXT);
  } finally {
    renameSync(rig.at('work'), rig.at('work/../link'));
    renameSync(rig.at('work-aside'), rig.at('work'));
    rig.removeLink('link');
  }
  expect(outsideNow()).toEqual(outside);
});

test('a file that takes the place of the judged one between prompt and approval is not overwritten', async () => {
  writeFileSync(rig.at('work/first.txt'), 'first');
  const parameters = { path: '~/work/first.txt', content: WRITTEN_TEXT, overwrite: true };
  const { body } = await rig.submit('WriteFile', parameters);
  expect(body).toMatchObject({ status: 'awaiting_confirmation', risk: { level: 'high' } });
  writeFileSync(rig.at('work/second.txt'), 'second');
  renameSync(rig.at('work/second.txt'), rig.at('work/first.txt'));
  expect(await allowed(body)).toMatchObject({ status: 'failed', error: { code: 'target_changed' } });
  expect(readFileSync(rig.at('work/first.txt'), 'utf8')).toBe('second');
});

test('a task writes a file and reads it back with one plan prompt', async () => {
  const { targetDeviceId } = rig;
  const path = '~/work/plan.txt';
  const { body: task } = await rig.daemon.call<Task>('/api/tee/tasks', {
    userId: 'ann',
    body: {
      steps: [
        { id: 'write', actionType: 'WriteFile', targetDeviceId, parameters: { path, content: WRITTEN_TEXT } },
        { id: 'read', actionType: 'ReadFile', targetDeviceId, parameters: { path }, dependsOn: ['write'] },
      ],
    },
  });
  expect(await rig.person.prompts()).toMatchObject([
    {
      plan: {
        steps: [
          { id: 'write', consent: 'asked' },
          { id: 'read', consent: 'none' },
        ],
      },
    },
  ]);
  await rig.answer('allow');
  const ended = await rig.endedTask(task);
  expect(ended).toMatchObject({ status: 'success', steps: [{ attempts: 1 }, { attempts: 1 }] });
  const read = await rig.actionOf({ actionId: String(ended.steps[1]?.actionId) });
  expect(read).toMatchObject({ data: { text: WRITTEN_TEXT } });
  expect(await rig.person.prompts()).toEqual([]);
});

test('a plan names the place to which a link leads, and not the link', async () => {
  symlinkSync(rig.at('outside'), rig.at('work/short'));
  const parameters = { path: '~/work/short/plan.txt', content: WRITTEN_TEXT };
  const steps = [{ id: 'write', actionType: 'WriteFile', targetDeviceId: rig.targetDeviceId, parameters }];
  await rig.daemon.call<Task>('/api/tee/tasks', { userId: 'ann', body: { steps } });
  const [prompt] = await rig.person.prompts();
  const sentence = `Create “plan.txt” in ${rig.at('outside')}`;
  expect(prompt).toMatchObject({ prompt: { sentence }, plan: { steps: [{ sentence, risk: { level: 'high' } }] } });
  await rig.answer('deny');
  rig.removeLink('work/short');
});

const WITHDRAWN = {
  status: 'cancelled',
  details:
    'The person took back a folder that this action needs, so its prompt was withdrawn; nothing was done. If you submit it again, it is of high risk and needs a new approval.',
};

test('a folder in which the person allows only reading withdraws the prompts that write there, and no other', async () => {
  const written = await rig.submit('WriteFile', { path: '~/work/late.txt', content: WRITTEN_TEXT });
  const elsewhere = await rig.submit('ReadFile', { path: '~/outside/letter.txt' });
  expect((await rig.person.prompts()).length).toBe(2);
  await rig.allow('~/work', 'read');
  expect(await rig.actionOf(written.body)).toMatchObject(WITHDRAWN);
  expect(await rig.actionOf(elsewhere.body)).toMatchObject({ status: 'awaiting_confirmation' });
  expect(await rig.person.prompts()).toMatchObject([{ action: { actionId: elsewhere.body.actionId } }]);
  await cancelled(elsewhere.body);
  await rig.allow('~/work');
});

test('a folder in which the person allows more withdraws no prompt', async () => {
  await rig.allow('~/work', 'read');
  const { body } = await rig.submit('WriteFile', { path: '~/work/more.txt', content: WRITTEN_TEXT });
  await rig.allow('~/work');
  expect(await rig.actionOf(body)).toMatchObject({ status: 'awaiting_confirmation' });
  await cancelled(body);
});

test('a folder that the person takes back withdraws its prompts, and reading asks again', async () => {
  const { body } = await rig.submit('WriteFile', { path: '~/work/late.txt', content: WRITTEN_TEXT });
  expect(body.status).toBe('awaiting_confirmation');
  const [prompt] = await rig.person.prompts();
  expect((await rig.takeBack(rig.at('work'))).body.items).toEqual([]);
  expect(await rig.person.prompts()).toEqual([]);
  expect(await rig.actionOf(body)).toMatchObject(WITHDRAWN);
  const late = { decision: 'allow', nonce: prompt?.nonce, actionDigest: prompt?.actionDigest };
  expect(await rig.console(`/confirmations/${prompt?.id}/decision`, { method: 'POST', body: late })).toMatchObject({
    status: 410,
    body: { code: 'confirmation_expired' },
  });
  expect(rig.ledger().filter((line) => line.includes('late.txt'))).toEqual([]);
  const asked = await rig.submit('ReadFile', { path: '~/work/new.txt' });
  expect(asked.body).toMatchObject({ status: 'awaiting_confirmation', risk: { level: 'high' } });
});

test('the whole disk and secret folders cannot be allowed', async () => {
  expect(await rig.allow('/')).toMatchObject({ status: 400 });
  expect(await rig.allow('~/.ssh')).toMatchObject({ status: 400 });
  expect((await rig.console<{ items: unknown[] }>('/folders')).body.items).toEqual([]);
});

test('outside of the allowed folder nothing changed, and no journal or log holds contents of files', () => {
  expect(outsideNow()).toEqual(outside);
  const database = new Database(join(rig.daemon.dataDirectory, 'handrail.db'), { readonly: true });
  const journal = JSON.stringify(database.prepare('SELECT * FROM journal').all());
  database.close();
  expect(journal).toContain('folder.allowed');
  for (const text of [OUTSIDE_TEXT, SECRET_TEXT, NOTES_TEXT, WRITTEN_TEXT, rig.at('work')]) {
    expect(journal).not.toContain(text);
    expect(rig.daemon.log()).not.toContain(text);
  }
});
