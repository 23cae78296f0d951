import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/store/database/database.ts';
import { MIGRATIONS } from '../../../src/store/database/migrations.ts';
import { createActionTable, createEndedActions } from '../../../src/store/records/actions.ts';
import { temporaryFolder } from '../rig.ts';

const BATCH = 5_000;

function openNew(): Database.Database {
  const database = openDatabase({ path: `${temporaryFolder()}/handrail.db` });
  onTestFinished(() => void database.close());
  addDevice(database);
  return database;
}

function addDevice(database: Database.Database): void {
  database.exec(`INSERT INTO devices (id, owner_id, type, name, capabilities, created_at_ms)
    VALUES ('dev_1', 'ann', 'linux', 'Desk', '{}', 1)`);
}

function insert(database: Database.Database, id: string, status: string): void {
  database
    .prepare(
      `INSERT INTO actions (id, user_id, device_id, action_type, digest, timeout_ms, status, risk_level, risk_reasons, effect_class,
         effect, details, created_at_ms) VALUES (?, 'ann', 'dev_1', 'Wait', 'd', 1000, ?, 'low', '[]', 'pure', 'none', '', 1)`,
    )
    .run(id, status);
}

const end = (database: Database.Database, id: string) =>
  database.prepare(`UPDATE actions SET status = 'success' WHERE id = ?`).run(id);
const remove = (database: Database.Database, id: string) =>
  database.prepare('DELETE FROM actions WHERE id = ?').run(id);

const STEPS = ['begin', 'end', 'end', 'remove', 'note', 'number anew'] as const;

type Step = { what: (typeof STEPS)[number]; which: number };

function inMemory(): Database.Database {
  const database = new Database(':memory:');
  database.exec(MIGRATIONS.join(';\n'));
  addDevice(database);
  return database;
}

function statusesIn(database: Database.Database): Map<string, string> {
  const rows = database.prepare<unknown[], { id: string; status: string }>('SELECT id, status FROM actions').all();
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/** Only an action that has ended is ever removed, and no id is used twice. `which` picks an action, or is how the id of a new one begins. */
function play(database: Database.Database, { what, which }: Step, number: number): void {
  const withStatus = (wanted: string) =>
    [...statusesIn(database)].flatMap(([id, status]) => (status === wanted ? [id] : []));
  const picked = (ids: string[]) => ids.slice(which % Math.max(1, ids.length)).slice(0, 1);
  if (what === 'begin') insert(database, `act_${which}_${number}`, 'running');
  if (what === 'end') for (const id of picked(withStatus('running'))) end(database, id);
  if (what === 'remove') for (const id of picked(withStatus('success'))) remove(database, id);
  if (what === 'note') createActionTable(database).noteEnded();
  if (what === 'number anew') numberAnew(database);
}

/** Gives the rows the numbers 1, 2, 3 and so on. VACUUM may do so, although this SQLite keeps the numbers. */
function numberAnew(database: Database.Database): void {
  const rows = database.prepare<unknown[], number>('SELECT rowid FROM actions ORDER BY rowid').pluck().all();
  const set = database.prepare('UPDATE actions SET rowid = ? WHERE rowid = ?');
  for (const [index, row] of rows.entries()) set.run(index + 1, row);
}

describe('the actions that have not ended', () => {
  test('are looked for only behind the last action before which all have ended', () => {
    const database = openNew();
    const { liveIds, noteEnded } = createActionTable(database);
    const { upTo } = createEndedActions(database);
    expect([upTo(), liveIds()]).toEqual([0, []]);
    for (const id of ['act_1', 'act_2', 'act_3']) insert(database, id, 'running');
    end(database, 'act_1');
    end(database, 'act_3');
    expect(noteEnded()).toBe(false);
    expect([upTo(), liveIds()]).toEqual([1, ['act_2']]);
    end(database, 'act_2');
    noteEnded();
    expect([upTo(), liveIds()]).toEqual([3, []]);
    insert(database, 'act_4', 'queued');
    noteEnded();
    expect([upTo(), liveIds()]).toEqual([3, ['act_4']]);
  });

  test('are found although the clock was set back, so that a later one has a lower id', () => {
    const database = openNew();
    const { liveIds, noteEnded } = createActionTable(database);
    insert(database, 'act_9', 'success');
    noteEnded();
    insert(database, 'act_1', 'running');
    expect(liveIds()).toEqual(['act_1']);
  });

  test.each([
    ['the rows are numbered anew', numberAnew],
    [
      'the number of a removed row is used again',
      (database: Database.Database) => {
        for (const id of ['act_3', 'act_4']) remove(database, id);
      },
    ],
  ])('are found although %s', (_title, change) => {
    const database = openNew();
    const { liveIds, noteEnded } = createActionTable(database);
    for (const id of ['act_1', 'act_2', 'act_3', 'act_4']) insert(database, id, 'success');
    for (const id of ['act_1', 'act_2']) remove(database, id);
    noteEnded();
    expect(createEndedActions(database).upTo()).toBe(4);
    change(database);
    insert(database, 'act_5', 'queued');
    expect(createEndedActions(database).upTo()).toBe(0);
    expect(liveIds()).toEqual(['act_5']);
  });

  test('are the same as those among all actions, after any order of beginnings, endings and removals', () => {
    const step = fc.record({ what: fc.constantFrom(...STEPS), which: fc.integer({ min: 0, max: 9 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const database = inMemory();
        const { liveIds } = createActionTable(database);
        for (const [number, each] of steps.entries()) {
          play(database, each, number);
          expect(liveIds()).toEqual(
            [...statusesIn(database)].flatMap(([id, status]) => (status === 'running' ? [id] : [])).toSorted(),
          );
        }
        database.close();
      }),
      { numRuns: 60 },
    );
  });

  test('of many are noted some thousand at a call', () => {
    const database = openNew();
    const { noteEnded } = createActionTable(database);
    database.transaction(() => {
      for (let number = 0; number <= BATCH; number += 1)
        insert(database, `act_${String(number).padStart(5, '0')}`, 'success');
    })();
    expect(noteEnded()).toBe(true);
    expect(createEndedActions(database).upTo()).toBe(BATCH);
    expect(noteEnded()).toBe(false);
    expect(createEndedActions(database).upTo()).toBe(BATCH + 1);
  });
});

test('an action that has ended cannot change its status, nor anything else with it', () => {
  const database = openNew();
  insert(database, 'act_1', 'success');
  expect(() => database.exec(`UPDATE actions SET status = 'running', details = 'anew' WHERE id = 'act_1'`)).toThrow(
    'an action that has ended cannot change its status',
  );
  expect(database.prepare('SELECT status, details FROM actions').get()).toEqual({ status: 'success', details: '' });
});
