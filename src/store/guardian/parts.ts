import type { Database } from 'better-sqlite3';
import { PART_COUNTERS, type PartCounter } from '../../contract/counters.ts';
import { CATALOGUE, isInput } from '../../domain/catalogue.ts';
import type { Part } from '../../guardian/recording/parts.ts';
import type { Rollup } from '../../guardian/recording/rollup.ts';
import type { InputsOfHour, TypeCounts } from '../../guardian/requesters/requester-day.ts';
import { floorTo, MINUTE_MS, rollupPieces, SPAN_MS } from './rollup-pieces.ts';
import { counterColumn, type RollupSpan, type Span } from './rollups.ts';

/** The property that the events of a sum have in common. */
export type PartOf = keyof typeof COLUMNS;

/** Sums over events with one property in common. `key` is empty for events without that property. */
export type PartSum = { key: string; count: number; total: number };

type Counters = readonly PartCounter[];
/** In the order of `PART_COUNTERS`. */
type Counted = number[];
type Pending = Part & { startMs: number; counted: Counted };

const COLUMNS = { requester: 'user_id', type: 'action_type', device: 'device_id' } as const;
const MOST_GROUPS = 5_000;
/** The rows of the pieces of a span, which are given as JSON. */
const IN_PIECES = `FROM json_each(?) piece CROSS JOIN guardian_parts WHERE span = piece.value ->> 'span'
       AND start_ms >= piece.value ->> 'fromMs' AND start_ms < piece.value ->> 'toMs'`;
const INPUTS = [...CATALOGUE.keys()]
  .filter(isInput)
  .map((type) => `'${type}'`)
  .join(', ');
const SPANS: readonly RollupSpan[] = ['minute', 'hour', 'day'];

/**
 * The counters of rollups by requester, action type and device. The same events move both, in the same minutes, so that the parts of
 * a metric add up to it over every span.
 */
export function createParts(database: Database) {
  const add = database.prepare(addSql());
  const prune = database.prepare('DELETE FROM guardian_parts WHERE span = ? AND start_ms < ?');
  const ofRequesters = database.prepare<unknown[], TypeCounts & { userId: string }>(
    `SELECT user_id AS userId, action_type AS type, sum(requested) AS requested, sum(novel) AS novel,
       sum(requested_high + requested_critical) AS high, sum(captured) AS captured, sum(prompted) AS prompted,
       sum(succeeded) AS succeeded, sum(failed) AS failed, sum(interrupted) AS interrupted
     ${IN_PIECES} AND user_id <> '' GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ${MOST_GROUPS}`,
  );
  const inputsByHour = database.prepare<unknown[], InputsOfHour & { userId: string }>(
    `SELECT user_id AS userId, start_ms AS atMs, sum(requested) AS inputs FROM guardian_parts
     WHERE span = 'hour' AND start_ms >= :fromMs AND start_ms < :toMs AND requested > 0 AND action_type IN (${INPUTS})
     GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ${MOST_GROUPS}`,
  );
  const pending = new Map<string, Pending>();

  function note(part: Part, startMs: number, moved: Counted): void {
    const key = JSON.stringify([startMs, part.user, part.type, part.device]);
    const known = pending.get(key)?.counted;
    const counted = known === undefined ? moved : moved.map((count, index) => count + (known[index] ?? 0));
    pending.set(key, { ...part, startMs, counted });
  }

  return {
    /** Calls `count`, which counts an event of a part into the rollup of its minute, and notes the counters that it moved. */
    watch({ part, atMs, rollup: { counters } }: { part: Part; atMs: number; rollup: Rollup }, count: () => void): void {
      const before = PART_COUNTERS.map((name) => counters[name]);
      count();
      const moved = PART_COUNTERS.map((name, index) => counters[name] - (before[index] ?? 0));
      if (moved.some((count) => count !== 0)) note(part, floorTo(atMs, MINUTE_MS), moved);
    },
    /** Stores what was noted; only inside a write transaction. */
    store(): void {
      for (const { counted, startMs, user, type, device } of pending.values()) {
        for (const span of SPANS) add.run(span, floorTo(startMs, SPAN_MS[span]), user, type, device, ...counted);
      }
      pending.clear();
    },
    /** Forgets what was noted but not stored. */
    forget: (): void => pending.clear(),
    /** Sums of some counters over a span between minute edges, the largest first. */
    sums(span: Span, by: PartOf, { count, total }: { count: Counters; total: Counters }): PartSum[] {
      const sum = (names: Counters) => `sum(${names.map(counterColumn).join(' + ') || '0'})`;
      return database
        .prepare<unknown[], PartSum>(
          `SELECT ${COLUMNS[by]} AS key, ${sum(count)} AS count, ${sum(total)} AS total
           ${IN_PIECES} GROUP BY 1 HAVING count <> 0 OR total <> 0 ORDER BY 2 DESC, 3 DESC, 1`,
        )
        .all(JSON.stringify(rollupPieces(span, Number.POSITIVE_INFINITY)));
    },
    /** Counts of each requester over a span between minute edges, by action type. */
    requesters(span: Span): (TypeCounts & { userId: string })[] {
      return ofRequesters.all(JSON.stringify(rollupPieces(span, Number.POSITIVE_INFINITY)));
    },
    /** The clicks and keys of each requester in the hours of a span. */
    inputsByHour: (span: Span): (InputsOfHour & { userId: string })[] => inputsByHour.all(span),
    /** Removes the rows of a span that are no longer kept. Only inside a write transaction. */
    prune: (span: RollupSpan, beforeMs: number): void => void prune.run(span, beforeMs),
    /** Before the whole journal is counted anew. */
    clear(): void {
      pending.clear();
      database.exec('DELETE FROM guardian_parts');
    },
  };
}

function addSql(): string {
  const columns = PART_COUNTERS.map(counterColumn);
  const sums = columns.map((column) => `${column} = ${column} + excluded.${column}`).join(', ');
  return `INSERT INTO guardian_parts (span, start_ms, user_id, action_type, device_id, ${columns.join(', ')})
    VALUES (?, ?, ?, ?, ?${', ?'.repeat(columns.length)}) ON CONFLICT DO UPDATE SET ${sums}`;
}
