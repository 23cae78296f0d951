import type { Database } from 'better-sqlite3';
import type { RecordedEvent } from '../../domain/journal/journal-event.ts';
import { createRefusedRequestTable } from './refused-requests.ts';
import { createRefusedSourceTable } from './refused-sources.ts';
import { DAY_MS } from './rollup-pieces.ts';

const REQUESTS_KEPT_MS = 2 * DAY_MS;
const SOURCES_KEPT_MS = 35 * DAY_MS;

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
