import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { STEP_NAMES } from '../../src/store/migrations/step-names.ts';
import { MIGRATIONS } from '../../src/store/migrations.ts';
import { createStore } from '../../src/store/store.ts';
import { audit, open, temporaryFolder } from './rig.ts';

test('a journal from before the anchor was required stays valid, since that version anchored its end as well', () => {
  const path = temporaryFolder();
  const store = createStore({ path, now: Date.now, migrations: MIGRATIONS.slice(0, MIGRATIONS.indexOf(STEP_NAMES)) });
  store.write('relaxed', () => store.journal.append(1, { kind: 'one' }));
  store.close();
  const migrated = open({ path });
  migrated.write('relaxed', () => migrated.journal.append(2, { kind: 'two' }));
  expect(audit(migrated)).toEqual({ valid: true, rows: 2 });
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
