import type { Database } from 'better-sqlite3';
import type { KnownEvent } from '../../domain/journal/journal-event.ts';
import { floorTo, HOUR_MS } from './rollup-pieces.ts';

/** A web page can have any number of origins, so no more than these are told apart in an hour. */
const MOST_AN_HOUR = 100;

/** Where refused requests of one kind came from, and how often. */
export type RefusedSource = { source: string; times: number };

/** How often requests were refused, by the code of the refusal, the source that the journal names, and the hour. */
export function createRefusedSourceTable(database: Database) {
  const add = database.prepare(
    `INSERT INTO guardian_refused_sources (hour_ms, code, source, times)
     SELECT :hourMs, :code, :source, :times WHERE (SELECT count(*) FROM guardian_refused_sources WHERE hour_ms = :hourMs) < ${MOST_AN_HOUR}
       OR EXISTS (SELECT 1 FROM guardian_refused_sources WHERE hour_ms = :hourMs AND code = :code AND source = :source)
     ON CONFLICT DO UPDATE SET times = times + excluded.times`,
  );
  const between = database.prepare<unknown[], RefusedSource>(
    `SELECT source, sum(times) AS times FROM guardian_refused_sources
     WHERE hour_ms >= :fromMs AND hour_ms < :toMs AND code IN (SELECT value FROM json_each(:codes))
     GROUP BY source ORDER BY times DESC, source LIMIT ${MOST_AN_HOUR}`,
  );
  const prune = database.prepare('DELETE FROM guardian_refused_sources WHERE hour_ms < ?');
  return {
    /** Adds the requests that an event counts, if it names their source; only inside the transaction that appends it. */
    note({
      atMs,
      metadata: { from: source, code = 'unknown', count: times = 1 } = {},
    }: KnownEvent<'request.refused'>): void {
      if (source !== undefined) add.run({ hourMs: floorTo(atMs, HOUR_MS), code, source, times });
    },
    /** The sources of refusals with one of some codes, in the whole hours that a span touches; most often first. */
    between: ({ fromMs, toMs }: { fromMs: number; toMs: number }, codes: readonly string[]): RefusedSource[] =>
      between.all({ fromMs: floorTo(fromMs, HOUR_MS), toMs, codes: JSON.stringify(codes) }),
    prune: (beforeMs: number): void => void prune.run(beforeMs),
    clear: (): void => void database.exec('DELETE FROM guardian_refused_sources'),
  };
}
