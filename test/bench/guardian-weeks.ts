import type Database from 'better-sqlite3';
import { decodeTime, encodeTime } from 'ulid';

export const WEEK_MS = 7 * 86_400_000;
const TIME_CHARACTERS = 10;
const ID_CHARACTERS = 26;
/** Minutes are kept for 35 days, so that earlier ones are not copied. */
const MINUTES_KEPT_MS = 36 * 86_400_000;

const RECORDS = ['actions', 'confirmations', 'tasks', 'guardian_up_intervals'];
const COUNTS = { guardian_counts: 'unit', guardian_action_groups: 'span' };
const IDS = ['id', 'action_id', 'plan_id', 'task_id'];
const TIMES = /_at_ms$|^(start|from|to)_ms$/;

type Week = { fromMs: number; times: number; endMs: number };

/**
 * Copies the week that begins at a time, and is all there is so far, to the weeks after it, under ids of their own time. `endMs`: the end
 * of the whole history. Steps of tasks are left out.
 */
export function repeatWeek(
  database: Database.Database,
  { fromMs, times, endMs }: Week,
  copied: (week: number) => void,
): void {
  database.function('later_id', (id: unknown, byMs: unknown) =>
    id === null ? null : laterId(String(id), Number(byMs)),
  );
  const ofRecords = RECORDS.map((table) => {
    const latest = database.prepare(`SELECT max(rowid) FROM ${table}`).pluck().get();
    return { table, where: `rowid <= ${latest}` };
  });
  for (let week = 1; week <= times; week += 1) {
    const byMs = week * WEEK_MS;
    const keptFromMs = Math.max(fromMs, endMs - MINUTES_KEPT_MS - byMs);
    const ofCounts = Object.entries(COUNTS).map(([table, unit]) => ({
      table,
      where: `start_ms >= CASE ${unit} WHEN 'minute' THEN ${keptFromMs} ELSE ${fromMs} END AND start_ms < ${fromMs + WEEK_MS}`,
    }));
    database.transaction(() => {
      for (const each of [...ofRecords, ...ofCounts]) {
        copy(database, { ...each, byMs });
        copied(week);
      }
    })();
  }
}

function copy(
  database: Database.Database,
  { table, where, byMs }: { table: string; where: string; byMs: number },
): void {
  const columns = (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const values = columns.map((name) => {
    if (IDS.includes(name)) return `later_id(${name}, ${byMs})`;
    return name === 'seq' || TIMES.test(name) ? `${name} + ${byMs}` : name;
  });
  database.exec(
    `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${table} WHERE ${where}`,
  );
}

/** `act_01K…` so much later. */
function laterId(id: string, byMs: number): string {
  const start = id.indexOf('_') + 1;
  const atMs = decodeTime(id.slice(start, start + TIME_CHARACTERS).padEnd(ID_CHARACTERS, '0'));
  return `${id.slice(0, start)}${encodeTime(atMs + byMs, TIME_CHARACTERS)}${id.slice(start + TIME_CHARACTERS)}`;
}
