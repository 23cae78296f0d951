import type { Database } from 'better-sqlite3';
import type { Episode } from '../../guardian/insights/episode.ts';
import type { Finding, Sign } from '../../guardian/insights/finding.ts';
import { storedJson } from '../database/stored-values.ts';
import { COUNTS_KEPT_MS } from './units.ts';

type Stored = {
  id: string;
  finding: string;
  status: Episode['status'];
  first_seen_ms: number;
  last_seen_ms: number;
  count: number;
  told_severity: Episode['toldSeverity'];
};

/** The table of insights has one row for each subject. The table of signs has one row for each change of the open insights that count in the risk. */
export function createInsightTable(database: Database) {
  const all = database.prepare<unknown[], Stored>('SELECT * FROM guardian_insights');
  const put = database.prepare(
    `INSERT INTO guardian_insights (id, subject, finding, status, first_seen_ms, last_seen_ms, count, told_severity)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET finding = excluded.finding, status = excluded.status,
       last_seen_ms = excluded.last_seen_ms, count = excluded.count, told_severity = excluded.told_severity`,
  );
  const remove = database.prepare('DELETE FROM guardian_insights WHERE id = ?');
  const putSigns = database.prepare('INSERT OR REPLACE INTO guardian_signs (at_ms, signs) VALUES (?, ?)');
  const pruneSigns = database.prepare('DELETE FROM guardian_signs WHERE at_ms < ?');
  const signsAt = database.prepare<unknown[], { signs: string }>(
    'SELECT signs FROM guardian_signs WHERE at_ms <= ? ORDER BY at_ms DESC LIMIT 1',
  );
  return {
    all: (): Episode[] => all.all().map(toEpisode),
    put({ id, finding, status, firstSeenMs, lastSeenMs, count, toldSeverity }: Episode): void {
      put.run(id, finding.subject, JSON.stringify(finding), status, firstSeenMs, lastSeenMs, count, toldSeverity);
    },
    /** Stores the signs that are open from a time on. Only inside a write transaction. */
    putSigns(atMs: number, signs: readonly Sign[]): void {
      putSigns.run(atMs, JSON.stringify(signs));
      pruneSigns.run(atMs - COUNTS_KEPT_MS.hour);
    },
    /** The signs that were open at a time. */
    signsAt(atMs: number): Sign[] {
      const stored = signsAt.get(atMs);
      return stored === undefined ? [] : storedJson<Sign[]>(stored.signs);
    },
    remove: (id: string): void => void remove.run(id),
  };
}

function toEpisode(stored: Stored): Episode {
  return {
    id: stored.id,
    finding: storedJson<Finding>(stored.finding),
    status: stored.status,
    firstSeenMs: stored.first_seen_ms,
    lastSeenMs: stored.last_seen_ms,
    count: stored.count,
    toldSeverity: stored.told_severity,
  };
}
