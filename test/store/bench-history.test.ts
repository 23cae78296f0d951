import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import type { Store } from '../../src/store/store.ts';
import { fill, fillWeeks, lifeOfDaemon } from '../bench/guardian-database.ts';
import { history, taskAfter } from '../bench/guardian-history.ts';
import { fromOtherBuild } from './other-build.ts';
import { device, open, temporaryFolder } from './rig.ts';

const DAY_MS = 86_400_000;
const EXTENT = { rows: 1_200, days: 2, endMs: Date.UTC(2026, 4, 6, 10, 37), deviceId: 'dev_1' };
const TABLES = [
  'guardian_counts ORDER BY unit, start_ms, user_id, action_type, device_id',
  'guardian_seen ORDER BY key',
];

it('the millions of the bench are counted as the daemon would have counted them, event by event', () => {
  const written = open();
  for (const { atMs, ...event } of eventsOf(EXTENT)) {
    written.write('relaxed', () => written.journal.append(atMs, fromOtherBuild(event)));
  }
  written.write('relaxed', () => written.recording.prune(EXTENT.endMs));

  const path = temporaryFolder();
  withDevice(path).close();
  const database = new Database(dataDirectoryAt(path).database);
  onTestFinished(() => void database.close());
  fill(database, { ...EXTENT, journalFromMs: EXTENT.endMs - DAY_MS }, () => undefined);

  const expected = new Database(dataDirectoryAt(written.path).database, { readonly: true });
  onTestFinished(() => void expected.close());
  for (const table of TABLES) expect(rowsOf(database, `* FROM ${table}`)).toEqual(rowsOf(expected, `* FROM ${table}`));
  const intervals = 'from_ms, to_ms, is_ready FROM guardian_up_intervals ORDER BY seq';
  expect(rowsOf(database, intervals)).toEqual(rowsOf(expected, intervals));
  expect(rowsOf(database, 'count(*) AS count FROM actions')).toEqual([{ count: EXTENT.rows }]);
  expect(rowsOf(database, `sum(counts ->> 'requested') AS count FROM guardian_counts WHERE unit = 'minute'`)).toEqual([
    { count: EXTENT.rows },
  ]);
});

it('a week of the bench is copied with its counts to the weeks after it', () => {
  const path = temporaryFolder();
  withDevice(path).close();
  const database = new Database(dataDirectoryAt(path).database);
  onTestFinished(() => void database.close());
  const endMs = Date.UTC(2026, 4, 6, 10, 37);
  fillWeeks(database, { rows: 6_000, days: 30, endMs, deviceId: 'dev_1' }, () => undefined);
  const number = (what: string) => Number(database.prepare(`SELECT ${what}`).pluck().get());
  expect(number('count(*) FROM actions')).toBe(6_000);
  expect(number(`sum(counts ->> 'requested') FROM guardian_counts WHERE unit = 'minute'`)).toBe(6_000);
  expect(number(`sum(actions) FROM guardian_action_groups WHERE span = 'day'`)).toBe(6_000);
  expect(
    number(`count(DISTINCT start_ms) FROM guardian_counts WHERE unit = 'day' AND counts ->> 'requested' > 0`),
  ).toBe(30);
  expect(
    number('count(*) FROM actions WHERE created_at_ms >= (SELECT max(start_ms) FROM guardian_counts)'),
  ).toBeLessThan(9);
});

function eventsOf(extent: typeof EXTENT) {
  const ofActions = [...history(extent)].flatMap((past, number) => [
    ...past.events,
    ...(taskAfter(past, number)?.events ?? []),
  ]);
  return [...lifeOfDaemon(extent), ...ofActions].toSorted((one, other) => one.atMs - other.atMs);
}

function withDevice(path: string): Pick<Store, 'close'> {
  const store = open({ path });
  store.write('relaxed', () => store.devices.insert(device()));
  return store;
}

function rowsOf(database: Database.Database, what: string): unknown[] {
  const rows = database.prepare<unknown[], { counts?: string }>(`SELECT ${what}`).all();
  // Counts are in the order in which they came.
  return rows.map(({ counts, ...row }) => ({ ...row, counts: counts && (JSON.parse(counts) as unknown) }));
}
