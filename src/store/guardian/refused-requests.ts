import type { Database } from 'better-sqlite3';
import type { KnownEvent } from '../../domain/journal/journal-event.ts';
import { refusedRequests } from '../../guardian/recording/other-events.ts';
import { floorTo, HOUR_MS } from './rollup-pieces.ts';

/** How often each requester was refused for each missing capability, by the hour. */
export function createRefusedRequestTable(database: Database) {
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
