import type { Database } from 'better-sqlite3';
import type { Counter } from '../../guardian/recording/rollup.ts';
import { rollupPieces } from './rollup-pieces.ts';
import type { Span } from './rollups.ts';

/** The starts of the first and the last row; epoch ms. */
export type Edges = { firstMs: number; lastMs: number };

/** Finds when counters of a span were first and last above 0: to the minute at its edges, else to the hour or the day. */
export function createRollupEdges(database: Database) {
  const latest = database.prepare(`SELECT max(start_ms) FROM guardian_rollups WHERE span = 'minute'`).pluck();
  return (counters: readonly Counter[], span: Span): Edges | undefined => {
    const sum = counters
      .map((counter) => counter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
      .join(' + ');
    const find = database.prepare(
      `SELECT min(start_ms) AS firstMs, max(start_ms) AS lastMs FROM guardian_rollups
       WHERE span = ? AND start_ms >= ? AND start_ms < ? AND ${sum} > 0`,
    );
    const starts = rollupPieces(span, (latest.get() as number | null) ?? 0).flatMap((piece) => {
      const { firstMs, lastMs } = find.get(piece.span, piece.fromMs, piece.toMs) as
        | Edges
        | { firstMs: null; lastMs: null };
      return firstMs === null ? [] : [firstMs, lastMs];
    });
    return starts.length === 0 ? undefined : { firstMs: Math.min(...starts), lastMs: Math.max(...starts) };
  };
}
