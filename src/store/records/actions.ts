import type { Database } from 'better-sqlite3';
import type { ActionError, ActionStatus, Effect, EffectClass, Risk } from '../../contract/action.ts';
import type { Target } from '../../contract/targets.ts';
import type { Done } from '../../domain/catalogue/definition.ts';
import { IS_LIVE } from '../database/schema/actions.ts';
import { foundRow, idNotAfter, onlyRow, rowOf } from '../database/stored-values.ts';
import { createSettingsTable } from './settings.ts';

/** One action as it is stored. `parameters`, `targets` and `data` are gone once their retention has passed. */
export type ActionRow = {
  id: string;
  userId: string;
  deviceId: string;
  actionType: string;
  digest: string;
  reason?: string | undefined;
  timeoutMs: number;
  status: ActionStatus;
  attempt: number;
  risk: Risk;
  effectClass: EffectClass;
  effect: Effect;
  details: string;
  error?: ActionError | undefined;
  createdAtMs: number;
  decidedAtMs?: number | undefined;
  startedAtMs?: number | undefined;
  finishedAtMs?: number | undefined;
  durationMs?: number | undefined;
  artifactCount: number;
  cancelRequestedAtMs?: number | undefined;
  /** The standing answer that lets it through, instead of a prompt. */
  grantId?: string | undefined;
  /** The confirmation of its task's plan that lets it through, instead of a prompt of its own. */
  planId?: string | undefined;
  /** The rule that judged it, as a sentence. */
  rule: string;
  /** The task and step it is an attempt of, if it is one. */
  taskId?: string | undefined;
  stepId?: string | undefined;
  parameters?: Record<string, unknown> | undefined;
  /** The targets as they were when the action was judged; absent for an action without any. */
  targets?: readonly Target[] | undefined;
  data?: unknown;
  /** The action in the person's words. It goes with the parameters; so does `done`. */
  sentence?: string | undefined;
  /** What it has done if it succeeds. */
  done?: Done | undefined;
  /** `data` as JSON, where it was made before the row is stored. */
  dataText?: string | undefined;
};

/** All columns but those with contents. */
export const COLUMNS_WITHOUT_CONTENTS = `id, user_id, device_id, action_type, digest, reason, timeout_ms, status, attempt,
  json_object('level', risk_level, 'reasons', json(risk_reasons)) AS risk, effect_class, effect, details, error, created_at_ms,
  decided_at_ms, started_at_ms, finished_at_ms, duration_ms, artifact_count, cancel_requested_at_ms, grant_id, plan_id, rule, task_id,
  step_id, sentence, done`;
const COLUMNS = `${COLUMNS_WITHOUT_CONTENTS}, parameters, targets, data`;
const JSON_COLUMNS = ['risk', 'error', 'parameters', 'targets', 'data', 'done'];

type ActionQuery = {
  /** Everybody's, when there is none. */
  userId: string | null;
  beforeId: string;
  limit: number;
  statuses?: string[];
  deviceId?: string;
  sinceMs?: number;
};

type Count = { count: number; latestId: string | null };

/** The parameters and results of actions, which are kept for a shorter time than the actions. */
function createActionContents(database: Database) {
  const hasData = database.prepare('SELECT data IS NOT NULL FROM actions WHERE id = ?').pluck();
  const dataBytes = database
    .prepare('SELECT coalesce(octet_length(data), 0) FROM actions WHERE user_id = ? AND id = ?')
    .pluck();
  const ids = database
    .prepare<unknown[], string>('SELECT id FROM actions WHERE id > ? AND id < ? ORDER BY id LIMIT ?')
    .pluck();
  const forget = database.prepare(
    `UPDATE actions SET parameters = NULL, targets = NULL, data = NULL, sentence = NULL, done = NULL
     WHERE id IN (SELECT value FROM json_each(?)) AND finished_at_ms < ? AND (parameters IS NOT NULL OR data IS NOT NULL)`,
  );
  const notEnded = database
    .prepare<unknown[], string>(
      `SELECT id FROM actions WHERE id IN (SELECT value FROM json_each(?)) AND (finished_at_ms IS NULL OR finished_at_ms >= ?)`,
    )
    .pluck();
  return {
    /** Whether the result of an action is still kept. */
    hasData: (id: string): boolean => hasData.get(id) === 1,
    /** The bytes of the result as JSON, found without reading it; 0 where there is none. */
    dataBytes: (userId: string, id: string): number => Number(dataBytes.get(userId, id) ?? 0),
    /** Ids between the two, oldest first. */
    idsBetween: (afterId: string, beforeId: string, limit: number): string[] => ids.all(afterId, beforeId, limit),
    /** Deletes the parameters and results of the given actions that ended before a time. Answers the ids of the others. */
    forgetContents(of: readonly string[], finishedBeforeMs: number): string[] {
      forget.run(JSON.stringify(of), finishedBeforeMs);
      return notEnded.all(JSON.stringify(of), finishedBeforeMs);
    },
  };
}

export function createActionTable(database: Database) {
  const insert = database.prepare(
    `INSERT INTO actions (id, user_id, device_id, action_type, digest, reason, timeout_ms, status, attempt, risk_level, risk_reasons,
       effect_class, effect, details, error, created_at_ms, decided_at_ms, started_at_ms, finished_at_ms, duration_ms, parameters, grant_id, rule,
       task_id, step_id, plan_id, targets, sentence, done)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare(
    `UPDATE actions SET status = ?, attempt = ?, effect = ?, details = ?, error = ?, decided_at_ms = ?, started_at_ms = ?,
       finished_at_ms = ?, duration_ms = ?, artifact_count = ?, cancel_requested_at_ms = ?, data = ?
     WHERE id = ? AND status = ? AND attempt = ?`,
  );
  const byUser = database.prepare<unknown[], object>(`SELECT ${COLUMNS} FROM actions WHERE user_id = ? AND id = ?`);
  const byId = database.prepare<unknown[], object>(`SELECT ${COLUMNS} FROM actions WHERE id = ?`);
  const page = database.prepare<unknown[], object>(pageSql('user_id = :userId AND'));
  const pageOfAll = database.prepare<unknown[], object>(pageSql(''));
  const countFrom = database.prepare<unknown[], Count>(
    'SELECT count(*) AS count, max(id) AS latestId FROM actions WHERE user_id = ? AND id >= ?',
  );
  const countAfter = database.prepare<unknown[], Count>(
    'SELECT count(*) AS count, max(id) AS latestId FROM actions WHERE user_id = ? AND id > ?',
  );
  const countBetween = database.prepare<unknown[], Count>(
    'SELECT count(*) AS count FROM actions WHERE user_id = ? AND id >= ? AND id < ?',
  );
  return {
    /** How many actions of this user have an id not less than the given one, and which is the latest. */
    countFrom: (userId: string, id: string): Count => onlyRow(countFrom.get(userId, id)),
    /** The same for ids greater than the given one. */
    countAfter: (userId: string, id: string): Count => onlyRow(countAfter.get(userId, id)),
    /** How many have an id not less than the first one and less than the second. */
    countBetween: (userId: string, fromId: string, beforeId: string): number =>
      onlyRow(countBetween.get(userId, fromId, beforeId)).count,
    insert(row: ActionRow): void {
      insert.run(...columnsOf(row));
    },
    /** Compare-and-set on (id, status, attempt): false when the stored action is no longer where `from` was. */
    update(from: ActionRow, to: ActionRow): boolean {
      const { changes } = update.run(
        to.status,
        to.attempt,
        to.effect,
        to.details,
        json(to.error),
        to.decidedAtMs ?? null,
        to.startedAtMs ?? null,
        to.finishedAtMs ?? null,
        to.durationMs ?? null,
        to.artifactCount,
        to.cancelRequestedAtMs ?? null,
        to.dataText ?? json(to.data),
        from.id,
        from.status,
        from.attempt,
      );
      return changes === 1;
    },
    find: (userId: string, id: string): ActionRow | undefined => foundRow(byUser.get(userId, id), JSON_COLUMNS),
    findById: (id: string): ActionRow | undefined => foundRow(byId.get(id), JSON_COLUMNS),
    /** Newest first, without parameters and data. */
    page({ statuses, deviceId, sinceMs, userId, ...query }: ActionQuery): ActionRow[] {
      const since =
        sinceMs === undefined ? { sinceMs: 0, sinceId: '' } : { sinceMs, sinceId: idNotAfter('act', sinceMs) };
      const filter = { ...query, ...since, statuses: json(statuses), deviceId: deviceId ?? null };
      const stored = userId === null ? pageOfAll.all(filter) : page.all({ ...filter, userId });
      return stored.map(toActionRow);
    },
    ...createLiveRows(database),
    ...createActionContents(database),
    ...createPersonCancels(database),
    ...createOwners(database),
    ...createVerdicts(database),
  };
}

/** The setting that names the last action before which none is live. */
const ENDED_UP_TO = 'actionsEndedUpTo';

/** How many actions one call looks at, so that nothing waits long for it. */
const BATCH = 5_000;

/** The number of a row of actions, and its id: VACUUM may number the rows anew, and the number of a removed row may be used again. */
type Place = { row: number; id: string };

/**
 * Up to which row all actions have ended. An action that has ended never goes on, and a new one has a higher number, so live actions are
 * behind that row. It only saves looking at the others: where it is not known, they are looked for among all.
 */
export function createEndedActions(database: Database) {
  const settings = createSettingsTable(database);
  const isThere = database.prepare('SELECT count(*) FROM actions WHERE rowid = ? AND id = ?').pluck();
  const ended = database.prepare<unknown[], Place>(
    `WITH next AS (SELECT rowid AS row, id, status FROM actions WHERE rowid > :row ORDER BY rowid LIMIT ${BATCH})
     SELECT row, id FROM next
     WHERE row < coalesce((SELECT min(row) FROM next WHERE ${IS_LIVE}), ${Number.MAX_SAFE_INTEGER}) ORDER BY row DESC LIMIT 1`,
  );

  /** All actions up to this row have ended; 0 where that is not known of any. */
  function upTo(): number {
    const place = settings.get(ENDED_UP_TO) as Place | undefined;
    return place !== undefined && isThere.get(place.row, place.id) === 1 ? place.row : 0;
  }

  return {
    upTo,
    /** Looks at some thousand actions and answers whether there may be more of them that have ended. Only inside a write transaction. */
    note(): boolean {
      const before = upTo();
      const place = ended.get({ row: before });
      if (place === undefined) return false;
      settings.set(ENDED_UP_TO, place);
      return place.row - before >= BATCH;
    },
  };
}

/** The actions that have not ended, which are read when the daemon starts. */
function createLiveRows(database: Database) {
  const ended = createEndedActions(database);
  const rows = database.prepare<unknown[], object>(`SELECT ${COLUMNS} FROM actions WHERE rowid > ? AND ${IS_LIVE}`);
  const ids = database.prepare<unknown[], string>(`SELECT id FROM actions WHERE rowid > ? AND ${IS_LIVE}`).pluck();
  return {
    /** The ids of actions that have not ended, oldest first. */
    liveIds: (): string[] => ids.all(ended.upTo()).toSorted(),
    /** Every action that has not ended. */
    live: (): ActionRow[] => rows.all(ended.upTo()).map(toActionRow),
    /** Notes which of the oldest actions have ended; answers whether there may be more of them. Only inside a write transaction. */
    noteEnded: ended.note,
  };
}

function createOwners(database: Database) {
  const find = database.prepare<unknown[], { id: string; userId: string }>(
    'SELECT id, user_id AS userId FROM actions WHERE id IN (SELECT value FROM json_each(?))',
  );
  return {
    /** The user ids of these actions, by id. An action that is no longer on record is missing. */
    ownersOf: (ids: readonly string[]): ReadonlyMap<string, string> =>
      new Map(find.all(JSON.stringify(ids)).map(({ id, userId }) => [id, userId])),
  };
}

function createVerdicts(database: Database) {
  const judgeAnew = database.prepare(
    'UPDATE actions SET risk_level = ?, risk_reasons = ?, rule = ?, grant_id = ? WHERE id = ?',
  );
  return {
    /** Keeps the verdict of other rules than those under which the action was submitted. */
    judgeAnew(id: string, { risk, rule, grantId }: Pick<ActionRow, 'risk' | 'rule' | 'grantId'>): void {
      judgeAnew.run(risk.level, JSON.stringify(risk.reasons), rule, grantId ?? null, id);
    },
  };
}

/** Which actions the person cancelled, each by itself. */
function createPersonCancels(database: Database) {
  const mark = database.prepare('UPDATE actions SET cancelled_by_person = 1 WHERE id = ?');
  const find = database
    .prepare('SELECT 1 FROM actions WHERE id IN (SELECT value FROM json_each(?)) AND cancelled_by_person = 1 LIMIT 1')
    .pluck();
  return {
    /** The person cancelled this action by itself; only inside a write transaction. */
    markCancelledByPerson: (id: string): void => void mark.run(id),
    /** Whether the person cancelled one of these actions by itself. */
    hasCancelOfPerson: (ids: readonly string[]): boolean => find.get(JSON.stringify(ids)) !== undefined,
  };
}

function pageSql(whose: string): string {
  return `SELECT ${COLUMNS_WITHOUT_CONTENTS} FROM actions WHERE ${whose} id < :beforeId AND id >= :sinceId
    AND (:statuses IS NULL OR status IN (SELECT value FROM json_each(:statuses)))
    AND (:deviceId IS NULL OR device_id = :deviceId) AND created_at_ms >= :sinceMs
    ORDER BY id DESC LIMIT :limit`;
}

/** In the order of the INSERT above. */
function columnsOf(row: ActionRow): (string | number | null)[] {
  return [
    row.id,
    row.userId,
    row.deviceId,
    row.actionType,
    row.digest,
    row.reason ?? null,
    row.timeoutMs,
    row.status,
    row.attempt,
    row.risk.level,
    JSON.stringify(row.risk.reasons),
    row.effectClass,
    row.effect,
    row.details,
    json(row.error),
    row.createdAtMs,
    row.decidedAtMs ?? null,
    row.startedAtMs ?? null,
    row.finishedAtMs ?? null,
    row.durationMs ?? null,
    json(row.parameters),
    row.grantId ?? null,
    row.rule,
    row.taskId ?? null,
    row.stepId ?? null,
    row.planId ?? null,
    json(row.targets),
    row.sentence ?? null,
    json(row.done),
  ];
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export function toActionRow(stored: object): ActionRow {
  return rowOf(stored, JSON_COLUMNS);
}
