import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import type { Task } from '../../../src/contract/task.ts';
import { until } from '../../desktop/processes.ts';
import { isAlive, type RunningDaemon } from '../daemon.ts';
import {
  ALL_DONE,
  attempts,
  calmSteps,
  type Ground,
  layGround,
  ONCE_EACH,
  settleIn,
  startOn,
  statuses,
  stormSteps,
  submitted,
  taskNow,
  untilEnded,
  untilStep,
} from './rig.ts';

const databaseOf = ({ dataDirectory }: Ground) => join(dataDirectory, 'handrail.db');

/** How large any file of this process may become: a disk that is full, for it alone. */
async function limitFiles({ pid }: RunningDaemon, size: string): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${size}:`]);
}

async function expectDegraded(daemon: RunningDaemon, deviceId: string): Promise<void> {
  await until('the daemon says that it cannot store', async () => (await daemon.health()).status === 503);
  const body = { steps: calmSteps(deviceId) };
  const refused = { status: 503, body: { code: 'storage_unavailable' } };
  expect(await daemon.call('/api/tee/tasks', { userId: 'ann', body })).toMatchObject(refused);
}

async function killed(daemon: RunningDaemon): Promise<void> {
  daemon.kill('SIGKILL');
  await daemon.exited;
}

describe('a disk that is full in the middle of a task', () => {
  test('holds it up and no more: what the agent reports meanwhile is stored when there is room', async () => {
    const ground = layGround({ openApp: { beforeEffect: { delayMs: 1_500 } } });
    const daemon = await startOn(ground);
    const { deviceId, person } = await settleIn(daemon);
    const task = await submitted(daemon, stormSteps(deviceId));
    await untilStep(daemon, task, 'open', 'running');
    await limitFiles(daemon, '1024');
    await until('the app is open', () => ground.ledger().length === 1);
    await expectDegraded(daemon, deviceId);
    expect(statuses(await taskNow(daemon, task))).toMatchObject({ open: 'running', quit: 'pending', last: 'pending' });
    await limitFiles(daemon, 'unlimited');
    const ended = await untilEnded(daemon, task);
    expect([ended.status, statuses(ended), attempts(ended)]).toEqual(['success', ALL_DONE, ONCE_EACH]);
    expect(ground.ledger('Keyring')).toHaveLength(1);
    expect(await person.verifiedJournal()).toMatchObject({ valid: true });
  });

  test('is survived together with the loss of the agent', async () => {
    const ground = layGround({ quitApp: { afterEffect: { delayMs: 60_000 } } });
    const daemon = await startOn(ground);
    const { deviceId, person } = await settleIn(daemon);
    const task = await submitted(daemon, stormSteps(deviceId, { readMs: 10_000 }));
    await until('the once step has had its effect', () => ground.ledger('Keyring').length === 1);
    const agentPid = await daemon.agentPid();
    await limitFiles(daemon, '1024');
    process.kill(agentPid, 'SIGKILL');
    await expectDegraded(daemon, deviceId);
    await until('another agent is online', async () => {
      return (await daemon.agentPid()) !== agentPid && (await daemon.health()).body.checks.agent === 'online';
    });
    expect(statuses(await taskNow(daemon, task))).toMatchObject({ quit: 'running', read: 'running' });
    await limitFiles(daemon, 'unlimited');
    await untilStep(daemon, task, 'quit', 'unknown');
    await person.resolve(task, 'quit', 'happened');
    const ended = await untilEnded(daemon, task);
    expect([ended.status, statuses(ended), attempts(ended)]).toEqual(['success', ALL_DONE, { ...ONCE_EACH, read: 2 }]);
    expect(ground.ledger('Keyring')).toHaveLength(1);
  });
});

test('a disk that is full does not keep the daemon from stopping, and its task goes on after the next start', async () => {
  const ground = layGround({ openApp: { beforeEffect: { delayMs: 1_000 } } });
  const first = await startOn(ground);
  const { deviceId } = await settleIn(first);
  const task = await submitted(first, stormSteps(deviceId));
  await untilStep(first, task, 'open', 'running');
  const agentPid = await first.agentPid();
  await limitFiles(first, '1024');
  first.kill('SIGTERM');
  expect(await first.exited).toEqual({ code: 0, signal: null });
  expect(first.log()).toContain('the end of this run could not be stored');
  expect(first.log()).not.toContain('closing failed');
  await until('its agent has ended', () => !isAlive(agentPid));
  const second = await startOn(ground);
  const ended = await untilEnded(second, task);
  expect([ended.status, statuses(ended)]).toEqual(['success', ALL_DONE]);
  expect(ground.ledger('Keyring')).toHaveLength(1);
}, 120_000);

test('S2: a database that another process has locked for seconds holds a task up and no more', async () => {
  const ground = layGround({ openApp: { beforeEffect: { delayMs: 1_000 } } });
  const daemon = await startOn(ground);
  const { deviceId, person } = await settleIn(daemon);
  const task = await submitted(daemon, stormSteps(deviceId));
  await untilStep(daemon, task, 'open', 'running');
  const other = new Database(databaseOf(ground));
  other.exec('BEGIN IMMEDIATE');
  await until('the app is open', () => ground.ledger().length === 1);
  await expectDegraded(daemon, deviceId);
  expect(statuses(await taskNow(daemon, task))).toMatchObject({ open: 'running', quit: 'pending' });
  other.exec('ROLLBACK');
  other.close();
  const ended = await untilEnded(daemon, task);
  expect([ended.status, statuses(ended), attempts(ended)]).toEqual(['success', ALL_DONE, ONCE_EACH]);
  expect(ground.ledger('Keyring')).toHaveLength(1);
  expect(await person.verifiedJournal()).toMatchObject({ valid: true });
}, 120_000);

const endings: (() => Promise<void> | void)[] = [];
const atEndOfAll = (work: () => Promise<void> | void) => void endings.unshift(work);
afterAll(async () => {
  for (const work of endings) await work();
});

/** Copies the data and the ledger of a killed daemon to another ground. */
function copyGround(from: Ground, to: Ground): void {
  cpSync(from.dataDirectory, to.dataDirectory, { recursive: true });
  cpSync(from.ledgerPath, to.ledgerPath);
}

/** Whether the anchor names the last row of the journal. */
function isAnchored(ground: Ground): boolean {
  const { seq } = JSON.parse(readFileSync(join(ground.dataDirectory, 'journal.anchor'), 'utf8'));
  const database = new Database(databaseOf(ground), { readonly: true });
  const last = database.prepare('SELECT max(seq) FROM journal').pluck().get();
  database.close();
  return seq === last;
}

describe('kill -9 and a WAL whose end is missing', () => {
  let left: ReturnType<typeof leaveWal> | undefined;

  /** A task in the middle, whose once step is done and stored durably, and reads after that, which may be lost. Each ground has a copy. */
  async function leaveTornWal(ground: Ground): Promise<{ task: Task; durableBytes: number; wholeBytes: number }> {
    left ??= leaveWal(layGround({}, atEndOfAll));
    const { ground: first, ...facts } = await left;
    copyGround(first, ground);
    return facts;
  }

  async function leaveWal(ground: Ground) {
    const wal = `${databaseOf(ground)}-wal`;
    const daemon = await startOn(ground);
    const { deviceId } = await settleIn(daemon);
    const task = await submitted(daemon, stormSteps(deviceId, { readMs: 60_000 }));
    await untilStep(daemon, task, 'quit', 'success');
    const durableBytes = statSync(wal).size;
    const read = { targetDeviceId: deviceId, actionType: 'Wait', parameters: { durationMs: 0 } };
    for (let count = 0; count < 20; count += 1) expect((await daemon.submit(read)).status).toBe(200);
    await until('the end of the journal is anchored', () => isAnchored(ground));
    await killed(daemon);
    return { ground, task, durableBytes, wholeBytes: statSync(wal).size };
  }

  test('after the last durable record, wherever it breaks off: the task is there, what was done once is known, and nothing goes on by itself', async () => {
    const torn = layGround();
    const { task, durableBytes, wholeBytes } = await leaveTornWal(torn);
    expect(wholeBytes).toBeGreaterThan(durableBytes);
    const middle = Math.floor((durableBytes + wholeBytes) / 2);
    for (const cutAtBytes of [durableBytes, durableBytes + 2_000, middle, wholeBytes - 1]) {
      const ground = { ...torn, dataDirectory: `${torn.dataDirectory}-${cutAtBytes}` };
      cpSync(torn.dataDirectory, ground.dataDirectory, { recursive: true });
      truncateSync(`${databaseOf(ground)}-wal`, cutAtBytes);
      const daemon = await startOn(ground);
      // The anchor names rows that are gone, so everything is stopped, and the stop ends the task.
      const ended = await untilEnded(daemon, task);
      expect([ended.status, statuses(ended)]).toMatchObject(['cancelled', { open: 'success', quit: 'success' }]);
      expect(attempts(ended)).toMatchObject({ open: 1, quit: 1 });
      expect((await daemon.health()).body.checks.store).toBe('renewed');
      await killed(daemon);
    }
    expect(torn.ledger('Keyring')).toHaveLength(1);
  }, 180_000);

  test('all of it: that is found out, nothing is executed from what is left, and new tasks run once the person resumes', async () => {
    const ground = layGround();
    const { task } = await leaveTornWal(ground);
    truncateSync(`${databaseOf(ground)}-wal`, 0);
    const daemon = await startOn(ground);
    const { deviceId, person } = await settleIn(daemon);
    await person.resume();
    expect(await daemon.call(`/api/tee/tasks/${task.taskId}`, { userId: 'ann' })).toMatchObject({
      status: 404,
      body: { code: 'task_not_found' },
    });
    expect(await person.verifiedJournal()).toMatchObject({ valid: false });
    expect(ground.ledger('Keyring')).toHaveLength(1);
    expect(await untilEnded(daemon, await submitted(daemon, calmSteps(deviceId)))).toMatchObject({ status: 'success' });
  });
});

describe('S2: with a task in the middle, a database that', () => {
  let left: ReturnType<typeof leaveKilled> | undefined;

  /** A daemon was killed on it while the once step had had its effect and not been reported. Each ground has a copy. */
  async function leaveTask(ground: Ground): Promise<Task> {
    left ??= leaveKilled(layGround(slowQuit, atEndOfAll));
    const { ground: first, task } = await left;
    copyGround(first, ground);
    return task;
  }

  async function leaveKilled(ground: Ground) {
    const daemon = await startOn(ground);
    const { deviceId } = await settleIn(daemon);
    const task = await submitted(daemon, stormSteps(deviceId));
    await until('the once step has had its effect', () => ground.ledger('Keyring').length === 1);
    await killed(daemon);
    return { ground, task };
  }

  async function expectToFinish(ground: Ground, task: Task): Promise<void> {
    const daemon = await startOn(ground);
    const { person } = await settleIn(daemon);
    expect(statuses(await taskNow(daemon, task))).toMatchObject({ quit: 'unknown', look: 'pending', last: 'pending' });
    await person.resolve(task, 'quit', 'happened');
    const ended = await untilEnded(daemon, task);
    expect([ended.status, statuses(ended)]).toEqual(['success', ALL_DONE]);
    expect(attempts(ended)).toMatchObject({ open: 1, quit: 1, last: 1 });
    expect(ground.ledger('Keyring')).toHaveLength(1);
  }

  const slowQuit = { quitApp: { afterEffect: { delayMs: 60_000 } } };

  test('became garbage is moved aside, nothing of it is executed, and the task goes on when it is put back', async () => {
    const ground = layGround(slowQuit);
    const task = await leaveTask(ground);
    const copy = `${ground.dataDirectory}-copy`;
    cpSync(ground.dataDirectory, copy, { recursive: true });
    for (const suffix of ['-wal', '-shm']) rmSync(databaseOf(ground) + suffix, { force: true });
    writeFileSync(databaseOf(ground), 'no database at all. '.repeat(1_000));
    const without = await startOn(ground);
    expect(without.log()).toContain('the database could not be read; it was moved aside');
    expect(readdirSync(ground.dataDirectory).filter((name) => name.includes('.unreadable-'))).toHaveLength(1);
    const { deviceId, person } = await settleIn(without);
    await person.resume();
    expect((await without.call(`/api/tee/tasks/${task.taskId}`, { userId: 'ann' })).status).toBe(404);
    const fresh = await submitted(without, calmSteps(deviceId));
    expect(await untilEnded(without, fresh)).toMatchObject({ status: 'success' });
    expect(ground.ledger('Keyring')).toHaveLength(1);
    await killed(without);
    rmSync(ground.dataDirectory, { recursive: true });
    cpSync(copy, ground.dataDirectory, { recursive: true });
    await expectToFinish(ground, task);
  });

  test('another program has locked is refused with what to do, and the task goes on when it is free', async () => {
    const ground = layGround(slowQuit);
    const task = await leaveTask(ground);
    const other = new Database(databaseOf(ground));
    other.exec('BEGIN IMMEDIATE');
    await expect(startOn(ground)).rejects.toThrow(/ended with code 1 .*Another program has it locked: end that one/s);
    other.exec('ROLLBACK');
    other.close();
    expect(ground.ledger('Keyring')).toHaveLength(1);
    await expectToFinish(ground, task);
  });
});
