import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ACTION_STATUSES } from '../../../src/contract/action.ts';
import { RISK_LEVELS } from '../../../src/contract/risk-level.ts';
import { checkJournal, exportDatabase } from '../../../src/own-daemon/journal-check.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { applyMigrations, OlderDatabase, versionAfter } from '../../../src/store/database/migrate.ts';
import { MIGRATIONS } from '../../../src/store/database/migrations.ts';
import { HAS_ENDED_BADLY, IS_LIVE } from '../../../src/store/database/schema/actions.ts';
import { createActionTable } from '../../../src/store/records/actions.ts';
import { createStore } from '../../../src/store/store.ts';
import { device, open, temporaryFolder } from '../rig.ts';
import { databaseIn, edit } from './damage.ts';

const NEWEST = versionAfter(MIGRATIONS.length);
const NEXT = "ALTER TABLE devices ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'";

function openWith(path: string, migrations: readonly string[]) {
  const store = createStore({ path, now: Date.now, migrations });
  onTestFinished(() => store.close());
  return store;
}

/** A closed store with one device in it. */
function withDevice(): string {
  const path = temporaryFolder();
  const store = open({ path });
  store.write('durable', () => store.devices.insert(device()));
  store.close();
  return path;
}

const versionOf = (path: string) => edit(path, (database) => database.pragma('user_version', { simple: true }));

describe('a new step of the schema', () => {
  test('leads from the first schema to the newest', () => {
    const path = temporaryFolder();
    const database = new Database(databaseIn(path));
    applyMigrations(database, MIGRATIONS.slice(0, 1));
    database.close();
    open({ path }).close();
    expect(versionOf(path)).toBe(NEWEST);
    expect(edit(path, (database) => database.prepare('SELECT role FROM artifacts').all())).toEqual([]);
  });

  test('takes what was counted in two tables into one, also of the hour that was not yet summed up', () => {
    const path = temporaryFolder();
    const database = new Database(databaseIn(path));
    const before = MIGRATIONS.findIndex((step) => step.includes('CREATE TABLE guardian_counts'));
    applyMigrations(database, MIGRATIONS.slice(0, before));
    const HOUR_MS = 3_600_000;
    const put = (table: string, values: Record<string, number | string>) => {
      const columns = (database.pragma(`table_info(${table})`) as { name: string; type: string }[]).map(
        ({ name, type }) => [name, values[name] ?? (type === 'TEXT' ? '{}' : 0)] as const,
      );
      database
        .prepare(`INSERT INTO ${table} (${columns.map(([name]) => name)}) VALUES (${columns.map(() => '?')})`)
        .run(columns.map(([, value]) => value));
    };
    for (const [span, start_ms] of [
      ['minute', 60_000],
      ['minute', HOUR_MS],
      ['hour', 0],
    ] as const)
      put('guardian_rollups', {
        span,
        start_ms,
        requested: 3,
        prompt_shown: 2,
        denied_again: 1,
        burst_peak: 5,
        execution_ms: '{"7":2}',
      });
    for (const [span, start_ms] of [
      ['minute', 60_000],
      ['minute', HOUR_MS],
      ['hour', 0],
      ['hour', HOUR_MS],
      ['day', 0],
    ] as const) {
      const of = {
        span,
        start_ms,
        device_id: 'dev_1',
        requested: start_ms === 0 && span === 'day' ? 4 : 2,
        unverified: 1,
      };
      put('guardian_parts', { ...of, user_id: 'ann', action_type: 'Wait' });
      put('guardian_parts', { ...of, requested: of.requested / 2, user_id: '', action_type: '', device_id: '' });
    }
    database.close();
    const { recording } = open({ path });
    const counted = (fromMs: number, toMs: number) => recording.recorded({ fromMs, toMs }, 2 * HOUR_MS).rollup;
    const once = { counters: { requested: 3, promptShown: 2, deniedAgain: 1, unverified: 2 }, burstPeak: 5 };
    const alone = { types: { Wait: 2, '': 1 }, executionMs: { 7: 2 } };
    expect(counted(0, HOUR_MS)).toMatchObject({ ...once, ...alone });
    expect(counted(60_000, 120_000)).toMatchObject({ ...once, ...alone });
    expect(counted(HOUR_MS, 2 * HOUR_MS)).toMatchObject({ ...once, ...alone });
    expect(counted(0, 2 * HOUR_MS)).toMatchObject({
      counters: { requested: 6, promptShown: 4, deniedAgain: 2, unverified: 4 },
      executionMs: { 7: 4 },
    });
    expect(recording.parts({ fromMs: 0, toMs: 2 * HOUR_MS }, 'requester', { count: ['requested'], total: [] })).toEqual(
      [
        { key: 'ann', count: 4, total: 0 },
        { key: '', count: 2, total: 0 },
      ],
    );
  });

  test('is taken at the next start, and the database from before is kept beside it', () => {
    const path = withDevice();
    writeFileSync(`${databaseIn(path)}.before-schema-99`, 'what was kept before an earlier step');
    const store = openWith(path, [...MIGRATIONS, NEXT]);
    expect(store.devices.find('ann', 'dev_1')).toEqual(device());
    store.close();
    expect(edit(path, (database) => database.prepare('SELECT colour FROM devices').all())).toEqual([
      { colour: 'grey' },
    ]);
    expect(readdirSync(path).filter((name) => name.includes('before'))).toEqual([
      `handrail.db.before-schema-${NEWEST + 1}`,
    ]);
    const kept = new Database(`${databaseIn(path)}.before-schema-${NEWEST + 1}`, { readonly: true });
    onTestFinished(() => void kept.close());
    expect([kept.pragma('user_version', { simple: true }), versionOf(path)]).toEqual([NEWEST, NEWEST + 1]);
  });

  test('that fails leaves the database as it was', () => {
    const path = withDevice();
    const steps = [...MIGRATIONS, NEXT, 'ALTER TABLE nowhere ADD COLUMN colour TEXT'];
    expect(() => openWith(path, steps)).toThrow('no such table: nowhere');
    expect(versionOf(path)).toBe(NEWEST);
    expect(open({ path }).devices.find('ann', 'dev_1')).toEqual(device());
  });

  test('is not taken where the database cannot be copied first, and the person is told what to do', () => {
    const path = withDevice();
    mkdirSync(`${databaseIn(path)}.before-schema-${NEWEST + 1}`);
    expect(() => openWith(path, [...MIGRATIONS, NEXT])).toThrow(
      /could not make it \(.*\)\. Nothing was changed\. Make room for 1 MB/,
    );
    expect(versionOf(path)).toBe(NEWEST);
  });
});

describe('a database from before the first release', () => {
  /** The journal had this form in every version. */
  function older(version: number): string {
    const path = temporaryFolder();
    const database = new Database(databaseIn(path));
    database.pragma('journal_mode = WAL');
    database.exec(`CREATE TABLE journal (seq INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, kind TEXT NOT NULL, user_id TEXT,
        device_id TEXT, action_id TEXT, confirmation_id TEXT, metadata TEXT NOT NULL, previous_hash BLOB NOT NULL, hash BLOB NOT NULL) STRICT;
      INSERT INTO journal (seq, at_ms, kind, metadata, previous_hash, hash)
        VALUES (1, 7000, 'daemon.started', '{}', zeroblob(32), zeroblob(32));
      PRAGMA user_version = ${version}`);
    database.close();
    writeFileSync(join(path, 'protections.json'), 'the rules of that version');
    return path;
  }

  const FORMER = Array.from({ length: 36 }, (_, index) => index + 1);

  test('is refused by name whichever of the former schemas it has, and left as it is', () => {
    for (const version of [0, ...FORMER, 99]) {
      const path = older(version);
      const before = digestOf(databaseIn(path));
      expect(() => open({ path })).toThrow(OlderDatabase);
      expect(digestOf(databaseIn(path))).toBe(before);
      expect(readdirSync(path).filter((name) => /unreadable|before|anchor|key|new/.test(name))).toEqual([]);
      expect(readFileSync(join(path, 'protections.json'), 'utf8')).toBe('the rules of that version');
    }
  });

  test('is refused as well where it was marked as damaged, and not built anew', () => {
    const path = older(36);
    writeFileSync(`${databaseIn(path)}.damaged`, '');
    const before = digestOf(databaseIn(path));
    expect(() => open({ path })).toThrow(OlderDatabase);
    expect([
      digestOf(databaseIn(path)),
      readdirSync(path).filter((name) => /unreadable|new|mended/.test(name)),
    ]).toEqual([before, []]);
  });

  test.each([
    ['ALTER TABLE actions DROP COLUMN targets', 'targets'],
    ['DROP TABLE grants', 'grants'],
  ])('is refused by name where it has the number of our schema but not its form: %s', (change, missing) => {
    const path = temporaryFolder();
    open({ path }).close();
    const database = new Database(databaseIn(path));
    database.exec(change);
    database.close();
    expect(() => open({ path })).toThrow(OlderDatabase);
    expect(() => open({ path })).toThrow(new RegExp(`from before the first release.*${missing}.*Move the folder`, 'u'));
  });

  test('is not told to be tampered with by an audit, though it has no key', () => {
    const { isGood, line } = checkJournal(older(36));
    expect([isGood, line]).toEqual([false, expect.stringMatching(/^The journal was not checked\..*Move the folder/u)]);
  });

  test('is refused with what to do, and that works: its contents can be exported, and another folder is used', () => {
    const path = older(36);
    expect(() => open({ path })).toThrow(
      `${databaseIn(path)} was written by a Handrail from before the first release (schema 36; this one reads 100 and later). Nothing in it was changed. Move the folder ${path} away, or set HANDRAIL_DATA_DIR to another folder, and start again`,
    );
    const file = join(temporaryFolder(), 'export.jsonl');
    expect(exportDatabase(path, file)).toMatchObject({ isGood: true, line: expect.stringContaining('1 rows are in') });
    expect(readFileSync(file, 'utf8')).toContain('daemon.started');
    expect(open({ path: join(temporaryFolder(), 'another') }).journal.head().seq).toBe(0);
  });
});

describe('the schema', () => {
  const VALUES = { status: 'running', risk_level: 'low', effect_class: 'pure', effect: 'none', parameters: '{}' };

  function insert(database: Database.Database, id: string, values: Partial<typeof VALUES> = {}) {
    const { status, risk_level, effect_class, effect, parameters } = { ...VALUES, ...values };
    database
      .prepare(
        `INSERT INTO actions (id, user_id, device_id, action_type, digest, timeout_ms, status, risk_level, risk_reasons, effect_class,
           effect, details, created_at_ms, parameters) VALUES (?, 'ann', 'dev_1', 'Wait', 'd', 1000, ?, ?, '[]', ?, ?, '', 1, ?)`,
      )
      .run(id, status, risk_level, effect_class, effect, parameters);
  }

  /** A new database with two actions. */
  function withActions(): Database.Database {
    const database = openDatabase({ path: databaseIn(temporaryFolder()) });
    onTestFinished(() => void database.close());
    database.exec(`INSERT INTO devices (id, owner_id, type, name, capabilities, created_at_ms)
      VALUES ('dev_1', 'ann', 'linux', 'Desk', '{}', 1)`);
    insert(database, 'act_1', { status: 'failed' });
    insert(database, 'act_2');
    return database;
  }

  test('refuses words that a column does not know', () => {
    const database = withActions();
    for (const column of ['status', 'risk_level', 'effect_class', 'effect'])
      expect(() => insert(database, 'act_3', { [column]: 'other' }), column).toThrow(/CHECK constraint failed/);
    for (const status of ACTION_STATUSES) insert(database, `act_${status}`, { status });
    for (const risk_level of RISK_LEVELS) insert(database, `act_${risk_level}`, { risk_level });
    expect(() => database.exec(`UPDATE actions SET status = 'running' WHERE id = 'act_1'`)).toThrow(/has ended/);
    expect(() =>
      database.exec(
        `INSERT INTO kept_contents (kind, place, user_id, subject, bytes) VALUES ('results', 'other', 'ann', 's', 1)`,
      ),
    ).toThrow(/CHECK constraint failed/);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  test('has the indexes that its readers need', () => {
    const database = withActions();
    const planOf = (where: string) =>
      database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN SELECT id FROM actions WHERE ${where}`).get();
    expect(planOf(`rowid > 1 AND ${IS_LIVE}`)?.detail).toContain('USING INTEGER PRIMARY KEY');
    expect(planOf(HAS_ENDED_BADLY)?.detail).toContain('actions_ended_badly');
  });

  test('needs no temporary table while an action is stored, which is where most of the time went', () => {
    const database = withActions();
    const stored: string[] = [];
    createActionTable({
      ...database,
      prepare(sql: string) {
        stored.push(sql);
        return database.prepare(sql);
      },
    } as Database.Database);
    const statements = stored.filter((sql) => /^\s*(INSERT INTO actions|UPDATE actions SET status)/.test(sql));
    expect(statements).toHaveLength(2);
    for (const sql of statements) {
      const steps = database.prepare<unknown[], { opcode: string }>(`EXPLAIN ${sql}`).all(...(sql.match(/\?/g) ?? []));
      expect(steps.length).toBeGreaterThan(100);
      expect(steps.filter(({ opcode }) => opcode === 'OpenEphemeral')).toEqual([]);
    }
  });
});

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
