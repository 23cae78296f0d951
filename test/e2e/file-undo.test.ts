import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { until } from '../desktop/processes.ts';
import { type FilesRig, NOTES_TEXT, startFilesRig } from './files-rig.ts';

const WRITTEN_TEXT = 'canary-written-77c2';

let rig: FilesRig;

beforeAll(async () => {
  rig = await startFilesRig();
  await rig.allow('~/work');
});

beforeEach(() => writeFileSync(rig.at('work/notes.txt'), NOTES_TEXT));

afterAll(() => rig.stop());

async function run(actionType: string, parameters: Record<string, unknown>): Promise<Action> {
  const ended = await rig.run(actionType, parameters);
  expect(ended.status).toBe('success');
  return ended;
}

const overwrite = (content = WRITTEN_TEXT) => run('WriteFile', { path: '~/work/notes.txt', content, overwrite: true });
const undo = ({ actionId }: Action) =>
  rig.console<Action & { code: string; detail: string; reason: string }>(`/actions/${actionId}/undo`, {
    method: 'POST',
  });
const notes = () => readFileSync(rig.at('work/notes.txt'), 'utf8');

test('the prompt promises the undo, and the undo brings the former version back', async () => {
  const { body } = await rig.submit('WriteFile', { path: '~/work/notes.txt', content: 'x', overwrite: true });
  const [prompt] = await rig.person.prompts();
  expect(prompt?.prompt.changes).toBe(
    'Replaces the whole file. You can undo this for 24 hours, unless newer copies need the room: Handrail keeps at most 1 GiB and 1,000 former versions, and removes the oldest of the requester that uses the most.',
  );
  await rig.answer('allow');
  const action = await until('it is written', async () => {
    const now = await rig.actionOf(body);
    return now.undo === undefined ? undefined : now;
  });
  expect(notes()).toBe('x');
  const others = rig.ledger().filter((line) => !line.startsWith('work'));
  expect(await undo(action)).toMatchObject({ status: 200, body: { undo: { undoneAt: expect.any(String) } } });
  expect([notes(), rig.ledger().filter((line) => !line.startsWith('work'))]).toEqual([NOTES_TEXT, others]);
  expect(await undo(action)).toMatchObject({ status: 409, body: { code: 'undo_not_possible', reason: 'undone' } });
});

test('a trashed file and a trashed folder come back to their places', async () => {
  const { ino } = statSync(rig.at('work/notes.txt'));
  const trashed = await run('TrashFile', { path: '~/work/notes.txt' });
  expect(rig.ledger().some((line) => line.startsWith('work/notes.txt'))).toBe(false);
  expect(trashed.undo).toMatchObject({ kind: 'trashed', path: rig.at('work/notes.txt'), isFolder: false });
  expect((await undo(trashed)).status).toBe(200);
  expect([notes(), statSync(rig.at('work/notes.txt')).ino]).toEqual([NOTES_TEXT, ino]);
});

test('F6: a file that changed since, or a place that is taken, stays as it is, and the answer says why', async () => {
  const written = await overwrite();
  appendFileSync(rig.at('work/notes.txt'), ' and newer');
  expect(await undo(written)).toMatchObject({
    status: 409,
    body: {
      code: 'undo_not_possible',
      reason: 'target_changed',
      detail: `${rig.at('work/notes.txt')} was changed after this action wrote it, so it stays as it is. If a later action changed it, undo that one first.`,
    },
  });
  expect(notes()).toBe(`${WRITTEN_TEXT} and newer`);
  const trashed = await run('TrashFile', { path: '~/work/notes.txt' });
  writeFileSync(rig.at('work/notes.txt'), 'somebody was faster');
  expect(await undo(trashed)).toMatchObject({ status: 409, body: { reason: 'already_exists' } });
  expect(notes()).toBe('somebody was faster');
  rmSync(rig.at('work/notes.txt'));
  expect((await undo(trashed)).status).toBe(200);
  expect(notes()).toBe(`${WRITTEN_TEXT} and newer`);
});

test('two overwrites are undone from the last one to the first one', async () => {
  const first = await overwrite('one');
  const second = await overwrite('two');
  expect(await undo(first)).toMatchObject({ status: 409, body: { reason: 'target_changed' } });
  expect([(await undo(second)).status, notes()]).toEqual([200, 'one']);
  expect([(await undo(first)).status, notes()]).toEqual([200, NOTES_TEXT]);
});

test('the person gets a file back also after the requester lost the folder, and while everything is stopped', async () => {
  const written = await overwrite();
  await rig.takeBack(rig.at('work'));
  await rig.console('/pause', { method: 'POST' });
  expect([(await undo(written)).status, notes()]).toEqual([200, NOTES_TEXT]);
  await rig.console('/resume', { method: 'POST' });
  await rig.allow('~/work');
});

test('F6: a requester cannot undo, by no route and with no key, and no type UndoFile exists', async () => {
  const written = await overwrite();
  const { base } = rig.daemon;
  for (const headers of [{}, { 'x-user-id': 'ann' }, { authorization: 'Bearer wrong' }]) {
    const path = `${base}/api/console/actions/${written.actionId}/undo`;
    const { status } = await fetch(path, { method: 'POST', headers: { origin: base, ...headers } });
    expect([401, 403]).toContain(status);
  }
  const { status } = await rig.daemon.call(`/api/tee/actions/${written.actionId}/undo`, { userId: 'ann', body: {} });
  expect(status).toBe(404);
  expect(await rig.submit('UndoFile', {})).toMatchObject({ status: 422, body: { code: 'unknown_action_type' } });
  expect(notes()).toBe(WRITTEN_TEXT);
});

test('the journal tells of each undo without contents and paths', () => {
  const database = new Database(join(rig.daemon.dataDirectory, 'handrail.db'), { readonly: true });
  const rows = database.prepare("SELECT kind, metadata FROM journal WHERE kind LIKE 'file.%'").all();
  database.close();
  expect(rows).toContainEqual({ kind: 'file.undone', metadata: '{"what":"overwritten"}' });
  expect(rows).toContainEqual({ kind: 'file.undone', metadata: '{"what":"trashed"}' });
  expect(rows).toContainEqual({
    kind: 'file.undo_failed',
    metadata: '{"errorCode":"target_changed","what":"overwritten"}',
  });
  for (const text of [rig.at('work'), WRITTEN_TEXT, NOTES_TEXT]) expect(JSON.stringify(rows)).not.toContain(text);
});
