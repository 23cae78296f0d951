import { GUARDIAN } from './guardian.ts';

const ADDED = ['interrupted', 'unverified', 'confirmed'];
const PARTS = [...columnsOf('guardian_parts'), ...ADDED];
const TOTALS = [...columnsOf('guardian_rollups'), 'requested_by_access', 'denied_again'];

/**
 * One table of counts in the place of two: `counts` has each counter that is not 0, the largest values, and the histograms by bucket. What was
 * counted by its total alone becomes the counts of a part without a requester, type and device.
 */
export const COUNTS = `
  CREATE TABLE guardian_counts (
    unit TEXT NOT NULL CHECK (unit IN ('minute', 'hour', 'day')),
    start_ms INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    action_type TEXT NOT NULL,
    device_id TEXT NOT NULL,
    counts TEXT NOT NULL CHECK (json_valid(counts)),
    PRIMARY KEY (unit, start_ms, user_id, action_type, device_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO guardian_counts
    SELECT span, start_ms, user_id, action_type, device_id, ${countsIn(PARTS)} FROM guardian_parts;
  INSERT INTO guardian_counts
    SELECT span, start_ms, '', '', '', json_patch(${countsIn(TOTALS.filter((column) => !PARTS.includes(column)))},
      json_object('executionMs', json(execution_ms), 'responseMs', json(response_ms), 'taskMs', json(task_ms)))
    FROM guardian_rollups WHERE true
    ON CONFLICT DO UPDATE SET counts = json_patch(counts, excluded.counts);
  DROP TABLE guardian_rollups;
  DROP TABLE guardian_parts`;

/** The columns that have a number, in the schema of the first release. */
function columnsOf(table: string): string[] {
  const [, columns = ''] = new RegExp(`CREATE TABLE ${table} \\(([^;]*)`).exec(GUARDIAN) ?? [];
  return [...columns.matchAll(/(\w+) INTEGER NOT NULL,/g)].flatMap(([, name = '']) =>
    name === 'start_ms' ? [] : name,
  );
}

function countsIn(columns: readonly string[]): string {
  const members = columns.map(
    (column) => `'${column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())}', ${column}`,
  );
  return `(SELECT json_group_object(key, value) FROM json_each(json_object(${members.join(', ')})) WHERE value <> 0)`;
}
