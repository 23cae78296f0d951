import type { Database } from 'better-sqlite3';
import type { KnownEvent, RecordedEvent } from '../../domain/journal/journal-event.ts';
import { refusedRequests } from '../../guardian/recording/other-events.ts';
import { DAY_MS, floorTo, HOUR_MS } from './units.ts';

const REQUESTS_KEPT_MS = 2 * DAY_MS;
const SOURCES_KEPT_MS = 35 * DAY_MS;
/** A web page can have any number of origins, so no more than these are told apart in an hour. */
const MOST_AN_HOUR = 100;

/** Where refused requests of one kind came from, and how often. */
type RefusedSource = { source: string; times: number };

/** Counts of refused requests beside the rollups: requesters of missing capabilities, and the sources of others. */
export function createRefused(database: Database) {
  const requests = createRefusedRequestTable(database);
  const sources = createRefusedSourceTable(database);
  return {
    /** Only inside the transaction that appends the event. */
    note(event: RecordedEvent): void {
      if (event.kind !== 'request.refused') return;
      requests.note(event);
      sources.note(event);
    },
    sourcesBetween: sources.between,
    prune(nowMs: number): void {
      requests.prune(nowMs - REQUESTS_KEPT_MS);
      sources.prune(nowMs - SOURCES_KEPT_MS);
    },
    clear(): void {
      requests.clear();
      sources.clear();
    },
  };
}

/** How often each requester was refused for each missing capability, by the hour. */
function createRefusedRequestTable(database: Database) {
  const add = database.prepare(
    `INSERT INTO guardian_refused_requests (hour_ms, user_id, capability, times) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET times = times + excluded.times`,
  );
  const prune = database.prepare('DELETE FROM guardian_refused_requests WHERE hour_ms < ?');
  return {
    /** Adds the requests that an event counts, if any; only inside the transaction that appends it. */
    note(event: KnownEvent<'request.refused'>): void {
      const times = refusedRequests(event);
      if (times === 0 || event.userId === undefined) return;
      add.run(floorTo(event.atMs, HOUR_MS), event.userId, event.metadata?.capability ?? 'unknown', times);
    },
    prune: (beforeMs: number): void => void prune.run(beforeMs),
    clear: (): void => void database.exec('DELETE FROM guardian_refused_requests'),
  };
}

/** How often requests were refused, by the code of the refusal, the source that the journal names, and the hour. */
function createRefusedSourceTable(database: Database) {
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
