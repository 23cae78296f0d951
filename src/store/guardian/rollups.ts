import type { Database, Statement } from 'better-sqlite3';
import { COUNTERS, type Counter } from '../../contract/counters.ts';
import { mergeRollups, type Rollup } from '../../guardian/recording/rollup.ts';
import type { UpInterval } from '../../guardian/recording/uptime.ts';
import { onlyRow, storedJson } from '../database/stored-values.ts';

export type RollupSpan = 'minute' | 'hour' | 'day';
export type Span = { fromMs: number; toMs: number };

/** As many sets of columns as change together get a statement of their own; there are some twenty in daily life. */
const MOST_UPDATES = 100;

/** In the order of the counters. */
export const COUNTER_COLUMNS = COUNTERS.map(counterColumn);
const OTHERS = ['burst_peak', 'slowest_ms', 'types', 'execution_ms', 'response_ms', 'task_ms'];

/**
 * The sums of each minute, hour and day, by start time, and the intervals in which the daemon was up. `changed` is called
 * for every row that is put.
 */
export function createRollupTable(database: Database, changed: (span: RollupSpan, startMs: number) => void) {
  const columns = [...COUNTER_COLUMNS, ...OTHERS];
  const names = ['span', 'start_ms', ...columns];
  const put = database.prepare(
    `INSERT OR REPLACE INTO guardian_rollups (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const get = database.prepare<unknown[], Stored>('SELECT * FROM guardian_rollups WHERE span = ? AND start_ms = ?');
  const between = database.prepare<unknown[], Stored>(
    'SELECT * FROM guardian_rollups WHERE span = ? AND start_ms >= ? AND start_ms < ? ORDER BY start_ms',
  );
  const latest = database.prepare<unknown[], { startMs: number | null }>(
    `SELECT max(start_ms) AS startMs FROM guardian_rollups WHERE span = 'minute'`,
  );
  const prune = database.prepare('DELETE FROM guardian_rollups WHERE span = ? AND start_ms < ?');
  const putInterval = database.prepare(
    'INSERT OR REPLACE INTO guardian_up_intervals (seq, from_ms, to_ms, is_ready, is_locked) VALUES (?, ?, ?, ?, ?)',
  );
  const pruneIntervals = database.prepare('DELETE FROM guardian_up_intervals WHERE to_ms < ?');
  const intervals = database.prepare<unknown[], StoredInterval>(
    'SELECT * FROM guardian_up_intervals WHERE to_ms > ? AND from_ms < ? ORDER BY seq',
  );

  const read = (span: RollupSpan, { fromMs, toMs }: Span): Rollup[] => between.all(span, fromMs, toMs).map(toRollup);

  const update = createUpdate(database, columns);
  let latestPut: Put | undefined;

  /**
   * A row that was put just before differs in a few of its some fifty values, so only those are written: half the cost of
   * writing all.
   */
  function store(span: RollupSpan, startMs: number, rollup: Rollup): void {
    const isSame = latestPut?.span === span && latestPut.startMs === startMs && latestPut.rollup === rollup;
    const before = isSame ? latestPut : undefined;
    const { texts, values } = valuesOf(rollup, before?.texts);
    latestPut = { span, startMs, rollup, texts, values };
    const isUpdated = before !== undefined && update(before, latestPut);
    if (!isUpdated) put.run(span, startMs, ...values);
    changed(span, startMs);
  }

  return {
    put: store,
    /** Call this after a transaction may have been rolled back with the latest put. */
    forgetLatest(): void {
      latestPut = undefined;
    },
    find(span: RollupSpan, startMs: number): Rollup | undefined {
      const stored = get.get(span, startMs);
      return stored === undefined ? undefined : toRollup(stored);
    },
    read,
    /** The start of the latest minute in which anything happened. */
    latestMinuteMs: (): number | undefined => onlyRow(latest.get()).startMs ?? undefined,
    /** Sums up a span from the finer rows within it. */
    fold(span: 'hour' | 'day', { fromMs, toMs }: Span): void {
      store(span, fromMs, mergeRollups(read(span === 'hour' ? 'minute' : 'hour', { fromMs, toMs })));
    },
    prune: (span: RollupSpan, beforeMs: number): number => prune.run(span, beforeMs).changes,
    pruneIntervals: (beforeMs: number): number => pruneIntervals.run(beforeMs).changes,
    putInterval({ seq, fromMs, toMs, isReady, isLocked }: UpInterval): void {
      putInterval.run(seq, fromMs, toMs, isReady ? 1 : 0, isLocked ? 1 : 0);
    },
    intervals: ({ fromMs, toMs }: Span): UpInterval[] =>
      intervals.all(fromMs, toMs).map((row) => ({
        seq: row.seq,
        fromMs: row.from_ms,
        toMs: row.to_ms,
        isReady: row.is_ready === 1,
        isLocked: row.is_locked === 1,
      })),
    clear(): void {
      latestPut = undefined;
      database.exec('DELETE FROM guardian_rollups; DELETE FROM guardian_up_intervals; DELETE FROM guardian_seen;');
    },
  };
}

type StoredInterval = { seq: number; from_ms: number; to_ms: number; is_ready: 0 | 1; is_locked: 0 | 1 };

type Stored = { [column: string]: number | string } & {
  burst_peak: number;
  slowest_ms: number;
  types: string;
  execution_ms: string;
  response_ms: string;
  task_ms: string;
};

type Value = number | string;
/** Counts as JSON, and their sum: counts of a rollup only grow, so an equal sum says that the JSON is still right. */
type Text = { sum: number; json: string };
/** A rollup as its row was written. */
type Put = {
  span: RollupSpan;
  startMs: number;
  rollup: Rollup;
  texts: readonly Text[];
  values: readonly Value[];
};

/** Writes the values that differ from those before; false when the row is not there, or no statement is to be had for them. */
function createUpdate(database: Database, columns: readonly string[]): (before: Put, now: Put) => boolean {
  const statements = new Map<string, Statement>();

  function statementFor(changed: readonly number[]): Statement | undefined {
    const key = changed.join();
    const known = statements.get(key);
    if (known !== undefined || statements.size >= MOST_UPDATES) return known;
    const set = changed.map((index) => `${columns[index]} = ?`).join(', ');
    const statement = database.prepare(`UPDATE guardian_rollups SET ${set} WHERE span = ? AND start_ms = ?`);
    statements.set(key, statement);
    return statement;
  }

  return (before, { span, startMs, values }) => {
    const changed: number[] = [];
    const to: Value[] = [];
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] ?? 0;
      if (value === before.values[index]) continue;
      changed.push(index);
      to.push(value);
    }
    if (changed.length === 0) return true;
    return statementFor(changed)?.run(...to, span, startMs).changes === 1;
  };
}

/** `values` in the order of the columns; `before`: the texts of the same rollup earlier. */
function valuesOf(rollup: Rollup, before: readonly Text[] | undefined): Pick<Put, 'texts' | 'values'> {
  const { counters, burstPeak, slowestMs, types, executionMs, responseMs, taskMs } = rollup;
  const values: Value[] = [];
  for (const counter of COUNTERS) values.push(counters[counter]);
  values.push(burstPeak, slowestMs);
  const texts = [types, executionMs, responseMs, taskMs].map((counts, index) => textOf(counts, before?.[index]));
  for (const { json } of texts) values.push(json);
  return { texts, values };
}

/** Half of the cost of a row is to write its counts as JSON, and most of them are as before. */
function textOf(counts: { [name: string]: number }, before: Text | undefined): Text {
  let sum = 0;
  for (const name in counts) sum += counts[name] ?? 0;
  return before?.sum === sum ? before : { sum, json: JSON.stringify(counts) };
}

function toRollup(stored: Stored): Rollup {
  const counters = COUNTERS.map((counter, index) => [counter, stored[COUNTER_COLUMNS[index] ?? '']]);
  return {
    counters: Object.fromEntries(counters) as Record<Counter, number>,
    burstPeak: stored.burst_peak,
    slowestMs: stored.slowest_ms,
    types: storedJson<Rollup['types']>(stored.types),
    executionMs: storedJson<Rollup['executionMs']>(stored.execution_ms),
    responseMs: storedJson<Rollup['responseMs']>(stored.response_ms),
    taskMs: storedJson<Rollup['taskMs']>(stored.task_ms),
  };
}

/** The name of the column that keeps a counter. */
export function counterColumn(name: Counter): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
