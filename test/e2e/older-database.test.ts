import { copyFileSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { until } from '../desktop/processes.ts';
import { edit, overwrite } from '../store/database/damage.ts';
import type { RunningDaemon } from './daemon.ts';
import { layPlace, personOf, resume } from './data-place.ts';

const OPEN_APP = { actionType: 'OpenApp', parameters: { appName: 'Text Editor' } };
const FILES = ['handrail.db', 'protections.json', 'journal.anchor'];

const atEndOfAll: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const work of atEndOfAll) await work();
});

/**
 * Two days of a daemon: on the first it lets everything run, on the second the person closes everything. `ann` gets a key, `bob` the lockdown
 * of everybody, `eve` lockdown in the place of a profile of her own. Beside the files lie those of the first day.
 */
let life: Promise<string> | undefined;

async function liveTwoDays() {
  const { path, start, wasExecuted } = layPlace((work) => void atEndOfAll.push(work));
  const first = await start();
  const { headers } = await personOf(first);
  await first.call('/api/console/users/eve/profile', { method: 'PUT', headers, body: { profile: 'trusted' } });
  expect(await answersOf(first)).toEqual({ ann: 'success', bob: 'success', eve: 'success' });
  expect(wasExecuted()).toBe(true);
  first.kill('SIGTERM');
  await first.exited;
  edit(path, () => undefined);
  for (const name of FILES) copyFileSync(join(path, name), join(path, `${name}.first-day`));

  const second = await start();
  const person = await personOf(second);
  const answers = [
    await second.call('/api/console/users/*/profile', { method: 'PUT', ...person, body: { profile: 'lockdown' } }),
    await second.call('/api/console/users/eve/profile', { method: 'PUT', ...person, body: { profile: 'lockdown' } }),
    await second.call('/api/console/users/ann/key', { method: 'POST', ...person }),
    await second.call('/api/console/pause', { method: 'POST', ...person }),
  ];
  expect(answers.map(({ status }) => Math.floor(status / 100))).toEqual([2, 2, 2, 2]);
  const lastSeq = () => {
    const reader = new Database(join(path, 'handrail.db'), { readonly: true });
    const seq = reader.prepare<unknown[], number>('SELECT max(seq) FROM journal').pluck().get();
    reader.close();
    return seq;
  };
  const anchored = () => JSON.parse(readFileSync(join(path, 'journal.anchor'), 'utf8')).seq;
  // The end of the journal is anchored every two seconds.
  await until('the end of the journal is anchored', () => anchored() === lastSeq());
  second.kill('SIGKILL');
  await second.exited;
  return path;
}

function withoutLog(path: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(join(path, `handrail.db${suffix}`), { force: true });
}

/** Puts files of the first day in the place of the newer ones. */
function putBack(path: string, ...names: string[]): void {
  withoutLog(path);
  for (const name of names) copyFileSync(join(path, `${name}.first-day`), join(path, name));
}

function cut(path: string, bytes: number): void {
  edit(path, () => undefined);
  withoutLog(path);
  truncateSync(join(path, 'handrail.db'), bytes);
}

/** The only place that still had the key. Everybody gets lockdown instead. */
const WITHOUT_COPY = 'an older database beside no second copy';

const KINDS: Record<string, (path: string) => void> = {
  'an older database, put back alone': (path) => putBack(path, 'handrail.db'),
  'an older database, put back with its anchor': (path) => putBack(path, 'handrail.db', 'journal.anchor'),
  [WITHOUT_COPY]: (path) => {
    putBack(path, 'handrail.db');
    rmSync(join(path, 'protections.json'));
  },
  'an older database with a log of nothing': (path) => {
    putBack(path, 'handrail.db');
    writeFileSync(join(path, 'handrail.db-wal'), '');
  },
  'a database that lost its log': withoutLog,
  'a newer database beside an older second copy': (path) => {
    edit(path, () => undefined);
    putBack(path, 'protections.json');
  },
  'a database of no byte': (path) => cut(path, 0),
  'a database of one byte': (path) => cut(path, 1),
  'a database cut in its header': (path) => cut(path, 99),
  'a database cut in the middle': (path) => cut(path, 40_960),
  'a database whose header was written over': (path) => {
    edit(path, () => undefined);
    overwrite(path, { from: 0, bytes: 64 });
  },
  'a database of a line of text': (path) => {
    withoutLog(path);
    writeFileSync(join(path, 'handrail.db'), 'not a database\n');
  },
  'a missing database': (path) => {
    withoutLog(path);
    rmSync(join(path, 'handrail.db'));
  },
};

/** A place with the files of both days. */
async function layTwoDays() {
  life ??= liveTwoDays();
  const path = await life;
  const place = layPlace();
  cpSync(path, place.path, { recursive: true });
  return place;
}

/** How the daemon answers each requester's OpenApp. */
async function answersOf(daemon: RunningDaemon) {
  const answer = async (userId: string) => {
    const { id } = await daemon.register(undefined, userId);
    const { body } = await daemon.submit({ targetDeviceId: id ?? 'dev_none', ...OPEN_APP }, { userId });
    return 'code' in body ? body.code : body.status;
  };
  return { ann: await answer('ann'), bob: await answer('bob'), eve: await answer('eve') };
}

const ALL_PAUSED = { ann: 'paused', bob: 'paused', eve: 'paused' };
const ALL_ASKED = { ann: 'awaiting_confirmation', bob: 'awaiting_confirmation', eve: 'awaiting_confirmation' };
/** The key of ann is asked for before anything else. */
const KEY = { ann: 'user_key_invalid' };
const TOLD = { body: { paused: true, troubles: [expect.any(String)] } };

test.each(Object.entries(KINDS))('S9: a daemon on %s runs nothing that the person closed', async (kind, damage) => {
  const { path, start, wasExecuted } = await layTwoDays();
  damage(path);
  const daemon = await start();
  const { headers } = await personOf(daemon);
  const key = kind === WITHOUT_COPY ? {} : KEY;
  expect(await daemon.call('/api/console/status', { headers })).toMatchObject(TOLD);
  expect(await answersOf(daemon)).toEqual({ ...ALL_PAUSED, ...key });
  await resume(daemon, headers);
  expect(await answersOf(daemon)).toEqual({ ...ALL_ASKED, ...key });
  expect(wasExecuted()).toBe(false);
});

test('S9: a daemon on an older database with its second copy runs nothing until the person resumes', async () => {
  const { path, start, wasExecuted } = await layTwoDays();
  putBack(path, 'handrail.db', 'protections.json');
  const daemon = await start();
  const { headers } = await personOf(daemon);
  expect(await daemon.call('/api/console/status', { headers })).toMatchObject(TOLD);
  expect(await answersOf(daemon)).toEqual(ALL_PAUSED);
  expect(wasExecuted()).toBe(false);
});
