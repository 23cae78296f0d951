import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { FAKE_DOCUMENT, FAKE_PASSWORD } from '../../agent/drivers/fake/desktop.ts';
import { METRIC_TYPES } from '../../src/contract/metrics.ts';
import type { DaemonTarget } from './daemon-target.ts';

export type Secrets = ReturnType<typeof createSecrets>;

/** What the other tests got hold of or planted, and nobody else may ever read. */
export function createSecrets() {
  const keys = new Map<string, string>();
  const contents = new Map<string, string>([
    ['a planted app name', 'Canary-app-71c2'],
    ['a planted reason', 'canary-reason-88e1'],
    ['the name of a planted task', 'canary-task-5d0a'],
    ['what a document says', FAKE_DOCUMENT],
    ['a password on the screen', FAKE_PASSWORD],
  ]);
  return {
    appName: 'Canary-app-71c2',
    reason: 'canary-reason-88e1',
    taskName: 'canary-task-5d0a',
    /** Codes, keys and tokens: they are in no file at all. */
    keys,
    /** What was typed, read or seen: it is in no log and no journal. */
    contents,
    noteImage(bytes: Uint8Array): void {
      const middle = Buffer.from(bytes).subarray(bytes.length / 2, bytes.length / 2 + 24);
      contents.set('image bytes, as base64', middle.subarray(0, 24).toString('base64'));
      contents.set('image bytes, as hex', middle.toString('hex'));
      contents.set('image bytes, as numbers', [...middle.subarray(0, 8)].join(','));
    },
  };
}

/** Where contents are stored, for the person, their owner, and for as long as they are kept; none of it is Guardian's or the journal's. */
const KEPT_IN: Record<string, readonly string[]> = {
  'a planted app name': [
    'actions.parameters',
    'actions.sentence',
    'actions.done',
    'actions.details',
    'actions.error',
    'idempotency_keys.answer',
    'task_steps.parameters',
    'task_steps.error',
  ],
  'a planted reason': ['actions.reason', 'idempotency_keys.answer', 'tasks.reason'],
  'the name of a planted task': ['tasks.name', 'task_idempotency_keys.answer'],
  'what a document says': ['actions.data'],
};
const WINDOWS = ['1m', '5m', '15m', '1h', '6h', '24h', '7d', '30d', '90d'];

/** Row L1; to be called when everything else was done. */
export function secretsStayUntold(target: () => DaemonTarget, secrets: Secrets): void {
  test('L1: what a task is called, is for and does is known to its owner', async () => {
    const { daemon } = target();
    const device = await daemon.register({}, 'canary-1');
    const open = { actionType: 'OpenApp', targetDeviceId: device.id, parameters: { appName: secrets.appName } };
    const task = await daemon.call('/api/tee/tasks', {
      userId: 'canary-1',
      // It waits for the person, so that a longer wait would answer the same.
      headers: { prefer: 'wait=1', 'idempotency-key': 'canary-key-1' },
      body: { name: secrets.taskName, reason: secrets.reason, steps: [{ id: 'open', ...open }] },
    });
    expect(JSON.stringify(task.body)).toContain(secrets.taskName);
    const headers = { 'idempotency-key': 'canary-key-2' };
    await daemon.submit({ ...open, reason: secrets.reason }, { userId: 'canary-1', headers });
  });

  test('L1: no code, key, reason, name, text or image byte is in any log line or journal row', () => {
    const { daemon, journal } = target();
    const told = { log: daemon.log(), journal: JSON.stringify(journal()) };
    expect(told.log.split('\n').length).toBeGreaterThan(1);
    expect(journal().length).toBeGreaterThan(100);
    const all = [...secrets.keys, ...secrets.contents];
    expect(all.map(([what]) => what)).toEqual(
      expect.arrayContaining(['the sign-in code', 'a session key', 'a user key', 'image bytes, as base64']),
    );
    expect(leaksIn(told.log, all)).toEqual([]);
    expect(leaksIn(told.journal, all)).toEqual([]);
    // Whatever else has the form of a token: 32 bytes in base64url.
    expect(Object.values(told).flatMap((text) => text.match(/(?<![\w-])[\w-]{43}(?![\w-])/g) ?? [])).toEqual([]);
  });

  test('L1: none of it is in any answer of Guardian, whoever asks, over whatever window', async () => {
    const { daemon } = target();
    const person = { origin: daemon.base, authorization: `Bearer ${secrets.keys.get('a session key')}` };
    const askedBy = { nobody: {}, owner: { 'x-user-id': 'canary-1' }, person };
    const all = [...secrets.keys, ...secrets.contents];
    const leaks: string[] = [];
    for (const path of await guardianPaths(target())) {
      for (const [who, headers] of Object.entries(askedBy)) {
        const { status, body } = await daemon.call(path, { headers });
        expect([path, status]).toEqual([path, 200]);
        const text = body instanceof Uint8Array ? Buffer.from(body).toString() : JSON.stringify(body);
        leaks.push(...leaksIn(text, all).map((what) => `${what}: ${path}, to ${who}`));
      }
    }
    expect(leaks).toEqual([]);
  });

  test('L1: what was typed, read or captured is in no table but where its owner finds it', () => {
    const { dataDirectory } = target().daemon;
    const found = placesOf(join(dataDirectory, 'handrail.db'), [...secrets.keys, ...secrets.contents]);
    expect(found.get('what a document says')).toEqual(['actions.data']);
    for (const [what, places] of found) {
      expect([what, places.filter((place) => !KEPT_IN[what]?.includes(place))]).toEqual([what, []]);
    }
  });

  test('L1: no code and no key is in any file of the data directory', () => {
    const { dataDirectory } = target().daemon;
    const names = readdirSync(dataDirectory, { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(names.map(({ name }) => name)).toContain('handrail.db');
    const leaks = names.flatMap(({ name }) =>
      leaksIn(readFileSync(join(dataDirectory, name), 'latin1'), [...secrets.keys]).map((what) => `${what}: ${name}`),
    );
    expect(leaks).toEqual([]);
  });
}

/** Every address that Guardian answers under, as its own description has them, with every window and every metric type. */
async function guardianPaths({ daemon }: DaemonTarget): Promise<string[]> {
  const { body } = await daemon.call<{ paths: Record<string, unknown> }>('/openapi.json');
  const known = Object.keys(body.paths).filter((path) => path.startsWith('/api/guardian'));
  const plain = known.filter((path) => !path.includes('{'));
  const series = known.filter((path) => path.endsWith('{type}/series'));
  expect([plain.length, series.length, known.length]).toEqual([known.length - 1, 1, known.length]);
  expect(known.length).toBeGreaterThanOrEqual(8);
  return [
    '/metrics',
    ...plain.flatMap((path) => [path, ...WINDOWS.map((window) => `${path}?window=${window}`)]),
    ...['1h', '7d'].map((window) => `/api/guardian/tee/metrics?window=${window}&by=hour,user,type,risk,status`),
    '/api/guardian/trends?all=true',
    '/api/guardian/tee/actions?limit=500',
    '/api/guardian/tee/tasks?limit=500',
    ...METRIC_TYPES.map((type) => `${String(series[0]).replace('{type}', type)}?points=5`),
  ];
}

/** The tables and columns, of all there are, in which each secret is. */
function placesOf(path: string, secrets: readonly (readonly [what: string, secret: string])[]): Map<string, string[]> {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  const places = new Map<string, string[]>();
  try {
    const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).pluck().all() as string[];
    expect(tables).toEqual(expect.arrayContaining(['journal', 'guardian_counts', 'guardian_seen']));
    for (const table of tables) {
      const rows = database.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[];
      for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
        const text = Buffer.isBuffer(value) ? value.toString('latin1') : String(value);
        for (const what of leaksIn(text, secrets)) {
          places.set(what, [...new Set([...(places.get(what) ?? []), `${table}.${column}`])]);
        }
      }
    }
  } finally {
    database.close();
  }
  return places;
}

function leaksIn(text: string, secrets: readonly (readonly [what: string, secret: string])[]): string[] {
  return secrets.filter(([, secret]) => text.includes(secret)).map(([what]) => what);
}
