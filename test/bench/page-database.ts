import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { createStore } from '../../src/store/store.ts';
import { fill, fillRecords } from './guardian-database.ts';
import { progress } from './progress.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DEVICE_ID = 'dev_bench';

type Wanted = {
  rows: number;
  days: number;
  /** Whether it has a journal of its last day and what Guardian counts. Counting takes most of the time. */
  isCounted: boolean;
};

/** A data directory of its own with so many actions over so many days, the last of which ended some minutes ago. */
export function pageDatabase({ rows, days, isCounted }: Wanted): string {
  const path = mkdtempSync(join(tmpdir(), 'handrail-bench-page-'));
  const endMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 6 * MINUTE_MS;
  const store = createStore({ path, now: () => endMs });
  const device = {
    id: DEVICE_ID,
    ownerId: 'ann',
    type: 'linux',
    name: 'Desk',
    machine: 'local',
    capabilities: {},
    createdAtMs: 0,
  };
  store.write('relaxed', () => store.devices.insert(device));
  store.close();
  const database = new Database(dataDirectoryAt(path).database);
  database.pragma('synchronous = OFF');
  const extent = { rows, days, endMs, deviceId: DEVICE_ID };
  const progressed = (done: number) => progress.at(`${done} of ${rows} actions are built`);
  if (isCounted) fill(database, { ...extent, journalFromMs: endMs - DAY_MS }, progressed);
  else fillRecords(database, extent);
  database.close();
  return path;
}
