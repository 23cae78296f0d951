import type { Database } from 'better-sqlite3';
import type { Episode } from '../../guardian/insights/episode.ts';
import type { Finding } from '../../guardian/insights/finding.ts';
import { storedJson } from '../database/stored-values.ts';

type Stored = {
  id: string;
  finding: string;
  status: Episode['status'];
  first_seen_ms: number;
  last_seen_ms: number;
  count: number;
  told_severity: Episode['toldSeverity'];
};

/** The table of insights, one row for each subject. */
export function createInsightTable(database: Database) {
  const all = database.prepare<unknown[], Stored>('SELECT * FROM guardian_insights');
  const put = database.prepare(
    `INSERT INTO guardian_insights (id, subject, finding, status, first_seen_ms, last_seen_ms, count, told_severity)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET finding = excluded.finding, status = excluded.status,
       last_seen_ms = excluded.last_seen_ms, count = excluded.count, told_severity = excluded.told_severity`,
  );
  const remove = database.prepare('DELETE FROM guardian_insights WHERE id = ?');
  return {
    all: (): Episode[] => all.all().map(toEpisode),
    put({ id, finding, status, firstSeenMs, lastSeenMs, count, toldSeverity }: Episode): void {
      put.run(id, finding.subject, JSON.stringify(finding), status, firstSeenMs, lastSeenMs, count, toldSeverity);
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
