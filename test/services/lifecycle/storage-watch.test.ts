import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { newDataFolder } from '../../store/data-folder.ts';
import { databaseIn } from '../../store/database/damage.ts';
import { done, startServices } from '../rig.ts';
import { settle } from '../tasks-rig.ts';

const read = { actionType: 'DescribeScreen', parameters: {} };

function startWatched() {
  const path = newDataFolder('handrail-watched-');
  return { ...startServices({ path }), path };
}

test('S6: once the database was moved away nothing is taken, the agent is told to stop, and the person is told why', async () => {
  const rig = startWatched();
  const running = await rig.submitted(read);
  expect(rig.agent.sent).toHaveLength(1);
  renameSync(databaseIn(rig.path), join(rig.path, 'elsewhere'));
  rig.clock.advance(2_000);
  expect(rig.agent.cancelled.map(({ key, reason }) => [key.actionId, reason])).toEqual([
    [running.actionId, 'emergency_stop'],
  ]);
  expect(await rig.submit(read)).toMatchObject({
    refused: 'paused',
    detail: expect.stringContaining('was removed, replaced or moved'),
  });
  expect(rig.agent.sent).toHaveLength(1);
  expect(rig.services.health()).toMatchObject({ status: 'degraded', checks: { store: 'moved' } });
  expect(rig.services.console.status()).toMatchObject({
    paused: true,
    troubles: [expect.stringMatching(/start it again/)],
  });
});

test('S6: an action is not sent where the database was moved a moment ago', async () => {
  const rig = startWatched();
  rmSync(databaseIn(rig.path));
  await expect(rig.submit(read)).rejects.toThrow('was removed, replaced or moved');
  expect(rig.agent.sent).toEqual([]);
  expect(await rig.submit(read)).toMatchObject({ refused: 'paused' });
});

test('S6: a script whose outcome comes after the database was moved is not acknowledged', async () => {
  const rig = startWatched();
  await rig.submitted(read);
  rmSync(databaseIn(rig.path));
  await rig.agent.answer(done());
  rig.clock.advance(10_000);
  await settle();
  expect(rig.agent.acknowledged).toEqual([]);
});

test('the stop of a person holds and answers while another program has the database locked, and is recorded after that', async () => {
  const rig = startWatched();
  const { actionId } = await rig.submitted(read);
  const other = new Database(databaseIn(rig.path));
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  expect(rig.services.console.pause()).toMatchObject({ paused: true });
  expect(rig.agent.cancelled.map(({ key }) => key.actionId)).toEqual([actionId]);
  expect(rig.services.health()).toMatchObject({ status: 'degraded', checks: { store: 'failing' } });
  expect(rig.kinds()).not.toContain('daemon.paused');
  other.exec('ROLLBACK');
  rig.clock.advance(2_000);
  expect(rig.kinds()).toContain('daemon.paused');
  expect(rig.services.health()).toMatchObject({ status: 'ok' });
});

test('a database that was built anew is said until the person resumes', async () => {
  const before = startWatched();
  await before.submitted(read);
  before.store.close();
  rmSync(databaseIn(before.path));
  before.clock.forgetTimers();
  const rig = startServices({ path: before.path, clock: before.clock, deviceId: before.deviceId });
  expect(rig.services.console.status()).toMatchObject({
    paused: true,
    troubles: [expect.stringMatching(/built anew.*Missing, in part or whole: .*the journal.*then resume/)],
  });
  await rig.services.console.resume();
  expect(rig.services.console.status()).not.toHaveProperty('troubles');
  expect(rig.crashAndRestart().services.console.status()).not.toHaveProperty('troubles');
});
