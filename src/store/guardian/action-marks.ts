import type { Database } from 'better-sqlite3';
import type { RecordedEvent } from '../../domain/journal/journal-event.ts';
import type { Rollup } from '../../guardian/recording/rollup.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from './rollup-pieces.ts';
import type { Span } from './rollups.ts';

/** How often actions that have requester, type and device in common were counted for something that only Guardian's recorder tells. */
export type MarkGroup = Group & Marks;

type Group = { user: string; type: string; device: string };

/** `uncontrolled`: it ran, was approved or ended without the decision or the dispatch that must come before. */
export type Mark = (typeof MARKS)[number];

const MARKS = ['repeated', 'retried', 'novel', 'executedElevated', 'executedByGrant', 'uncontrolled'] as const;
const COLUMNS = ['repeated', 'retried', 'novel', 'executed_elevated', 'executed_by_grant', 'uncontrolled'] as const;
const MOST_GROUPS = 5_000;

/** How long rows are kept. Minutes are for windows of the last hour. */
export const MARKS_KEPT_MS = { minute: 2 * HOUR_MS, hour: 366 * DAY_MS } as const;

/** Marks of the actions of one group that were requested in one minute. */
type Marked = MarkGroup & { startMs: number };

/** The marks that an event gives its action, by the counters that the event moved. */
type Marks = Record<Mark, number>;

/**
 * Counts marked actions by the time of their request. An action without a mark costs nothing. The marks follow the counters of the
 * rollup, so that the parts of a metric add up to it.
 */
export function createActionMarks(database: Database) {
  const groupOf = database.prepare<unknown[], Group & { atMs: number }>(
    'SELECT created_at_ms AS atMs, user_id AS user, action_type AS type, device_id AS device FROM actions WHERE id = ?',
  );
  const add = database.prepare(addSql());
  const [pruneMinutes, pruneHours] = (['minute', 'hour'] as const).map((span) =>
    database.prepare(`DELETE FROM guardian_action_marks WHERE span = '${span}' AND start_ms < ?`),
  );
  const sums = COLUMNS.map((column, index) => `sum(${column}) AS ${MARKS[index]}`).join(', ');
  const between = database.prepare<unknown[], MarkGroup>(
    `SELECT user_id AS user, action_type AS type, device_id AS device, ${sums} FROM guardian_action_marks
     WHERE span = ? AND start_ms >= ? AND start_ms < ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LIMIT ${MOST_GROUPS}`,
  );
  /** By minute and group. */
  const pending = new Map<string, Marked>();

  function note(event: RecordedEvent, marks: Marks): void {
    const action = requestedBy(event) ?? groupOf.get(event.actionId);
    if (action === undefined) return;
    const { atMs, user, type, device } = action;
    const startMs = floorTo(atMs, MINUTE_MS);
    const key = `${startMs} ${device} ${type} ${user}`;
    const noted = pending.get(key);
    if (noted === undefined) pending.set(key, { startMs, user, type, device, ...marks });
    else for (const mark of MARKS) noted[mark] += marks[mark];
  }

  return {
    /** Calls `count`, which counts an event of an action into the rollup, and notes what it counted for. */
    watch(event: RecordedEvent, { counters }: Rollup, count: () => void): void {
      const { repeated, retried, novel, executedElevated, executedByGrant } = counters;
      const uncontrolled = uncontrolledOf(counters);
      count();
      const marks = {
        repeated: counters.repeated - repeated,
        retried: counters.retried - retried,
        novel: counters.novel - novel,
        executedElevated: counters.executedElevated - executedElevated,
        executedByGrant: counters.executedByGrant - executedByGrant,
        uncontrolled: uncontrolledOf(counters) - uncontrolled,
      };
      if (MARKS.some((mark) => marks[mark] > 0)) note(event, marks);
    },
    /** Stores what was noted; only inside a write transaction. */
    store(): void {
      for (const { startMs, ...marked } of pending.values()) {
        add.run({ span: 'minute', startMs, ...marked });
        add.run({ span: 'hour', startMs: floorTo(startMs, HOUR_MS), ...marked });
      }
      pending.clear();
    },
    /** Forgets what was noted but not stored. */
    forget: (): void => pending.clear(),
    /** Groups of the marked actions that were requested in a span between minutes of the last hour, or between hours. */
    in: (unit: 'minute' | 'hour', { fromMs, toMs }: Span): MarkGroup[] => between.all(unit, fromMs, toMs),
    /** Removes what is no longer kept; only inside a write transaction. */
    prune(nowMs: number): void {
      pruneMinutes?.run(nowMs - MARKS_KEPT_MS.minute);
      pruneHours?.run(nowMs - MARKS_KEPT_MS.hour);
    },
    /** Before the whole journal is counted anew. */
    clear(): void {
      pending.clear();
      database.exec('DELETE FROM guardian_action_marks');
    },
  };
}

/** A request names what its action is; for later events the action is read. */
function requestedBy(event: RecordedEvent): (Group & { atMs: number }) | undefined {
  if (event.kind !== 'action.requested') return undefined;
  const { atMs, userId: user, deviceId: device, metadata: { type } = {} } = event;
  return user === undefined || device === undefined || type === undefined ? undefined : { atMs, user, type, device };
}

function uncontrolledOf({ executedUndecided, approvedUnasked, outcomeUnexpected }: Rollup['counters']): number {
  return executedUndecided + approvedUnasked + outcomeUnexpected;
}

function addSql(): string {
  const marks = MARKS.map((mark) => `:${mark}`).join(', ');
  const sums = COLUMNS.map((column) => `${column} = ${column} + excluded.${column}`).join(', ');
  return `INSERT INTO guardian_action_marks VALUES (:span, :startMs, :user, :type, :device, ${marks}) ON CONFLICT DO UPDATE SET ${sums}`;
}
