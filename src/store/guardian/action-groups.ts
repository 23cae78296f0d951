import type { Database } from 'better-sqlite3';
import type { ActionStatus, RiskLevel } from '../../contract/action.ts';
import type { Grouping } from '../../contract/telemetry.ts';
import { IS_LIVE } from '../database/schema/actions.ts';
import { idNotAfter } from '../database/stored-values.ts';
import { createSettingsTable } from '../records/settings.ts';
import { COUNTS_KEPT_MS, DAY_MS, HOUR_MS, piecesOf, type Span } from './units.ts';

/** The number of actions that share the values of a group. `hour`: its start, in epoch milliseconds. */
export type StoredGroup = {
  hour?: number;
  user?: string;
  type?: string;
  device?: string;
  risk?: RiskLevel;
  status?: ActionStatus;
  count: number;
};

const BATCH = 500;
const MOST_GROUPS = 5_000;
const PROGRESS = 'actionGroups';
const COLUMNS = {
  hour: 'hour',
  user: 'user_id',
  type: 'action_type',
  device: 'device_id',
  risk: 'risk_level',
  status: 'status',
} as const;

/** Every action up to `upToId` was visited and, if ended, counted; `waiting` are the actions that had not ended. */
type Progress = { upToId: string; waiting: string[] };

/**
 * Counts of actions by hour, user, type, device, risk and status. They cost nothing while an action is recorded: a sweep counts
 * ended actions later, and a reader adds the rows that no sweep has counted yet.
 */
export function createActionGroups(database: Database) {
  const settings = createSettingsTable(database);
  const next = database
    .prepare<unknown[], string>(`SELECT id FROM actions WHERE id > ? ORDER BY id LIMIT ${BATCH}`)
    .pluck();
  const live = database
    .prepare<unknown[], string>(`SELECT id FROM actions WHERE id IN (SELECT value FROM json_each(?)) AND ${IS_LIVE}`)
    .pluck();
  const [addHours, addDays] = (['hour', 'day'] as const).map((span) => database.prepare(addSql(span)));
  const prune = database.prepare('DELETE FROM guardian_action_groups WHERE span = ? AND start_ms < ?');
  const progress = () => (settings.get(PROGRESS) as Progress | undefined) ?? { upToId: '', waiting: [] };

  return {
    /** Counts the next ended actions; returns whether there may be more. Only inside a write transaction. */
    fold(): boolean {
      const { upToId, waiting } = progress();
      const fresh = next.all(upToId);
      if (waiting.length + fresh.length === 0) return false;
      const ids = JSON.stringify([...waiting, ...fresh]);
      const notEnded = live.all(ids);
      if (fresh.length === 0 && notEnded.length === waiting.length) return false;
      for (const statement of [addHours, addDays]) statement?.run(ids);
      settings.set(PROGRESS, { upToId: fresh.at(-1) ?? upToId, waiting: notEnded } satisfies Progress);
      return fresh.length === BATCH;
    },
    /** Groups of the actions that were asked for in a span between hours, the largest first; at most 5,000. */
    inHours(span: Span, by: readonly Grouping[]): StoredGroup[] {
      if (by.length === 0) return [];
      const { upToId, waiting } = progress();
      const pieces = by.includes('hour') ? [{ unit: 'hour', ...span }] : piecesOf(span);
      const counted = pieces.map(
        ({
          unit,
          fromMs,
          toMs,
        }) => `SELECT start_ms AS hour, user_id, action_type, device_id, risk_level, status, actions
           FROM guardian_action_groups WHERE span = '${unit}' AND start_ms >= ${fromMs} AND start_ms < ${toMs}`,
      );
      const fromId = [upToId, idNotAfter('act', span.fromMs)].sort()[1] ?? '';
      const uncounted = fromRows(
        `(id > :fromId OR id IN (SELECT value FROM json_each(:waiting))) AND created_at_ms >= :fromMs AND created_at_ms < :toMs`,
      );
      return database
        .prepare<unknown[], StoredGroup>(groupedSql([...counted, uncounted], by))
        .all({ ...span, fromId, waiting: JSON.stringify(waiting) });
    },
    /** The same of a span between any two moments, from the rows themselves: for one that began a short while ago. */
    lately({ fromMs, toMs }: Span, by: readonly Grouping[]): StoredGroup[] {
      if (by.length === 0) return [];
      const rows = fromRows('id >= :fromId AND created_at_ms >= :fromMs AND created_at_ms < :toMs');
      const fromId = idNotAfter('act', fromMs);
      return database.prepare<unknown[], StoredGroup>(groupedSql([rows], by)).all({ fromId, fromMs, toMs });
    },
    /** Removes what is no longer kept; only inside a write transaction. */
    prune(nowMs: number): void {
      for (const span of ['hour', 'day'] as const) prune.run(span, nowMs - COUNTS_KEPT_MS[span]);
    },
  };
}

function addSql(span: 'hour' | 'day'): string {
  const unitMs = span === 'hour' ? HOUR_MS : DAY_MS;
  return `INSERT INTO guardian_action_groups
    SELECT '${span}', created_at_ms - created_at_ms % ${unitMs}, user_id, action_type, device_id, risk_level, status, count(*) FROM actions
    WHERE id IN (SELECT value FROM json_each(?)) AND NOT ${IS_LIVE} GROUP BY 2, 3, 4, 5, 6, 7
    ON CONFLICT DO UPDATE SET actions = actions + excluded.actions`;
}

function fromRows(where: string): string {
  return `SELECT created_at_ms - created_at_ms % ${HOUR_MS} AS hour, user_id, action_type, device_id, risk_level, status, 1 AS actions
    FROM actions WHERE ${where}`;
}

function groupedSql(parts: readonly string[], by: readonly Grouping[]): string {
  const columns = by.map((each) => `${COLUMNS[each]} AS "${each}"`).join(', ');
  const keys = by.map((each) => COLUMNS[each]).join(', ');
  return `SELECT ${columns}, sum(actions) AS count FROM (${parts.join(' UNION ALL ')})
    GROUP BY ${keys} ORDER BY count DESC, ${keys} LIMIT ${MOST_GROUPS}`;
}
