import type { Database } from 'better-sqlite3';
import type { Counter } from '../../contract/counters.ts';
import { onlyRow } from '../database/stored-values.ts';
import { rollupPieces } from './rollup-pieces.ts';
import { counterColumn, type Span } from './rollups.ts';

/** The starts of the first and the last row; epoch ms. */
export type Edges = { firstMs: number; lastMs: number };

/** Finds when counters of a span were first and last above 0: to the minute at its edges, else to the hour or the day. */
export function createRollupEdges(database: Database) {
  const latest = database
    .prepare<unknown[], number | null>(`SELECT max(start_ms) FROM guardian_rollups WHERE span = 'minute'`)
    .pluck();
  return (counters: readonly Counter[], span: Span): Edges | undefined => {
    const sum = counters.map(counterColumn).join(' + ');
    const find = database.prepare<unknown[], Edges | { firstMs: null; lastMs: null }>(
      `SELECT min(start_ms) AS firstMs, max(start_ms) AS lastMs FROM guardian_rollups
       WHERE span = ? AND start_ms >= ? AND start_ms < ? AND ${sum} > 0`,
    );
    const starts = rollupPieces(span, latest.get() ?? 0).flatMap((piece) => {
      const { firstMs, lastMs } = onlyRow(find.get(piece.span, piece.fromMs, piece.toMs));
      return firstMs === null ? [] : [firstMs, lastMs];
    });
    return starts.length === 0 ? undefined : { firstMs: Math.min(...starts), lastMs: Math.max(...starts) };
  };
}
