import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { chain } from '../../src/store/journal.ts';
import { writeAnchor } from '../../src/store/journal-anchor.ts';
import { DENIAL_TARGETS } from '../../src/store/migrations/denial-targets.ts';
import { STEP_NAMES } from '../../src/store/migrations/step-names.ts';
import { MIGRATIONS } from '../../src/store/migrations.ts';
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
  if (isAnchored) writeAnchor(`${path}/journal.anchor`, { seq: 1, hash });
  const migrated = open({ path });
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
    open({ path })
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
  const { confirmations } = open({ path });
  const wasDenied = (digest: string) => confirmations.wasDeniedAfter('ann', { digest, targetDigest: 't' }, 0);
  expect(['d1', 'd2', 'd3'].map(wasDenied)).toEqual([true, false, false]);
});
