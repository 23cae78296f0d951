import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { MAX_FORMER_BYTES } from '../../../src/contract/files.ts';
import { FORMER_VERSIONS_QUOTA } from '../../../src/contract/times.ts';
import { createFormerVersionsQuota } from '../../../src/services/records/contents-quota.ts';
import { dataDirectoryAt } from '../../../src/store/database/data-directory.ts';
import { PATIENCE } from '../../runner/patience.ts';
import { actionIn, type Rig, startServices, test } from '../rig.ts';

const MIB = 1024 * 1024;
const IDENTITY = { device: '1', inode: '2' };
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };

/** A copy of so many bytes, as the agent leaves one, and the undo of its action. Sparse, so it takes no space. */
function keep(rig: Rig, actionId: string, bytes: number): void {
  const path = rig.store.formerVersions.pathOf(actionId);
  writeFileSync(path, '');
  truncateSync(path, bytes);
  const left = { identity: IDENTITY, sha256: 'b'.repeat(64) };
  const former = { identity: IDENTITY, sha256: 'a'.repeat(64), mode: 0o644 };
  const facts = { kind: 'overwritten', path: `/home/ann/${actionId}`, folder: IDENTITY, left, former } as const;
  rig.store.write('relaxed', () => rig.store.undos.insert({ actionId, facts, untilMs: rig.clock.nowMs() + 1_000 }));
}

const folderOf = (rig: Rig) => dataDirectoryAt(rig.store.path).formerVersions;
const kept = (rig: Rig) => readdirSync(folderOf(rig)).toSorted();
const isPromised = (rig: Rig, actionId: string) => rig.store.undos.find(actionId)?.formerRemovedAtMs === undefined;
const quotaOf = ({ store, clock }: Rig, quota = FORMER_VERSIONS_QUOTA) =>
  createFormerVersionsQuota({ store, clock, log }, quota);

test('the largest copy of a former version fits in the quota', () => {
  expect(MAX_FORMER_BYTES).toBeLessThan(FORMER_VERSIONS_QUOTA.bytes);
});

test('1 GiB of former versions is kept; with one byte more the oldest goes, and its action has no undo', async () => {
  const rig = startServices();
  for (const id of ['act_1', 'act_2', 'act_3', 'act_4']) keep(rig, id, 256 * MIB);
  const quota = quotaOf(rig);
  await quota.enforce();
  expect(kept(rig)).toEqual(['act_1', 'act_2', 'act_3', 'act_4']);
  expect(quota.storage()).toEqual({ usedBytes: 1024 * MIB, limitBytes: 1024 * MIB, files: 4, limitFiles: 1_000 });

  keep(rig, 'act_5', 1);
  await quota.enforce();
  expect(kept(rig)).toEqual(['act_2', 'act_3', 'act_4', 'act_5']);
  expect(quota.storage()).toMatchObject({ usedBytes: 768 * MIB + 1, files: 4 });
  expect(['act_1', 'act_2', 'act_5'].map((id) => isPromised(rig, id))).toEqual([false, true, true]);
});

test('1,000 former versions are kept, however small; with one more the oldest goes', async ({ rig }) => {
  const ids = Array.from({ length: 1_001 }, (_none, index) => `act_${String(index).padStart(4, '0')}`);
  for (const id of ids.slice(0, 1_000)) keep(rig, id, 1);
  const quota = quotaOf(rig);
  await quota.enforce();
  expect(kept(rig)).toHaveLength(1_000);
  keep(rig, 'act_1000', 1);
  await quota.enforce();
  expect(kept(rig)).toEqual(ids.slice(1));
});

/** An action of a requester, which left a copy of so many bytes. Answers its id. */
async function keptFor(rig: Rig, userId: string, bytes: number): Promise<string> {
  const body = { targetDeviceId: rig.deviceOf(userId), parameters: { durationMs: 1 } };
  const { actionId } = actionIn(await rig.submit(body, { userId, waitMs: 0 })).action;
  keep(rig, actionId, bytes);
  return actionId;
}

test('the overwrites of one requester never push out the former versions of another that uses less', async () => {
  const rig = startServices();
  const old = await keptFor(rig, 'ann', 10);
  const many: string[] = [];
  for (let count = 0; count < 6; count += 1) many.push(await keptFor(rig, 'ben', 10));
  await quotaOf(rig, { bytes: 40, files: 10 }).enforce();
  expect(kept(rig)).toEqual([old, ...many.slice(3)]);
  const removed = many.slice(0, 3);
  expect([old, ...many].filter((id) => !isPromised(rig, id))).toEqual(removed);
});

test('bytes and files are shared each by themselves: many small files do not push out one large file', async () => {
  const rig = startServices();
  const large = await keptFor(rig, 'ann', 90);
  const small: string[] = [];
  for (let count = 0; count < 4; count += 1) small.push(await keptFor(rig, 'ben', 1));
  await quotaOf(rig, { bytes: 100, files: 3 }).enforce();
  expect(kept(rig)).toEqual([large, ...small.slice(2)]);
  await quotaOf(rig, { bytes: 50, files: 3 }).enforce();
  expect(kept(rig)).toEqual(small.slice(2));
});

test('requesters that use the same lose their oldest former version in turn', async ({ rig }) => {
  const ids: string[] = [];
  for (const userId of ['ann', 'ben', 'ann', 'ben']) ids.push(await keptFor(rig, userId, 10));
  await quotaOf(rig, { bytes: 30, files: 10 }).enforce();
  expect(kept(rig)).toEqual(ids.slice(1));
  await quotaOf(rig, { bytes: 20, files: 10 }).enforce();
  expect(kept(rig)).toEqual(ids.slice(2));
});

test('a copy that a failed action left is counted and removed like any other', async ({ rig }) => {
  writeFileSync(rig.store.formerVersions.pathOf('act_0'), 'no undo');
  keep(rig, 'act_1', 10);
  await quotaOf(rig, { bytes: 10, files: 10 }).enforce();
  expect([kept(rig), isPromised(rig, 'act_1')]).toEqual([['act_1'], true]);
});

test('a copy whose file was put back already goes without a note', async ({ rig }) => {
  keep(rig, 'act_1', 10);
  rig.store.write('relaxed', () => rig.store.undos.markUndone('act_1', 5));
  await quotaOf(rig, { bytes: 1, files: 1 }).enforce();
  const undo = rig.store.undos.find('act_1');
  expect([undo?.undoneAtMs, undo?.formerRemovedAtMs]).toEqual([5, undefined]);
  expect(kept(rig)).toEqual([]);
});

test('the folder is looked at at the start and soon after an action on files, without a sweep, and not after the end', async () => {
  const rig = startServices();
  keep(rig, 'act_1', 10);
  const quota = quotaOf(rig, { bytes: 10, files: 10 });
  await rig.clock.advance(100);
  await vi.waitFor(() => expect(quota.storage()).toMatchObject({ usedBytes: 10, files: 1 }), PATIENCE);
  keep(rig, 'act_2', 10);
  rig.store.formerVersions.mayHaveGrown();
  await rig.clock.advance(100);
  await vi.waitFor(() => expect(kept(rig)).toEqual(['act_2']), PATIENCE);
  quota.end();
  keep(rig, 'act_3', 10);
  rig.store.formerVersions.mayHaveGrown();
  await rig.clock.advance(100);
  await quota.enforce();
  expect(kept(rig)).toEqual(['act_2', 'act_3']);
});

test('health tells what is kept and the limits, also after a restart', async ({ rig }) => {
  keep(rig, 'act_1', 4_096);
  const told = { usedBytes: 4_096, limitBytes: 1_073_741_824, files: 1, limitFiles: 1_000 };
  await rig.clock.advance(100);
  await vi.waitFor(() => expect(rig.services.health().storage.formerVersions).toEqual(told), PATIENCE);
  const again = rig.crashAndRestart();
  await again.clock.advance(100);
  await vi.waitFor(() => expect(again.services.health().storage.formerVersions).toEqual(told), PATIENCE);
});

test('while the store takes no changes nothing is removed, so that no record promises what is gone', async () => {
  const rig = startServices();
  for (const id of ['act_1', 'act_2']) keep(rig, id, 10);
  const quota = quotaOf({ ...rig, store: { ...rig.store, write: refusing } }, { bytes: 10, files: 10 });
  await expect(quota.enforce()).rejects.toThrow('full disk');
  expect(existsSync(join(folderOf(rig), 'act_1'))).toBe(true);
  await quotaOf(rig, { bytes: 10, files: 10 }).enforce();
  expect([kept(rig), isPromised(rig, 'act_1')]).toEqual([['act_2'], false]);
});

function refusing(): never {
  throw new Error('full disk');
}
