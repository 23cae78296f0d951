import Database from 'better-sqlite3';
import { encodeTime } from 'ulid';
import { describe, expect } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { newDataFolder } from './data-folder.ts';
import { action, device, open, test } from './rig.ts';

const HOUR_MS = 3_600_000;
const SPAN = { fromMs: HOUR_MS, toMs: 2 * HOUR_MS };
/** Ids begin with their time. */
const ID_TIME = encodeTime(SPAN.fromMs, 10);
const ROWS = 'WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < :count)';

const DEVICE = `INSERT INTO devices VALUES ('dev_1', 'ann', 'linux', 'Desk', '{}', 1, NULL, 'local')`;
const ACTIONS = `INSERT INTO actions (id, user_id, device_id, action_type, digest, timeout_ms, status, risk_level, risk_reasons, effect_class, effect, details, created_at_ms)
  ${ROWS} SELECT format('act_${ID_TIME}%016d', n), format('user%d', n), 'dev_1', 'Wait', 'digest', 1000, 'queued', 'low', '[]', 'pure', 'none', '', ${HOUR_MS} FROM rows`;

/** A store on a database in which these statements ran first, each with `count` as its parameter where it has one. */
function openWith(statements: readonly string[], count: number): Store {
  const path = newDataFolder('handrail-store-');
  open({ path }).close();
  const database = new Database(`${path}/handrail.db`);
  database.transaction(() => {
    for (const sql of statements) database.prepare(sql).run(...(sql.includes(':count') ? [{ count }] : []));
  })();
  database.close();
  return open({ path });
}

test.each<[string, string[], (store: Store) => readonly unknown[]]>([
  ['actions', [DEVICE, ACTIONS], ({ actionGroups }) => actionGroups.inHours(SPAN, ['user'])],
  ['actions of a moment ago', [DEVICE, ACTIONS], ({ actionGroups }) => actionGroups.lately(SPAN, ['user'])],
])('5,000 groups of %s are told apart, and no more', (_what, statements, groupsOf) => {
  expect([5_000, 5_001].map((count) => groupsOf(openWith(statements, count)).length)).toEqual([5_000, 5_000]);
});

test('the sources of refused requests are told apart until there are a hundred in an hour', ({ store }) => {
  const refused = (source: string, atMs: number) => {
    const metadata = { code: 'origin_not_allowed', count: 1, from: source } as const;
    store.write('relaxed', () => store.journal.append(atMs, { kind: 'request.refused', metadata }));
    return store.recording.refusedSources({ fromMs: 0, toMs: HOUR_MS }, ['origin_not_allowed']).length;
  };
  const counts = Array.from({ length: 101 }, (_, index) => refused(`site${index}.example`, 1));
  expect(counts.slice(98)).toEqual([99, 100, 100]);
});

test.each([
  [60_000, 1],
  [60_001, 0],
])('an action with an id that is %i ms older than its row is found by its time: %i', (ms, count) => {
  const store = open();
  store.write('relaxed', () => {
    store.devices.insert(device());
    store.actions.insert(
      action({ id: `act_${encodeTime(SPAN.fromMs - ms, 10)}${'0'.repeat(16)}`, createdAtMs: SPAN.fromMs }),
    );
  });
  expect(store.actionGroups.lately(SPAN, ['user'])).toHaveLength(count);
});

test.each([
  [512, []],
  [513, [513]],
])('contents of %i bytes in all are counted by themselves: %j', (bytes, counted) => {
  const store = open();
  const parameters = { text: 'x' };
  const data = { text: 'y'.repeat(bytes - 23) };
  expect(JSON.stringify(parameters).length + JSON.stringify(data).length).toBe(bytes);
  store.write('relaxed', () => {
    store.devices.insert(device());
    const row = action({ parameters, status: 'running' });
    store.actions.insert(row);
    store.actions.update(row, { ...row, status: 'success', data, finishedAtMs: 2 });
  });
  const database = new Database(`${store.path}/handrail.db`, { readonly: true });
  expect(database.prepare('SELECT bytes FROM kept_contents').pluck().all()).toEqual(counted);
  database.close();
});

describe('the rows of the journal about an action', () => {
  const NO_HASH = `zeroblob(32), zeroblob(32)`;
  const OTHERS = `INSERT INTO journal ${ROWS} SELECT n, ${HOUR_MS}, 'planet.discovered', NULL, NULL, NULL, NULL, '{}', ${NO_HASH} FROM rows`;
  const rowOf = (seq: string, atMs: number, actionId = 'act_1') =>
    `INSERT INTO journal SELECT ${seq}, ${atMs}, 'action.delegated', 'ann', NULL, '${actionId}', NULL, '{}', ${NO_HASH}`;
  const found = (statements: readonly string[], count: number) =>
    openWith(statements, count)
      .activity.journalOf('act_1', SPAN)
      .map(({ seq, atMs }) => [seq, atMs]);

  test('are looked for in the 20,000 rows after the first that can be one', () => {
    const last = rowOf('(SELECT max(seq) + 1 FROM journal)', HOUR_MS);
    expect(found([OTHERS, last], 20_000)).toEqual([[20_001, HOUR_MS]]);
    expect(found([OTHERS, last], 20_001)).toEqual([]);
  });

  test('are found from two seconds before its record to two seconds after it', () => {
    const { fromMs, toMs } = SPAN;
    const timesMs = [fromMs - 2_001, fromMs - 2_000, toMs + 1_999, toMs + 2_001];
    const [tooEarly = '', ...rows] = timesMs.map((atMs, index) => rowOf(String(1 + 2 * index), atMs));
    const other = rowOf('6', toMs + 2_000, 'act_2');
    expect(found([tooEarly, ...rows, other], 0)).toEqual([
      [3, fromMs - 2_000],
      [5, toMs + 1_999],
    ]);
  });
});
