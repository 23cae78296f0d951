import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type { AuditResult } from '../../src/contract/settings.ts';
import { until } from '../desktop/processes.ts';
import type { RunningDaemon } from './daemon.ts';
import { layPlace } from './data-place.ts';

const openApp = { actionType: 'OpenApp', parameters: { appName: 'Text Editor' } };

/** The data directory of a daemon that was started, used and stopped. Each test has a copy of it. */
let history: Promise<string> | undefined;

const atEndOfAll: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const work of atEndOfAll) await work();
});

async function makeHistory(): Promise<string> {
  const place = layPlace((work) => void atEndOfAll.push(work));
  await place.addHistory();
  return place.path;
}

/** The same with some history, as a daemon that was stopped leaves it. */
async function layHistory(atEnd?: Parameters<typeof layPlace>[0]) {
  const place = layPlace(atEnd);
  history ??= makeHistory();
  cpSync(await history, place.path, { recursive: true });
  return place;
}

describe('S2: a database', () => {
  test('of another program is refused and left as it is', async () => {
    const { path, startFails, edit } = await layHistory();
    rmSync(join(path, 'handrail.db'));
    edit((database) => database.exec('CREATE TABLE songs (title TEXT)'));
    expect(await startFails()).toMatch(/ended with code 1 .*handrail\.db is a database of another program/s);
    edit((database) => {
      const tables = database.prepare('SELECT name FROM sqlite_master').all();
      expect(tables).toEqual([{ name: 'songs' }]);
    });
  });

  test('of a newer Handrail is refused and left as it is', async () => {
    const { startFails, edit } = await layHistory();
    edit((database) => database.pragma('user_version = 999'));
    expect(await startFails()).toMatch(/ended with code 1 .*written by a newer Handrail \(schema 999/s);
    edit((database) => expect(database.pragma('user_version', { simple: true })).toBe(999));
  });

  test('on a full disk executes nothing, says so, and works again when there is room', async () => {
    const { start, wasExecuted } = layPlace();
    const daemon = await start();
    const device = await daemon.register();
    const limit = (size: string) => promisify(execFile)('prlimit', ['--pid', String(daemon.pid), `--fsize=${size}:`]);
    await limit('1024');
    const refused = await daemon.submit({ targetDeviceId: device.id, ...openApp });
    expect(refused).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    expect(await daemon.health()).toMatchObject({
      status: 503,
      body: { status: 'degraded', checks: { store: 'failing' } },
    });
    expect(wasExecuted()).toBe(false);
    await limit('unlimited');
    expect(await daemon.health()).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect((await daemon.submit({ targetDeviceId: device.id, ...openApp })).body.status).toBe('success');
  });

  test('is served and closed in order where the log cannot be written', async () => {
    const { path } = layPlace();
    const environment = {
      HANDRAIL_PORT: '0',
      HANDRAIL_DATA_DIR: path,
      HANDRAIL_AGENT_DRIVER: 'fake',
      HANDRAIL_LOG_LEVEL: 'trace',
    };
    const shell = ['-c', 'exec "$0" src/daemon/headless.ts 2>/dev/full', process.execPath];
    const cwd = join(import.meta.dirname, '../..');
    const child = spawn('sh', shell, {
      cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, HANDRAIL_RATE_LIMITS: 'off', ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = once(child, 'exit');
    const [line] = await Promise.race([once(child.stdout, 'data'), exited]);
    const base = String(line).split('\n')[0]?.replace('handrail listening on ', '');
    await until('it answers', async () => (await fetch(`${base}/health`)).status === 200);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});

/** Everything that a person can close is closed, and the daemon is stopped. */
async function closeEverything(start: () => Promise<RunningDaemon>): Promise<{ deviceId: string }> {
  const daemon = await start();
  const person = await daemon.signIn();
  const { id } = await daemon.register();
  const answers = [
    await person.call('/users/*/profile', { method: 'PUT', body: { profile: 'lockdown' } }),
    await person.call('/users/ann/key', { method: 'POST' }),
    await person.call('/pause', { method: 'POST' }),
  ];
  expect(answers.map(({ status }) => Math.floor(status / 100))).toEqual([2, 2, 2]);
  daemon.kill('SIGTERM');
  await daemon.exited;
  return { deviceId: id };
}

function overwrite(path: string, from: number, bytes: number): void {
  const file = openSync(join(path, 'handrail.db'), 'r+');
  writeSync(file, Buffer.alloc(bytes, 0xff), 0, bytes, from);
  closeSync(file);
}

describe('S5: a damaged database', () => {
  test.each([
    ['whose header was written over', (path: string) => overwrite(path, 0, 64)],
    ['that is empty', (path: string) => truncateSync(join(path, 'handrail.db'), 0)],
  ])('%s opens nothing that the person had closed', async (_title, damage) => {
    const { path, start, wasExecuted } = layPlace();
    const { deviceId } = await closeEverything(start);
    damage(path);
    const daemon = await start();
    expect(daemon.log()).toContain('the database could not be read; it was moved aside and built anew');
    const person = await daemon.signIn();
    expect((await person.call('/status')).body).toMatchObject({
      paused: true,
      troubles: [expect.stringMatching(/built anew\..*Your rules, keys and pauses hold as before/)],
    });
    expect(await daemon.submit({ targetDeviceId: deviceId, ...openApp })).toMatchObject({ status: 401 });
    const borrowed = await daemon.register({ canOpenApps: true }, 'bob');
    expect(await daemon.submit({ targetDeviceId: borrowed.id, ...openApp }, { userId: 'bob' })).toMatchObject({
      body: { code: 'paused' },
    });
    await person.call('/resume', { method: 'POST' });
    expect(await daemon.submit({ targetDeviceId: borrowed.id, ...openApp }, { userId: 'bob' })).toMatchObject({
      body: { status: 'awaiting_confirmation' },
    });
    expect(wasExecuted()).toBe(false);
  });
});

describe('S6: a database that is removed, replaced or moved under a running daemon', () => {
  test.each([
    ['removed', (path: string) => rmSync(path, { recursive: true, maxRetries: 20 })],
    [
      'replaced by a copy of itself',
      (path: string) => {
        cpSync(path, `${path}-copy`, { recursive: true });
        renameSync(path, `${path}-former`);
        renameSync(`${path}-copy`, path);
      },
    ],
  ])('(%s) stops everything, says so, and the daemon lives', async (_title, leave) => {
    const { path, start, wasExecuted } = layPlace();
    const daemon = await start();
    const person = await daemon.signIn();
    const device = await daemon.register();
    leave(path);
    const refused = await daemon.submit({ targetDeviceId: device.id, ...openApp });
    expect([refused.status, ['paused', 'storage_unavailable'].includes(codeOf(refused.body))]).toEqual([503, true]);
    await until('the daemon says so', async () => daemon.log().includes('Everything is stopped.'));
    expect(await daemon.health()).toMatchObject({ status: 503, body: { checks: { store: 'moved' } } });
    expect((await person.call('/status')).body).toMatchObject({
      paused: true,
      troubles: [expect.stringContaining('start it again')],
    });
    expect(wasExecuted()).toBe(false);
    daemon.kill('SIGTERM');
    expect(await daemon.exited).toEqual({ code: 0, signal: null });
  });
});

const codeOf = (body: object): string => ('code' in body ? String(body.code) : '');

const verified = async (daemon: RunningDaemon) =>
  (await (await daemon.signIn()).call<AuditResult>('/audit/verify')).body;

describe('S1: a journal', () => {
  const UNGUARDED = 'DROP TRIGGER journal_is_never_updated; DROP TRIGGER journal_is_never_deleted;';

  test('as it was written is good after a restart, too', async () => {
    const { start } = await layHistory();
    expect(await verified(await start())).toMatchObject({ valid: true });
  });

  test.concurrent.for([
    ['edited', "UPDATE journal SET kind = 'nothing' WHERE seq = 3"],
    ['cut off at the end', 'DELETE FROM journal WHERE seq > (SELECT max(seq) FROM journal) - 2'],
  ])(
    'with a row that was %s behind the daemon is found out, while it runs and ever after',
    async ([_what, sql], { onTestFinished: atEnd }) => {
      const { start, edit } = await layHistory(atEnd);
      edit((database) => database.exec(UNGUARDED + sql));
      const daemon = await start();
      // Long enough for the end of the journal to be anchored anew.
      const device = await daemon.register({}, 'later');
      for (let count = 0; count < 5; count += 1) {
        await daemon.submit(
          { targetDeviceId: device.id, actionType: 'Wait', parameters: { durationMs: 600 } },
          { userId: 'later' },
        );
      }
      expect(await verified(daemon)).toMatchObject({ valid: false });
    },
  );
});

describe('S3: a journal', () => {
  /** What `npm run audit` prints, and its exit code. */
  async function audited(path: string): Promise<{ code: number | null; text: string }> {
    const environment = { PATH: process.env.PATH, HANDRAIL_DATA_DIR: path };
    const script = fileURLToPath(new URL('../../src/own-daemon/audit.ts', import.meta.url));
    const child = spawn(process.execPath, [script], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const text = (await child.stdout.toArray()).join('');
    const [code] = await exited;
    return { code, text };
  }

  test('whose anchor is missing beside its rows is found by the audit before a start, and by the console ever after', async () => {
    const { path, start } = await layHistory();
    expect(await audited(path)).toEqual({ code: 0, text: expect.stringContaining('as it was written') });
    rmSync(join(path, 'journal.anchor'));
    expect(await audited(path)).toEqual({ code: 1, text: expect.stringMatching(/tampered with.*anchor.*is missing/) });
    const daemon = await start();
    expect(await verified(daemon)).toMatchObject({ valid: false });
    daemon.kill('SIGTERM');
    await daemon.exited;
    expect(existsSync(join(path, 'journal.anchor'))).toBe(true);
    expect(await audited(path)).toMatchObject({ code: 1 });
  });

  test('of an older day that was put back is found by the audit before a start, and by the console ever after', async () => {
    const { folder, path, start, addHistory } = await layHistory();
    const older = join(folder, 'older.db');
    copyFileSync(join(path, 'handrail.db'), older);
    await addHistory();
    expect(await audited(path)).toMatchObject({ code: 0 });
    for (const suffix of ['-wal', '-shm']) rmSync(join(path, `handrail.db${suffix}`), { force: true });
    copyFileSync(older, join(path, 'handrail.db'));
    expect(await audited(path)).toEqual({ code: 1, text: expect.stringMatching(/tampered with.*cut off/) });
    expect(await verified(await start())).toMatchObject({ valid: false });
  });

  test('of a daemon that was killed right after its first start is valid', async () => {
    const { path, start } = layPlace();
    const daemon = await start();
    await daemon.register();
    daemon.kill('SIGKILL');
    await daemon.exited;
    expect(await audited(path)).toMatchObject({ code: 0 });
    expect(await verified(await start())).toMatchObject({ valid: true });
  });
});
