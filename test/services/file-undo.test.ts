import { truncateSync, writeFileSync } from 'node:fs';
import { expect, vi } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import type { UndoFacts } from '../../src/contract/files.ts';
import { UNDO_FILE } from '../../src/contract/link.ts';
import { PATIENCE } from '../runner/patience.ts';
import { answerLook } from './looks.ts';
import { done, notDone, type Rig, startServices, test } from './rig.ts';
import { answerPrompt, settle } from './tasks-rig.ts';

const FOLDER = { device: '1', inode: '2' };
const FORMER = { device: '1', inode: '10' };
const WRITTEN = { device: '1', inode: '11' };
const PATH = '/home/ann/notes.txt';
const DAY_MS = 24 * 3_600_000;

function overwritten(from = FORMER, left = WRITTEN): UndoFacts {
  const former = { identity: from, sha256: 'a'.repeat(64), mode: 0o640 };
  return { kind: 'overwritten', path: PATH, folder: FOLDER, left: { identity: left, sha256: 'b'.repeat(64) }, former };
}

/** An action that the person allowed, and that overwrote the file. */
async function written(rig: Rig, undo: UndoFacts | undefined = overwritten()): Promise<Action> {
  const submission = rig.submitted({
    actionType: 'WriteFile',
    parameters: { path: PATH, content: 'other', overwrite: true },
  });
  await settle();
  const at = { path: PATH, realPath: PATH, folder: FOLDER };
  await answerLook(rig, { ...at, kind: 'file', identity: FORMER, sizeBytes: 6, names: 1 });
  const { actionId } = await submission;
  await answerPrompt(rig, 'allow');
  await rig.agent.answer(done({ effect: 'confirmed', undo }));
  return now(rig, actionId);
}

function now(rig: Rig, actionId: string): Action {
  const action = rig.services.actions.get('ann', actionId);
  if ('refused' in action) throw new Error(action.detail);
  return action;
}

const BACK = done({ effect: 'confirmed', data: { path: PATH, identity: { device: '1', inode: '12' } } });
const sentUndos = ({ agent }: Rig) => agent.sent.filter(({ actionType }) => actionType === UNDO_FILE);

test('an overwritten file can be put back for 24 hours, and the agent is told what to compare', async ({ rig }) => {
  const { actionId, undo } = await written(rig);
  expect(undo).toMatchObject({ kind: 'overwritten', path: PATH });
  expect(Date.parse(String(undo?.until)) - Date.parse(String(now(rig, actionId).finishedAt))).toBe(DAY_MS);
  const answer = rig.services.console.fileUndos.undo(actionId);
  const [sent] = sentUndos(rig);
  expect(sent).toMatchObject({
    effectClass: 'once',
    parameters: { undo: overwritten(), formerAt: rig.store.formerVersions.pathOf(actionId) },
  });
  await rig.agent.answer(BACK);
  expect(await answer).toMatchObject({ actionId, undo: { kind: 'overwritten', undoneAt: expect.any(String) } });
  expect(rig.kinds().slice(-2)).toEqual(['file.undo_requested', 'file.undone']);
  const detail = rig.services.console.activity.detail(actionId);
  expect('journal' in detail && detail.journal.map(({ kind }) => kind).slice(-2)).toEqual([
    'file.undo_requested',
    'file.undone',
  ]);
});

test('an undo works once: a second one is refused, also while the first is under way', async ({ rig }) => {
  const { actionId } = await written(rig);
  const first = rig.services.console.fileUndos.undo(actionId);
  const second = await rig.services.console.fileUndos.undo(actionId);
  expect(second).toMatchObject({ refused: 'undo_not_possible', facts: { reason: 'under_way' } });
  await rig.agent.answer(BACK);
  await first;
  const third = await rig.services.console.fileUndos.undo(actionId);
  expect(third).toMatchObject({ refused: 'undo_not_possible', facts: { reason: 'undone' } });
  expect(sentUndos(rig)).toHaveLength(1);
});

test('the agent’s reason is answered, and the undo can be tried again', async ({ rig }) => {
  const { actionId } = await written(rig);
  const first = rig.services.console.fileUndos.undo(actionId);
  await rig.agent.answer(notDone({ code: 'target_changed', message: 'It was changed.', fix: 'Look at it.' }));
  expect(await first).toEqual({
    refused: 'undo_not_possible',
    detail: 'It was changed. Look at it.',
    facts: { reason: 'target_changed' },
  });
  expect(rig.kinds().at(-1)).toBe('file.undo_failed');
  const second = rig.services.console.fileUndos.undo(actionId);
  await rig.agent.answer(BACK);
  expect(await second).toMatchObject({ actionId });
});

test('an agent that does not answer within a minute leaves the outcome open', async ({ rig }) => {
  const { actionId } = await written(rig);
  const answer = rig.services.console.fileUndos.undo(actionId);
  await rig.clock.advance(60_000);
  expect(await answer).toMatchObject({
    refused: 'device_offline',
    detail: expect.stringContaining('Look at the file'),
  });
  rig.agent.become('offline');
  expect(await rig.services.console.fileUndos.undo(actionId)).toMatchObject({ refused: 'device_offline' });
});

test('after 24 hours nothing can be undone, and the paths are forgotten', async ({ rig }) => {
  const { actionId } = await written(rig);
  await rig.clock.advance(DAY_MS - 60_000);
  expect(now(rig, actionId).undo).toBeDefined();
  await rig.clock.advance(60_000);
  expect(now(rig, actionId).undo).toBeUndefined();
  expect(await rig.services.console.fileUndos.undo(actionId)).toMatchObject({ refused: 'undo_expired' });
  await rig.clock.advance(120_000);
  await vi.waitFor(() => expect(rig.store.undos.find(actionId)).toBeUndefined(), PATIENCE);
  expect(await rig.services.console.fileUndos.undo(actionId)).toMatchObject({ facts: { reason: 'nothing_to_undo' } });
});

test('other actions leave nothing to undo, and a claim about a file that was not judged is not kept', async () => {
  const rig = startServices();
  const { actionId } = await rig.submitted({ parameters: { durationMs: 1 } });
  await rig.agent.answer(done());
  expect(await rig.services.console.fileUndos.undo(actionId)).toMatchObject({ facts: { reason: 'nothing_to_undo' } });
  expect(await rig.services.console.fileUndos.undo('act_0')).toMatchObject({ refused: 'action_not_found' });
  const forged = await written(rig, { ...overwritten(), path: '/home/ann/.bashrc' });
  expect([forged.status, forged.undo]).toEqual(['success', undefined]);
});

test('two actions on one file are undone one after the other: the first version is there in the end', async () => {
  const rig = startServices();
  const first = await written(rig);
  const second = await written(rig, overwritten(WRITTEN, { device: '1', inode: '20' }));
  const undone = rig.services.console.fileUndos.undo(second.actionId);
  await rig.agent.answer(BACK);
  await undone;
  void rig.services.console.fileUndos.undo(first.actionId);
  expect(sentUndos(rig).at(-1)).toMatchObject({
    parameters: { undo: { left: { identity: { inode: '12' }, sha256: 'b'.repeat(64) }, former: { identity: FORMER } } },
  });
});

test('the person can put a file back while everything is stopped', async ({ rig }) => {
  const { actionId } = await written(rig);
  rig.services.console.pause();
  const answer = rig.services.console.fileUndos.undo(actionId);
  await rig.agent.answer(BACK);
  expect(await answer).toMatchObject({ undo: { undoneAt: expect.any(String) } });
});

test('an undo whose former version made room for newer ones has the time of the removal instead of an end, and is refused with the cause and a way out', async () => {
  const rig = startServices();
  const { actionId } = await written(rig);
  const other = await written(rig, overwritten(WRITTEN, { device: '1', inode: '20' }));
  for (const id of [actionId, other.actionId]) {
    writeFileSync(rig.store.formerVersions.pathOf(id), '');
    truncateSync(rig.store.formerVersions.pathOf(id), 1024 ** 3);
  }
  await rig.clock.advance(100);
  const removed = { kind: 'overwritten', path: PATH, isFolder: false, formerRemovedAt: expect.any(String) };
  await vi.waitFor(() => expect(now(rig, actionId).undo).toEqual(removed), PATIENCE);
  expect(await rig.services.console.fileUndos.undo(actionId)).toEqual({
    refused: 'undo_not_possible',
    detail:
      'The former version of /home/ann/notes.txt was removed to make room for newer ones: at most 1 GiB and 1,000 former versions are kept. The file stays as it is. Restore the former version from a backup, such as Time Machine.',
    facts: { reason: 'former_removed' },
  });
  expect(sentUndos(rig)).toEqual([]);
  expect(now(rig, other.actionId).undo).toMatchObject({ kind: 'overwritten', until: expect.any(String) });
});
