import { hash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { ulid } from 'ulid';
import { expect } from 'vitest';
import { createArtifactService } from '../../../src/services/records/artifacts.ts';
import { CONTENTS_QUOTA, createContentsQuota } from '../../../src/services/records/contents-quota.ts';
import { isRefusal } from '../../../src/services/refusal.ts';
import { dataDirectoryAt } from '../../../src/store/database/data-directory.ts';
import type { KeptContent } from '../../../src/store/records/artifacts.ts';
import { actionIn, done, type Rig, startServices, test } from '../rig.ts';
import { submitTask } from '../tasks-rig.ts';

const KIB = 1024;
const PARAMETERS = { durationMs: 0 };
/** With the parameters and the JSON around both 10 KiB. */
const RESULT = { text: 'x'.repeat(10 * KIB - JSON.stringify([{ text: '' }, PARAMETERS]).length + '[,]'.length) };

test('beyond the quota of a user the oldest results of that user are forgotten, and the records stay', async () => {
  const rig = startServices();
  const others = await ran(rig, 'bob');
  const ids = [];
  for (let count = 0; count < 4; count += 1) ids.push(await ran(rig, 'ann'));
  await quotaOf(rig, { perUser: 40 * KIB, inAll: 1_000 * KIB }).enforce();
  expect([others, ...ids].map((id) => hasResult(rig, id))).toEqual([true, true, true, true, true]);

  ids.push(await ran(rig, 'ann'));
  await quotaOf(rig, { perUser: 40 * KIB, inAll: 1_000 * KIB }).enforce();
  expect([others, ...ids].map((id) => hasResult(rig, id))).toEqual([true, false, true, true, true, true]);
  const [oldest = ''] = ids;
  const record = rig.services.actions.get('ann', oldest);
  expect(record).toMatchObject({ status: 'success', details: 'Done.' });
  expect(record).not.toHaveProperty('data');
});

test('beyond the quota of all users the oldest results of any user are forgotten', async ({ rig }) => {
  const ids = [await ran(rig, 'ann'), await ran(rig, 'bob'), await ran(rig, 'carl')];
  await quotaOf(rig, { perUser: 1_000 * KIB, inAll: 30 * KIB }).enforce();
  expect(ids.map((id) => hasResult(rig, id))).toEqual([true, true, true]);
  ids.push(await ran(rig, 'ann'));
  await quotaOf(rig, { perUser: 1_000 * KIB, inAll: 30 * KIB }).enforce();
  expect(ids.map((id) => hasResult(rig, id))).toEqual([false, true, true, true]);
});

test('a quota is enforced soon after something was stored, without a sweep', async ({ rig }) => {
  quotaOf(rig, { perUser: 15 * KIB, inAll: 1_000 * KIB });
  const ids = [await ran(rig, 'ann'), await ran(rig, 'ann')];
  expect(ids.map((id) => hasResult(rig, id))).toEqual([true, true]);
  rig.clock.advance(99);
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  expect(ids.map((id) => hasResult(rig, id))).toEqual([true, true]);
  rig.clock.advance(1);
  await expect.poll(() => ids.map((id) => hasResult(rig, id))).toEqual([false, true]);
});

test('an action that has not ended keeps its parameters, and does not count', async ({ rig }) => {
  const { actionId } = await rig.submitted({ parameters: PARAMETERS });
  expect(rig.store.kept.bytesInAll('results')).toBe(0);
  await quotaOf(rig, { perUser: 0, inAll: 0 }).enforce();
  expect(rig.store.actions.findById(actionId)?.parameters).toEqual(PARAMETERS);
  await rig.agent.answer(done({ data: RESULT }));
  expect(rig.store.kept.bytesInAll('results')).toBe(JSON.stringify([RESULT, PARAMETERS]).length - '[,]'.length);
});

test('contents of up to 512 bytes count as part of their record', async ({ rig }) => {
  const parameters = JSON.stringify(PARAMETERS).length;
  const withBytes = (bytes: number) => ({ text: 'x'.repeat(bytes - parameters - '{"text":""}'.length) });
  await ran(rig, 'ann', withBytes(512));
  expect(rig.store.kept.bytesInAll('results')).toBe(0);
  await ran(rig, 'ann', withBytes(513));
  expect(rig.store.kept.bytesInAll('results')).toBe(513);
});

test('a repeated key gets the record after its result was forgotten, and nothing is done twice', async ({ rig }) => {
  const submit = () => rig.submit({ parameters: PARAMETERS }, { userId: 'ann', idempotencyKey: 'one-key' });
  const first = submit();
  await new Promise(setImmediate);
  await rig.agent.answer(done({ data: RESULT }));
  const { action, replayed } = actionIn(await first);
  expect([action.data, replayed]).toEqual([RESULT, false]);
  expect(actionIn(await submit())).toEqual({ kind: 'action', action, replayed: true });

  await quotaOf(rig, { perUser: 1, inAll: 1 }).enforce();
  const again = actionIn(await submit());
  const { data: _, ...withoutData } = action;
  expect(again).toEqual({ kind: 'action', action: withoutData, replayed: true });
  expect(rig.agent.sent.length).toBe(1);
});

test('the steps and the answer of a task count, and are forgotten once the task has ended', async ({ rig }) => {
  const steps = Array.from({ length: 40 }, (_, index) => ({ id: `step-${index}`, parameters: PARAMETERS }));
  const submit = () => submitTask(rig, steps, { idempotencyKey: 'key-of-a-task', waitMs: 0 });
  const answer = await submit();
  if (isRefusal(answer) || answer.kind !== 'task') throw new Error('expected a task');
  const { taskId } = answer.task;
  const whileRunning = rig.store.kept.bytesOfUser('results', 'ann');
  expect(whileRunning).toBe(Buffer.byteLength(JSON.stringify(answer.task)));
  for (let next = 0; next < steps.length; next += 1) {
    await expect.poll(() => rig.agent.sent.length).toBeGreaterThan(next);
    await rig.agent.answer(done({ data: undefined }), rig.agent.sent[next]);
  }
  await expect.poll(() => rig.store.tasks.findById(taskId)?.status).toBe('success');
  const parameters = steps.length * JSON.stringify(PARAMETERS).length;
  expect(rig.store.kept.bytesOfUser('results', 'ann')).toBe(whileRunning + parameters);

  await quotaOf(rig, { perUser: 1, inAll: 1 }).enforce();
  expect(rig.store.kept.bytesOfUser('results', 'ann')).toBe(0);
  expect(rig.store.tasks.findById(taskId)?.steps.map((step) => step.parameters)).toEqual(steps.map(() => undefined));
  expect(await submit()).toMatchObject({ kind: 'task', replayed: true, task: { taskId, status: 'success' } });
});

test('beyond the quota of a user the oldest artifacts are removed with their files, and answer 410', async () => {
  const rig = startServices();
  const ids = [await captured(rig, 'ann'), await captured(rig, 'bob'), await captured(rig, 'ann')];
  const artifacts = createArtifactService(rig.context);
  const quota = (perUser: number) =>
    createContentsQuota(rig.context, {
      removeArtifacts: artifacts.expire,
      quota: { results: CONTENTS_QUOTA.results, artifacts: { perUser, inAll: 1_000 * KIB } },
    });
  await quota(20 * KIB).enforce();
  expect(ids.map((id) => existsSync(fileOf(rig, id)))).toEqual([true, true, true]);
  expect(quota(20 * KIB).storage().artifacts.usedBytes).toBe(30 * KIB);
  await quota(20 * KIB - 1).enforce();
  expect(ids.map((id) => existsSync(fileOf(rig, id)))).toEqual([false, true, true]);
  const [oldest = ''] = ids;
  expect(await rig.services.artifacts.open('ann', oldest)).toMatchObject({ refused: 'artifact_expired' });
  expect(rig.services.health().storage.artifacts).toEqual({
    usedBytes: 20 * KIB,
    limitBytes: 524_288_000,
    limitBytesPerUser: 262_144_000,
  });
});

test('at the quota the pages of forgotten results are used again, and a restart knows what is kept', async () => {
  const rig = startServices();
  const quota = quotaOf(rig, { perUser: 500 * KIB, inAll: 1_000 * KIB });
  const writeResults = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      await ran(rig, 'ann', { text: 'x'.repeat(100 * KIB) });
      await quota.enforce();
    }
    return databaseBytes(rig);
  };
  const before = await writeResults(20);
  const after = await writeResults(100);
  expect(after - before).toBeLessThan(100 * 10 * KIB);
  const { usedBytes } = rig.services.health().storage.results;
  expect(usedBytes).toBeLessThanOrEqual(500 * KIB);
  expect(usedBytes).toBeGreaterThan(300 * KIB);
  expect(rig.crashAndRestart().services.health().storage.results.usedBytes).toBe(usedBytes);
});

function quotaOf(rig: Rig, results: { perUser: number; inAll: number }) {
  const removeArtifacts = async ([content]: readonly KeptContent[]) => {
    throw new Error(`no artifact should be removed: ${content?.subject}`);
  };
  return createContentsQuota(rig.context, { removeArtifacts, quota: { ...CONTENTS_QUOTA, results } });
}

test.each([
  [24 * 3_600_000, true],
  [24 * 3_600_000 + 1, false],
])('an artifact that is %d ms old can be read: %s, before the sweep and after it', async (ageMs, isKept) => {
  const rig = startServices();
  const id = await captured(rig, 'ann');
  const createdAtMs = rig.store.artifacts.find('ann', id)?.createdAtMs ?? 0;
  rig.clock.setWallClock(createdAtMs + ageMs);
  const artifacts = createArtifactService(rig.context);
  const isReadable = async () => {
    const content = await artifacts.open('ann', id);
    return !isRefusal(content) && hash('sha256', await buffer(content.bytes)) === content.sha256;
  };
  expect(await isReadable()).toBe(isKept);
  await artifacts.sweep();
  expect([await isReadable(), existsSync(fileOf(rig, id))]).toEqual([isKept, isKept]);
});

/** An action of the user that brought back a result; answers its id. */
async function ran(rig: Rig, userId: string, data: unknown = RESULT): Promise<string> {
  const answer = rig.submit({ parameters: PARAMETERS, targetDeviceId: rig.deviceOf(userId) }, { userId });
  await new Promise(setImmediate);
  await rig.agent.answer(done({ data }));
  return actionIn(await answer).action.actionId;
}

/** A picture of 10 KiB that an action of the user made; answers its id. */
async function captured(rig: Rig, userId: string): Promise<string> {
  const bytes = randomBytes(10 * KIB);
  const sha256 = hash('sha256', bytes);
  const id = `art_${ulid()}`;
  const announced = { id, mediaType: 'image/png', width: 1, height: 1, sizeBytes: bytes.length, sha256 } as const;
  const answer = rig.submit({ parameters: PARAMETERS, targetDeviceId: rig.deviceOf(userId) }, { userId });
  await new Promise(setImmediate);
  await rig.agent.answer(done({ data: undefined, attachments: [{ announced, bytes }] }));
  await answer;
  return id;
}

function hasResult({ store }: Rig, id: string): boolean {
  return store.actions.findById(id)?.data !== undefined;
}

function fileOf({ store }: Rig, artifactId: string): string {
  return join(dataDirectoryAt(store.path).artifacts, artifactId);
}

function databaseBytes({ store }: Rig): number {
  const database = new Database(dataDirectoryAt(store.path).database, { readonly: true });
  const [pages, size] = ['page_count', 'page_size'].map((name) => Number(database.pragma(name, { simple: true })));
  database.close();
  return (pages ?? 0) * (size ?? 0);
}
