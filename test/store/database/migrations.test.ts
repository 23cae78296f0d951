import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { ACTION_STATUSES } from '../../../src/contract/action.ts';
import { RISK_LEVELS } from '../../../src/contract/risk-level.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { ENDED_BADLY } from '../../../src/store/database/migrations/ended-badly.ts';
import { KEPT_CONTENTS } from '../../../src/store/database/migrations/kept-contents.ts';
import { HAS_ENDED_BADLY, IS_LIVE, PLAIN_CONDITIONS } from '../../../src/store/database/migrations/plain-conditions.ts';
import { PLAN_APPROVALS } from '../../../src/store/database/migrations/plan-approvals.ts';
import { STEP_DETAILS } from '../../../src/store/database/migrations/step-details.ts';
import { WINDOWS } from '../../../src/store/database/migrations/windows.ts';
import { MIGRATIONS } from '../../../src/store/database/migrations.ts';
import { writeAnchor } from '../../../src/store/journal/anchor.ts';
import { chain } from '../../../src/store/journal/journal.ts';
import { createActionTable } from '../../../src/store/records/actions.ts';
import { createEndedActions } from '../../../src/store/records/ended-actions.ts';
import { audit, open, temporaryFolder } from '../rig.ts';

/** Before the first row of a journal. */
const GENESIS = Buffer.alloc(32);

/** The schema from before a confirmation could be about a plan. */
const BEFORE_PLANS = MIGRATIONS.indexOf(PLAN_APPROVALS);

test('confirmations from before there were plans are kept as they are, and can be consumed once', () => {
  const path = temporaryFolder();
  const database = new Database(`${path}/handrail.db`);
  for (const step of MIGRATIONS.slice(0, BEFORE_PLANS)) database.exec(step);
  database.exec(`
    INSERT INTO devices (id, owner_id, type, name, capabilities, created_at_ms) VALUES ('dev_1', 'ann', 'linux', 'Desk', '{}', 1);
    INSERT INTO actions (id, user_id, device_id, action_type, digest, timeout_ms, status, risk_level, risk_reasons, effect_class,
        effect, details, created_at_ms)
      VALUES ('act_1', 'ann', 'dev_1', 'Wait', 'd', 1000, 'awaiting_confirmation', 'low', '[]', 'pure', 'none', '', 1);
    INSERT INTO confirmations (id, action_id, user_id, action_digest, nonce, policy_version, status, created_at_ms, expires_at_ms)
      VALUES ('cnf_1', 'act_1', 'ann', 'd', 'n', '1', 'pending', 1, 2);
    PRAGMA user_version = ${BEFORE_PLANS}`);
  const hash = chain(GENESIS, [1, 1, 'action.requested', null, null, null, null, '{}']);
  database
    .prepare(`INSERT INTO journal (seq, at_ms, kind, metadata, previous_hash, hash) VALUES (1, 1, ?, '{}', ?, ?)`)
    .run('action.requested', GENESIS, hash);
  database.close();
  writeAnchor(`${path}/journal.anchor`, { seq: 1, hash }, undefined);
  writeFileSync(`${path}/handrail.db.before-schema-2`, 'what was kept before an earlier step');

  const store = open({ path });
  expect(readdirSync(path).filter((name) => name.includes('before'))).toEqual([
    `handrail.db.before-schema-${BEFORE_PLANS + 1}`,
  ]);
  expect(store.confirmations.pending()).toEqual([
    {
      kind: 'action',
      id: 'cnf_1',
      actionId: 'act_1',
      userId: 'ann',
      actionDigest: 'd',
      nonce: 'n',
      policyVersion: '1',
      status: 'pending',
      createdAtMs: 1,
      expiresAtMs: 2,
    },
  ]);
  expect(store.confirmations.decide('cnf_1', { status: 'allowed', atMs: 3 })).toBe(true);
  expect([store.confirmations.consume('cnf_1', 4), store.confirmations.consume('cnf_1', 5)]).toEqual([true, false]);
  expect(store.confirmations.wasDeniedAfter('ann', { digest: 'd', targetDigest: 't' }, 0)).toBe(false);
  expect(audit(store)).toMatchObject({ valid: true });
});

test('a database that cannot be copied first is left as it is, and the person is told what to do', () => {
  const path = temporaryFolder();
  const database = new Database(`${path}/handrail.db`);
  for (const step of MIGRATIONS.slice(0, BEFORE_PLANS)) database.exec(step);
  database.pragma(`user_version = ${BEFORE_PLANS}`);
  database.close();
  mkdirSync(`${path}/handrail.db.before-schema-${BEFORE_PLANS + 1}`);
  expect(() => open({ path })).toThrow(/could not make it \(.*\)\. Nothing was changed\. Make room for 1 MB/);
  const unchanged = new Database(`${path}/handrail.db`, { readonly: true });
  expect(unchanged.pragma('user_version', { simple: true })).toBe(BEFORE_PLANS);
  unchanged.close();
});

test('the steps of a task from before keep no sentence, and new ones can', () => {
  const path = temporaryFolder();
  const database = new Database(`${path}/handrail.db`);
  const before = MIGRATIONS.indexOf(STEP_DETAILS);
  for (const step of MIGRATIONS.slice(0, before)) database.exec(step);
  database.exec(`
    PRAGMA foreign_keys = OFF;
    INSERT INTO users (id, first_seen_at_ms) VALUES ('ann', 1);
    INSERT INTO tasks (id, user_id, name, on_failure, status, created_at_ms) VALUES ('tsk_1', 'ann', 'T', 'stop', 'pending', 1);
    INSERT INTO task_steps (task_id, position, id, device_id, action_type, parameters, depends_on, run_if, timeout_ms, max_attempts,
      backoff_ms, effect_class, risk_level, risk_reasons, asks, status)
    VALUES ('tsk_1', 0, 'a', 'dev_1', 'Wait', '{}', '[]', 'success', 1000, 1, 0, 'pure', 'low', '[]', 0, 'pending');
    PRAGMA user_version = ${before}`);
  database.close();
  const store = open({ path });
  const [step] = store.tasks.findById('tsk_1')?.steps ?? [];
  if (step === undefined) throw new Error('the step is gone');
  expect(step.details).toBeUndefined();
  store.write('relaxed', () =>
    store.tasks.updateStep('tsk_1', step, { ...step, status: 'denied', details: 'The person said no.' }),
  );
  expect(store.tasks.findById('tsk_1')?.steps[0]?.details).toBe('The person said no.');
});

test('contents from before the quota existed are counted, oldest first; those of an unfinished action are not', () => {
  const path = temporaryFolder();
  const database = new Database(`${path}/handrail.db`);
  const step = MIGRATIONS.indexOf(KEPT_CONTENTS);
  for (const each of MIGRATIONS.slice(0, step)) database.exec(each);
  const action = (id: string, { status, finishedAtMs }: { status: string; finishedAtMs: number | null }) => `
    INSERT INTO actions (id, user_id, device_id, action_type, digest, timeout_ms, status, risk_level, risk_reasons, effect_class,
        effect, details, created_at_ms, finished_at_ms, parameters, data)
      VALUES ('${id}', 'ann', 'dev_1', 'Wait', 'd', 1000, '${status}', 'low', '[]', 'pure', 'none', '', 1, ${finishedAtMs}, '{}',
        '"${'x'.repeat(996)}"');`;
  const artifact = (id: string, removedAtMs: number | null) => `
    INSERT INTO artifacts (id, action_id, user_id, media_type, width, height, size_bytes, sha256, created_at_ms, removed_at_ms)
      VALUES ('${id}', 'act_2', 'ann', 'image/png', 1, 1, 5000, 'h', 1, ${removedAtMs});`;
  database.exec(`
    INSERT INTO devices (id, owner_id, type, name, capabilities, created_at_ms) VALUES ('dev_1', 'ann', 'linux', 'Desk', '{}', 1);
    INSERT INTO settings (name, value) VALUES ('contentsForgotten', '{"upToId":"act_0","waiting":[]}');
    ${action('act_1', { status: 'success', finishedAtMs: 20 })}
    ${action('act_2', { status: 'success', finishedAtMs: 10 })}
    ${action('act_3', { status: 'running', finishedAtMs: null })}
    INSERT INTO idempotency_keys (user_id, key, fingerprint, action_id, answer, created_at_ms)
      VALUES ('ann', 'key', 'f', 'act_3', '"${'x'.repeat(998)}"', 5);
    INSERT INTO tasks (id, user_id, name, on_failure, status, created_at_ms, finished_at_ms)
      VALUES ('tsk_1', 'bob', '', 'stop', 'success', 1, 2);
    INSERT INTO task_steps (task_id, position, id, device_id, action_type, parameters, depends_on, run_if, timeout_ms, max_attempts,
        backoff_ms, effect_class, risk_level, risk_reasons, asks, status)
      VALUES ('tsk_1', 0, 's', 'dev_1', 'Wait', '"${'x'.repeat(598)}"', '[]', 'success', 1, 1, 0, 'pure', 'low', '[]', 0, 'success');
    ${artifact('art_1', null)}
    ${artifact('art_2', 3)}
    PRAGMA user_version = ${step}`);
  database.close();

  const { kept, write } = open({ path });
  expect([kept.bytesInAll('results'), kept.bytesInAll('artifacts')]).toEqual([1_000 + 1_000 + 1_000 + 600, 5_000]);
  expect([kept.bytesOfUser('results', 'ann'), kept.bytesOfUser('results', 'bob')]).toEqual([3_000, 600]);
  const all = kept.oldest('results', { userId: null, bytes: 10_000 }, 10);
  expect(all.map(({ subject }) => subject)).toEqual(['act_2', 'act_1', 'tsk_1', 'key']);
  write('relaxed', () => all.forEach(kept.forget));
  expect([kept.bytesInAll('results'), kept.oldest('results', { userId: null, bytes: 1 }, 10)]).toEqual([0, []]);
});

test('grants for the id of a window from before windows were bound are ended, and others are kept', () => {
  const path = temporaryFolder();
  const before = MIGRATIONS.indexOf(WINDOWS);
  const database = new Database(`${path}/handrail.db`);
  for (const step of MIGRATIONS.slice(0, before)) database.exec(step);
  const grant = (id: string, parameters: object) => `
    INSERT INTO grants (id, user_id, action_type, device_id, arguments, literal, scope, created_at_ms, unused_ms, expires_at_ms)
      VALUES ('${id}', 'ann', 'TakeScreenshot', 'dev_1', '${JSON.stringify(parameters)}', '', 'always', 1, 1000, 1000);`;
  database.exec(`
    INSERT INTO devices (id, owner_id, type, name, capabilities, created_at_ms) VALUES ('dev_1', 'ann', 'linux', 'Desk', '{}', 1);
    ${grant('grt_window', { windowId: '0x01400003' })} ${grant('grt_display', { display: 'left' })}
    PRAGMA user_version = ${before}`);
  database.close();
  expect(
    open({ path })
      .grants.live(2)
      .map(({ id }) => id),
  ).toEqual(['grt_display']);
});

test('actions from before there was an index of those that ended badly are found by it', () => {
  const path = temporaryFolder();
  const before = MIGRATIONS.indexOf(ENDED_BADLY);
  const database = new Database(`${path}/handrail.db`);
  for (const step of MIGRATIONS.slice(0, before)) database.exec(step);
  const action = (id: string, userId: string, status: string) => `
    INSERT INTO actions (id, user_id, device_id, action_type, digest, timeout_ms, status, risk_level, risk_reasons, effect_class,
        effect, details, created_at_ms)
      VALUES ('${id}', '${userId}', 'dev_1', 'Wait', 'd', 1000, '${status}', 'low', '[]', 'pure', 'none', '', 1);`;
  database.exec(`
    INSERT INTO devices (id, owner_id, type, name, capabilities, created_at_ms) VALUES ('dev_1', 'ann', 'linux', 'Desk', '{}', 1);
    ${action('act_1', 'ann', 'failed')} ${action('act_2', 'ann', 'success')} ${action('act_3', 'bob', 'failed')}
    ${action('act_4', 'ann', 'denied')} ${action('act_5', 'ann', 'running')}
    PRAGMA user_version = ${before}`);
  database.close();
  const { activity } = open({ path });
  const found = (filter: object) =>
    activity.scan(filter, { beforeId: 'b', scan: 10, limit: 10 }).rows.map(({ id }) => id);
  expect(found({ statuses: ['failed'] })).toEqual(['act_3', 'act_1']);
  expect(found({ statuses: ['failed', 'denied'], userId: 'ann' })).toEqual(['act_4', 'act_1']);
  expect(found({ statuses: ['failed', 'success'] })).toEqual(['act_3', 'act_2', 'act_1']);
  expect(found({ statuses: [] })).toEqual([]);
});

describe('the conditions of actions, since they are comparisons instead of lists', () => {
  const before = MIGRATIONS.indexOf(PLAIN_CONDITIONS);
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

  /** A database of the version before, with two actions, as the current version opens it. */
  function upgraded(): Database.Database {
    const path = `${temporaryFolder()}/handrail.db`;
    const older = new Database(path);
    for (const step of MIGRATIONS.slice(0, before)) older.exec(step);
    older.exec(`INSERT INTO devices (id, owner_id, type, name, capabilities, created_at_ms)
      VALUES ('dev_1', 'ann', 'linux', 'Desk', '{}', 1)`);
    insert(older, 'act_1', { status: 'failed' });
    insert(older, 'act_2');
    older.pragma(`user_version = ${before}`);
    older.close();
    return openDatabase({ path });
  }

  test('still hold for every column that had a list', () => {
    const database = upgraded();
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
    database.close();
  });

  test('find the actions from before by their indexes', () => {
    const database = upgraded();
    const table = createActionTable(database);
    expect(table.liveIds()).toEqual(['act_2']);
    expect(createEndedActions(database).upTo()).toBe(1);
    const planOf = (where: string) =>
      database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN SELECT id FROM actions WHERE ${where}`).get();
    expect(planOf(`rowid > 1 AND ${IS_LIVE}`)?.detail).toContain('USING INTEGER PRIMARY KEY');
    expect(planOf(HAS_ENDED_BADLY)?.detail).toContain('actions_ended_badly');
    database.close();
  });

  test('need no temporary table while an action is stored, which is where most of the time went', () => {
    const database = upgraded();
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
    database.close();
  });

  test('are the last texts of the schema that could be replaced: the database refuses it afterwards', () => {
    const database = upgraded();
    database.pragma('writable_schema = ON');
    expect(() => database.exec(`UPDATE sqlite_schema SET sql = '' WHERE name = 'actions'`)).toThrow(
      /may not be modified/,
    );
    database.close();
  });
});
