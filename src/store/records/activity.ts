import type { Database } from 'better-sqlite3';
import { encodeTime, TIME_MAX } from 'ulid';
import type { EffectClass, RiskLevel } from '../../contract/action.ts';
import { ENDED_BADLY_STATUSES, HAS_ENDED_BADLY } from '../database/schema/actions.ts';
import { idNotAfter, onlyRow, rowsOf } from '../database/stored-values.ts';
import { fromStored, type JournalRow, type StoredRow, TOLD_COLUMNS } from '../journal/journal.ts';
import { type ActionRow, COLUMNS_WITHOUT_CONTENTS, toActionRow } from './actions.ts';

/** Which actions to list. Absent members do not restrict; times are epoch milliseconds, both ends included. */
export type ActivityFilter = {
  userId?: string;
  types?: readonly string[];
  statuses?: readonly string[];
  risks?: readonly string[];
  deviceId?: string;
  /** The actions of one task; `none`: those of no task. */
  task?: string;
  /** Each word stands in the sentence, the place, the details, the type, the requester, the task's name or the reason; letters of ASCII in either case. */
  text?: string;
  sinceMs?: number;
  untilMs?: number;
};

/** The actions that match among some rows, and the id before which to go on; no id where there are no more rows. */
export type ActivityScan = { rows: ActionRow[]; goOnBefore: string | undefined };

/** Rows of the journal that are looked through for those of one action. */
const MOST_JOURNAL_ROWS = 20_000;
/** Rows of an action may be written so long before or after the times in its record. */
const SLACK_MS = 2_000;

/** Reads the actions of everybody for the person. A read looks at a bounded number of rows, however few of them match. */
export function createActivityTable(database: Database) {
  const every = {
    ofAll: statements(database, 'FROM actions WHERE'),
    ofUser: statements(database, `FROM actions WHERE ${OF_USER}`),
  };
  const endedBadly = {
    ofAll: statements(database, `${FROM_ENDED_BADLY} AND`),
    ofUser: statements(database, `${FROM_ENDED_BADLY} AND ${OF_USER}`),
  };
  const journalEnds = database.prepare<unknown[], { first: number | null; last: number | null }>(
    'SELECT min(seq) AS first, max(seq) AS last FROM journal',
  );
  const timeAt = database.prepare('SELECT at_ms FROM journal WHERE seq >= ? ORDER BY seq LIMIT 1').pluck();
  const journal = database.prepare<unknown[], StoredRow>(
    `SELECT ${TOLD_COLUMNS} FROM journal WHERE seq >= ? AND seq <= ? AND action_id = ? ORDER BY seq LIMIT 200`,
  );

  const whole = database.prepare<unknown[], StoredRow>(
    'SELECT * FROM journal WHERE seq >= ? AND seq <= ? ORDER BY seq',
  );

  /** The first row that is not older than a time, by binary search: times grow with the sequence. */
  function firstSeqFrom(atMs: number, { first, last }: { first: number; last: number }): number {
    let [low, high] = [first, last + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (Number(timeAt.get(middle)) < atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    /** Looks at up to `scan` actions before an id, newest first, and answers up to `limit` that match. */
    scan(
      filter: ActivityFilter,
      { beforeId, scan, limit }: { beforeId: string; scan: number; limit: number },
    ): ActivityScan {
      const isOfBad = filter.statuses?.every((status) => ENDED_BADLY_STATUSES.includes(status)) === true;
      const { ofAll, ofUser } = isOfBad ? endedBadly : every;
      const { floor, page } = filter.userId === undefined ? ofAll : ofUser;
      const range = rangeOf(filter, beforeId);
      const user = filter.userId === undefined ? {} : { userId: filter.userId };
      const floorId = floor.get({ ...range, ...user, offset: scan - 1 });
      const stored = page.all({ ...range, ...user, ...conditions(filter), floorId: floorId ?? '', limit });
      const rows = stored.map(toActionRow);
      return { rows, goOnBefore: rows.length === limit ? rows.at(-1)?.id : floorId };
    },
    /** The first and the last row of the journal of these times; nothing where there are none. */
    journalRange({ fromMs, toMs }: { fromMs: number; toMs: number }): { from: number; to: number } | undefined {
      const ends = onlyRow(journalEnds.get());
      if (ends.first === null || ends.last === null) return undefined;
      const found = { first: ends.first, last: ends.last };
      return { from: firstSeqFrom(fromMs - SLACK_MS, found), to: firstSeqFrom(toMs + SLACK_MS, found) };
    },
    /** The rows of the journal between two, both included, with their hashes. */
    journalRows: (from: number, to: number): StoredRow[] => whole.all(from, to),
    /** The rows of the journal about one action that began and ended at these times, oldest first. */
    journalOf(actionId: string, { fromMs, toMs }: { fromMs: number; toMs: number }): JournalRow[] {
      const ends = onlyRow(journalEnds.get());
      if (ends.first === null || ends.last === null) return [];
      const found = { first: ends.first, last: ends.last };
      const from = firstSeqFrom(fromMs - SLACK_MS, found);
      const to = Math.min(firstSeqFrom(toMs + SLACK_MS, found), from + MOST_JOURNAL_ROWS);
      return journal.all(from, to, actionId).map(fromStored);
    },
  };
}

/** Whether an action matches a filter; with the values of `conditions`. */
export const IS_MATCH = `(:statuses IS NULL OR status IN (SELECT value FROM json_each(:statuses)))
  AND (:types IS NULL OR action_type IN (SELECT value FROM json_each(:types)))
  AND (:risks IS NULL OR risk_level IN (SELECT value FROM json_each(:risks)))
  AND (:deviceId IS NULL OR device_id = :deviceId) AND created_at_ms BETWEEN :sinceMs AND :untilMs
  AND (:task IS NULL OR coalesce(task_id, 'none') = :task)
  AND (:words IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(:words) AS word WHERE instr(lower(concat_ws(char(10),
    details, user_id, reason, action_type, sentence, done, (SELECT name FROM tasks WHERE tasks.id = task_id))), word.value) = 0))`;

const FROM_ENDED_BADLY = `FROM actions INDEXED BY actions_ended_badly WHERE ${HAS_ENDED_BADLY}`;
const OF_USER = 'user_id = :userId AND';

/** `from`: the rows, up to the condition on their ids. */
function statements(database: Database, from: string) {
  const rows = `${from} id < :beforeId AND id >= :sinceId`;
  return {
    floor: database.prepare<unknown[], string>(`SELECT id ${rows} ORDER BY id DESC LIMIT 1 OFFSET :offset`).pluck(),
    page: database.prepare<unknown[], object>(
      `SELECT ${COLUMNS_WITHOUT_CONTENTS} ${rows} AND id >= :floorId AND ${IS_MATCH}
       ORDER BY id DESC LIMIT :limit`,
    ),
  };
}

/** Ids begin with their time, so times narrow the ids. */
function rangeOf({ sinceMs, untilMs }: ActivityFilter, beforeId: string) {
  const sinceId = sinceMs === undefined ? '' : idNotAfter('act', sinceMs);
  if (untilMs === undefined) return { beforeId, sinceId };
  // After the clock was set back, ids are younger than their rows. A day of slack covers that.
  const untilId = `act_${encodeTime(Math.min(TIME_MAX, Math.max(0, Math.floor(untilMs)) + 86_400_000), 10)}`;
  return { beforeId: beforeId < untilId ? beforeId : untilId, sinceId };
}

export function conditions({ types, statuses, risks, deviceId, task, text, sinceMs, untilMs }: ActivityFilter) {
  return {
    task: task ?? null,
    words: json(
      text
        ?.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
        .split(/\s+/u)
        .filter((word) => word !== ''),
    ),
    types: json(types),
    statuses: json(statuses),
    risks: json(risks),
    deviceId: deviceId ?? null,
    sinceMs: sinceMs ?? 0,
    untilMs: untilMs ?? Number.MAX_SAFE_INTEGER,
  };
}

function json(words: readonly string[] | undefined): string | null {
  return words === undefined ? null : JSON.stringify(words);
}

/** What the verdict on a past action depends on. `parameters` and `targets` are JSON, and absent once they are no longer kept. */
export type JudgedActionRow = {
  id: string;
  userId: string;
  actionType: string;
  effectClass: EffectClass;
  riskLevel: RiskLevel;
  taskId?: string;
  createdAtMs: number;
  /** Of its device, which may have been removed since; JSON. */
  capabilities: string;
  /** Of its device. */
  machine: string;
  parameters?: string;
  targets?: string;
  sentence?: string;
};

/** Reads past actions of everybody, to judge them anew. */
export function createJudgedActions(database: Database) {
  const page = database.prepare<unknown[], object>(
    `SELECT actions.id, user_id, action_type, effect_class, risk_level, task_id, actions.created_at_ms, capabilities, machine,
       parameters, targets, sentence
     FROM actions JOIN devices ON devices.id = actions.device_id
     WHERE actions.id > ? AND actions.id <= ? ORDER BY actions.id LIMIT ?`,
  );
  const latest = database.prepare<unknown[], string>('SELECT id FROM actions ORDER BY id DESC LIMIT 1').pluck();
  return {
    latestId: (): string => latest.get() ?? '',
    /** Oldest first, after the one id and up to the other. */
    page: (afterId: string, upToId: string, limit: number): JudgedActionRow[] =>
      rowsOf(page.all(afterId, upToId, limit)),
  };
}
