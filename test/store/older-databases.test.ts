import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { DENIAL_TARGETS } from '../../src/store/database/migrations/denial-targets.ts';
import { DEVICE_GROUPS } from '../../src/store/database/migrations/device-groups.ts';
import { FORMER_REMOVED } from '../../src/store/database/migrations/former-removed.ts';
import { OUTCOMES } from '../../src/store/database/migrations/outcomes.ts';
import { PERSON_CANCELS } from '../../src/store/database/migrations/person-cancels.ts';
import { PROMPT_READING } from '../../src/store/database/migrations/prompt-reading.ts';
import { STEP_NAMES } from '../../src/store/database/migrations/step-names.ts';
import { MIGRATIONS } from '../../src/store/database/migrations.ts';
import { writeAnchor } from '../../src/store/journal/anchor.ts';
import { chain } from '../../src/store/journal/journal.ts';
import { audit, open, temporaryFolder } from './rig.ts';

test.each([
  ['stays valid, since that version anchored its end as well', true],
  ['is broken where its anchor was removed before the migration', false],
])('a journal from before the anchor was required %s', (_title, isAnchored) => {
  const path = temporaryFolder();
  const database = new Database(`${path}/handrail.db`);
  const before = MIGRATIONS.indexOf(STEP_NAMES);
  for (const step of MIGRATIONS.slice(0, before)) database.exec(step);
  const genesis = Buffer.alloc(32);
  const hash = chain(genesis, [1, 1, 'one', null, null, null, null, '{}']);
  database
    .prepare(`INSERT INTO journal (seq, at_ms, kind, metadata, previous_hash, hash) VALUES (1, 1, 'one', '{}', ?, ?)`)
    .run(genesis, hash);
  database.pragma(`user_version = ${before}`);
  database.close();
  if (isAnchored) writeAnchor(`${path}/journal.anchor`, { seq: 1, hash }, undefined);
  const migrated = open({ path, compileAtOnce: true });
  expect(audit(migrated).valid).toBe(isAnchored);
  expect(migrated.journal.head().seq).toBe(isAnchored ? 1 : 2);
});

test('stored insights whose titles name a step are removed, and others are kept', () => {
  const path = temporaryFolder();
  const database = new Database(`${path}/handrail.db`);
  const before = MIGRATIONS.indexOf(STEP_NAMES);
  for (const step of MIGRATIONS.slice(0, before)) database.exec(step);
  const insert = database.prepare(
    `INSERT INTO guardian_insights (id, subject, finding, status, first_seen_ms, last_seen_ms, count)
     VALUES (?, ?, '{"title":"Step \\"call-dr-miller\\" of {requester} failed"}', 'open', 1, 1, 1)`,
  );
  insert.run('ins_1', 'same_step_failing ann call-dr-miller Wait');
  insert.run('ins_2', 'retry_loop ann');
  database.pragma(`user_version = ${before}`);
  database.close();
  expect(
    open({ path, compileAtOnce: true })
      .insights.all()
      .map(({ id }) => id),
  ).toEqual(['ins_2']);
});

test('a denial from before targets were stored counts for exactly the action that was denied', () => {
  const path = temporaryFolder();
  const database = new Database(`${path}/handrail.db`);
  const before = MIGRATIONS.indexOf(DENIAL_TARGETS);
  for (const step of MIGRATIONS.slice(0, before)) database.exec(step);
  const [lately, longAgo] = [Date.now() - 1_000, Date.now() - 11 * 60_000];
  database.exec(`
    INSERT INTO devices (id, owner_id, type, name, capabilities, created_at_ms) VALUES ('dev_1', 'ann', 'linux', 'Desk', '{}', 1);
    INSERT INTO actions (id, user_id, device_id, action_type, digest, timeout_ms, status, risk_level, risk_reasons, effect_class,
        effect, details, created_at_ms)
      VALUES ('act_1', 'ann', 'dev_1', 'Wait', 'd1', 1000, 'denied', 'low', '[]', 'pure', 'none', '', 1),
        ('act_2', 'ann', 'dev_1', 'Wait', 'd2', 1000, 'denied', 'low', '[]', 'pure', 'none', '', 1);
    INSERT INTO confirmations (id, action_id, user_id, action_digest, nonce, policy_version, status, created_at_ms, expires_at_ms, decided_at_ms)
      VALUES ('cnf_1', 'act_1', 'ann', 'd1', 'n', '1', 'denied', 1, 2, ${lately}), ('cnf_2', 'act_2', 'ann', 'd2', 'n', '1', 'denied', 1, 2, ${longAgo});
    PRAGMA user_version = ${before}`);
  database.close();
  const { confirmations } = open({ path, compileAtOnce: true });
  const wasDenied = (digest: string) => confirmations.wasDeniedAfter('ann', { digest, targetDigest: 't' }, 0);
  expect(['d1', 'd2', 'd3'].map(wasDenied)).toEqual([true, false, false]);
});

test('rollup rows from before the counters of outcomes keep their counts, and have none of the new ones', () => {
  const path = temporaryFolder();
  const database = new Database(`${path}/handrail.db`);
  const before = MIGRATIONS.indexOf(OUTCOMES);
  for (const step of MIGRATIONS.slice(0, before)) database.exec(step);
  const columns = database.pragma('table_info(guardian_rollups)') as { name: string; type: string }[];
  const insert = database.prepare(
    `INSERT INTO guardian_rollups (${columns.map(({ name }) => name).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const older: Record<string, string | number> = { span: 'minute', start_ms: 60_000, requested: 7, executed_high: 3 };
  insert.run(...columns.map(({ name, type }) => older[name] ?? (type === 'TEXT' ? '{}' : 0)));
  database.pragma(`user_version = ${before}`);
  database.close();
  const store = open({ path, compileAtOnce: true });
  store.write('relaxed', () => {
    store.journal.append(60_001, { kind: 'request.refused', metadata: { code: 'capability_missing', count: 120 } });
  });
  const { rollup } = store.recording.recorded({ fromMs: 60_000, toMs: 120_000 }, 61_000);
  const counted = Object.entries(rollup.counters).filter(([, times]) => times > 0);
  expect(Object.fromEntries(counted)).toEqual({ requested: 7, executedHigh: 3, requestRefused: 120 });
});

test('answers from before the length of prompts was stored have no length, and count as answers', () => {
  const path = temporaryFolder();
  const database = new Database(`${path}/handrail.db`);
  const before = MIGRATIONS.indexOf(PROMPT_READING);
  for (const step of MIGRATIONS.slice(0, before)) database.exec(step);
  database.exec(`
    INSERT INTO devices (id, owner_id, type, name, capabilities, created_at_ms) VALUES ('dev_1', 'ann', 'linux', 'Desk', '{}', 1);
    INSERT INTO actions (id, user_id, device_id, action_type, digest, timeout_ms, status, risk_level, risk_reasons, effect_class,
        effect, details, created_at_ms)
      VALUES ('act_1', 'ann', 'dev_1', 'Wait', 'd1', 1000, 'queued', 'medium', '[]', 'pure', 'none', '', 1);
    INSERT INTO confirmations (id, action_id, user_id, action_digest, nonce, policy_version, status, created_at_ms, shown_at_ms,
        answerable_at_ms, expires_at_ms, decided_at_ms)
      VALUES ('cnf_1', 'act_1', 'ann', 'd1', 'n', '1', 'allowed', 1, 2, 1002, 90000, 4002);
    PRAGMA user_version = ${before}`);
  database.close();
  const subject = { actionId: 'act_1', userId: 'ann', risk: 'medium', isAllowed: true, isRepeat: false };
  const times = { decidedAtMs: 4_002, tookMs: 3_000 };
  expect(open({ path, compileAtOnce: true }).evidence.answers({ afterMs: 0, limit: 10 })).toEqual([
    { ...subject, ...times, characters: null, wasOpenedToEnd: null },
  ]);
});

test('counts of actions from before devices were told apart are kept, without a device', () => {
  const path = temporaryFolder();
  const before = MIGRATIONS.indexOf(DEVICE_GROUPS);
  const database = new Database(`${path}/handrail.db`);
  for (const step of MIGRATIONS.slice(0, before)) database.exec(step);
  database.exec(`
    INSERT INTO guardian_action_groups (span, start_ms, user_id, action_type, risk_level, status, actions)
      VALUES ('hour', 0, 'ann', 'Wait', 'low', 'success', 3);
    PRAGMA user_version = ${before}`);
  database.close();
  const groups = open({ path, compileAtOnce: true }).actionGroups.inHours({ fromMs: 0, toMs: 3_600_000 }, [
    'user',
    'device',
  ]);
  expect(groups).toEqual([{ user: 'ann', device: '', count: 3 }]);
});

test('actions from before cancels of the person were stored have none, and the sources of refusals are counted from then on', () => {
  const path = temporaryFolder();
  const database = new Database(`${path}/handrail.db`);
  const before = MIGRATIONS.indexOf(PERSON_CANCELS);
  for (const step of MIGRATIONS.slice(0, before)) database.exec(step);
  database.exec(`
    INSERT INTO devices (id, owner_id, type, name, capabilities, created_at_ms) VALUES ('dev_1', 'ann', 'linux', 'Desk', '{}', 1);
    INSERT INTO actions (id, user_id, device_id, action_type, digest, timeout_ms, status, risk_level, risk_reasons, effect_class,
        effect, details, created_at_ms)
      VALUES ('act_1', 'ann', 'dev_1', 'Wait', 'd', 1000, 'cancelled', 'low', '[]', 'pure', 'none', '', 1);`);
  database.pragma(`user_version = ${before}`);
  database.close();
  const store = open({ path, compileAtOnce: true });
  expect(store.actions.hasCancelOfPerson(['act_1'])).toBe(false);
  store.write('relaxed', () => {
    store.actions.markCancelledByPerson('act_1');
    const metadata = { code: 'origin_not_allowed', count: 3, from: 'evil.example' };
    store.journal.append(1_000, { kind: 'request.refused', metadata });
  });
  expect(store.actions.hasCancelOfPerson(['act_2', 'act_1'])).toBe(true);
  expect(store.recording.refusedSources({ fromMs: 0, toMs: 2_000 }, ['origin_not_allowed'])).toEqual([
    { source: 'evil.example', times: 3 },
  ]);
});

test('undos from before former versions could make room for others are kept as they were', () => {
  const path = temporaryFolder();
  const database = new Database(`${path}/handrail.db`);
  const before = MIGRATIONS.indexOf(FORMER_REMOVED);
  for (const step of MIGRATIONS.slice(0, before)) database.exec(step);
  database.exec(`
    INSERT INTO undos (action_id, facts, until_ms) VALUES ('act_1', '{}', 7);
    PRAGMA user_version = ${before}`);
  database.close();
  const { undos, write } = open({ path, compileAtOnce: true });
  expect(undos.find('act_1')).toEqual({ actionId: 'act_1', facts: {}, untilMs: 7 });
  write('relaxed', () => undos.markFormerRemoved('act_1', 5));
  expect(undos.find('act_1')?.formerRemovedAtMs).toBe(5);
});

test('at most a hundred sources of refusals are told apart in an hour, and known ones still count', () => {
  const store = open();
  const refuse = (from: string) =>
    store.journal.append(1_000, { kind: 'request.refused', metadata: { code: 'origin_not_allowed', count: 1, from } });
  store.write('relaxed', () => {
    for (let number = 0; number < 150; number += 1) refuse(`${number}.example`);
    refuse('0.example');
  });
  const sources = store.recording.refusedSources({ fromMs: 0, toMs: 2_000 }, ['origin_not_allowed']);
  expect([sources.length, sources[0]]).toEqual([100, { source: '0.example', times: 2 }]);
});
