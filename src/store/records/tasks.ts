import type { Database } from 'better-sqlite3';
import type { ActionError, EffectClass, Risk, RiskLevel } from '../../contract/action.ts';
import type { Target } from '../../contract/targets.ts';
import type { OnFailure, RunIf, StepStatus, TaskStatus } from '../../contract/task.ts';
import type { ProcedureOfTask } from '../../domain/procedures/cover.ts';
import { idNotAfter, optionalJson, rowOf, rowsOf, storedJson } from '../database/stored-values.ts';

/** One task with its steps, in the order in which they were submitted. */
export type TaskRow = {
  id: string;
  userId: string;
  name: string;
  reason?: string | undefined;
  profile?: string | undefined;
  onFailure: OnFailure;
  status: TaskStatus;
  createdAtMs: number;
  startedAtMs?: number | undefined;
  finishedAtMs?: number | undefined;
  cancelRequestedAtMs?: number | undefined;
  cancelledBy?: 'person' | 'requester' | undefined;
  /** Since when nothing goes on but a person being asked, and for how long that was so before. */
  askingSinceMs?: number | undefined;
  askedMs: number;
  /** The procedure that it runs, if it does. */
  procedure?: ProcedureOfTask | undefined;
  steps: readonly StepRow[];
};

type Head = Omit<TaskRow, 'steps'>;

/** `parameters` and `targets` are gone once their retention has passed. */
export type StepRow = {
  id: string;
  deviceId: string;
  actionType: string;
  parameters?: Record<string, unknown> | undefined;
  /** The targets as they were when the task was submitted. A window is here only if the plan told the person about it. */
  targets?: readonly Target[] | undefined;
  dependsOn: string[];
  runIf: RunIf;
  timeoutMs: number;
  maxAttempts: number;
  backoffMs: number;
  effectClass: EffectClass;
  risk: Risk;
  /** Whether a person was expected to be asked, when the task was submitted. */
  asks: boolean;
  status: StepStatus;
  /** Its latest attempt. */
  actionId?: string | undefined;
  attempts: number;
  recoveries: number;
  /** When its next attempt is due; absent while none is to come. */
  retryAtMs?: number | undefined;
  error?: ActionError | undefined;
  /** Why the step ended without success, as a sentence, where no error says it. */
  details?: string | undefined;
  startedAtMs?: number | undefined;
  finishedAtMs?: number | undefined;
};

type StoredStep = {
  id: string;
  device_id: string;
  action_type: string;
  parameters: string | null;
  targets: string | null;
  depends_on: string;
  run_if: RunIf;
  timeout_ms: number;
  max_attempts: number;
  backoff_ms: number;
  effect_class: EffectClass;
  risk_level: RiskLevel;
  risk_reasons: string;
  asks: number;
  status: StepStatus;
  action_id: string | null;
  attempts: number;
  recoveries: number;
  retry_at_ms: number | null;
  error: string | null;
  details: string | null;
  started_at_ms: number | null;
  finished_at_ms: number | null;
};

const JSON_COLUMNS = ['procedure'];
const STEP_COLUMNS_WITHOUT_PARAMETERS = `id, device_id, action_type, NULL AS parameters, NULL AS targets, depends_on, run_if, timeout_ms, max_attempts,
  backoff_ms, effect_class, risk_level, risk_reasons, asks, status, action_id, attempts, recoveries, retry_at_ms, error, details,
  started_at_ms, finished_at_ms`;

/** With `userId` `null` the tasks of every user. */
type TaskQuery = {
  userId: string | null;
  beforeId: string;
  limit: number;
  statuses?: string[];
  /** How tasks stand for the person, of `TASK_ENDS`. */
  ends?: string[];
  sinceMs?: number;
};

/** The newest tasks that match filters. `whose` ends with AND, or is empty for the tasks of everybody. */
function pageOfTasksSql(whose: string): string {
  return `SELECT ${TASK_COLUMNS} FROM tasks WHERE ${whose} id < :beforeId AND id >= :sinceId
    AND (:statuses IS NULL OR status IN (SELECT value FROM json_each(:statuses)))
    AND (:ends IS NULL OR ${END} IN (SELECT value FROM json_each(:ends))) AND created_at_ms >= :sinceMs
    ORDER BY id DESC LIMIT :limit`;
}

const TASK_COLUMNS = `id, user_id, name, reason, profile, on_failure, status, created_at_ms, started_at_ms, finished_at_ms, cancel_requested_at_ms,
  cancelled_by, asking_since_ms, asked_ms, procedure`;

/** Which of a failed task's steps say how it stands for the person, the first before the others. */
const TELLING = ['failed', 'denied', 'expired', 'blocked'] as const;

/** How a task stands for the person, in a word of `TASK_ENDS`. */
const END = `CASE WHEN status <> 'failed' THEN status ELSE coalesce((
    SELECT CASE min(${rankSql()}) ${TELLING.map((end, rank) => `WHEN ${rank} THEN '${end}'`).join(' ')} END
    FROM task_steps WHERE task_id = tasks.id), 'failed') END`;

function rankSql(): string {
  const ranks = TELLING.map((end, rank) => `WHEN '${end}' THEN ${rank}`).join(' ');
  return `CASE task_steps.status WHEN 'unknown' THEN 0 ${ranks} END`;
}

export function createTaskTable(database: Database) {
  const insert = database.prepare(
    `INSERT INTO tasks (id, user_id, name, reason, profile, on_failure, status, created_at_ms, started_at_ms, finished_at_ms, procedure)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertStep = database.prepare(
    `INSERT INTO task_steps (task_id, position, id, device_id, action_type, parameters, depends_on, run_if, timeout_ms, max_attempts,
       backoff_ms, effect_class, risk_level, risk_reasons, asks, status, targets)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare(
    `UPDATE tasks SET status = ?, started_at_ms = ?, finished_at_ms = ?, cancel_requested_at_ms = ?, cancelled_by = ?,
       asking_since_ms = ?, asked_ms = ?
     WHERE id = ? AND status = ?`,
  );
  const updateStep = database.prepare(
    `UPDATE task_steps SET risk_level = ?, risk_reasons = ?, status = ?, action_id = ?, attempts = ?, recoveries = ?, retry_at_ms = ?,
       error = ?, details = ?, started_at_ms = ?, finished_at_ms = ?
     WHERE task_id = ? AND id = ? AND status = ? AND attempts = ? AND action_id IS ?`,
  );
  const byUser = database.prepare<unknown[], object>(`SELECT ${TASK_COLUMNS} FROM tasks WHERE user_id = ? AND id = ?`);
  const byId = database.prepare<unknown[], object>(`SELECT ${TASK_COLUMNS} FROM tasks WHERE id = ?`);
  const stepsOf = database.prepare<unknown[], StoredStep>(
    'SELECT * FROM task_steps WHERE task_id = ? ORDER BY position',
  );
  const live = database.prepare<unknown[], object>(
    `SELECT ${TASK_COLUMNS} FROM tasks WHERE finished_at_ms IS NULL ORDER BY id`,
  );
  const liveIds = database
    .prepare<unknown[], string>('SELECT id FROM tasks WHERE finished_at_ms IS NULL ORDER BY id')
    .pluck();
  const page = database.prepare<unknown[], object>(pageOfTasksSql('user_id = :userId AND'));
  const pageOfAll = database.prepare<unknown[], object>(pageOfTasksSql(''));
  const forget = database.prepare(
    `UPDATE task_steps SET parameters = NULL, targets = NULL WHERE parameters IS NOT NULL
       AND (SELECT finished_at_ms FROM tasks WHERE tasks.id = task_id) < ?`,
  );
  const runsOfProcedure = database.prepare<unknown[], { status: TaskStatus; count: number }>(
    `SELECT status, count(*) AS count FROM tasks WHERE user_id = ? AND procedure ->> '$.name' = ? AND procedure IS NOT NULL
     GROUP BY status ORDER BY max(id) DESC`,
  );
  const stepsOfPage = database.prepare<unknown[], StoredStep & { task_id: string }>(
    `SELECT task_id, ${STEP_COLUMNS_WITHOUT_PARAMETERS} FROM task_steps
     WHERE task_id IN (SELECT value FROM json_each(?)) ORDER BY task_id, position`,
  );
  const withSteps = (stored: object): TaskRow => {
    const task = rowOf<Head>(stored, JSON_COLUMNS);
    return { ...task, steps: stepsOf.all(task.id).map(toStep) };
  };
  const found = (stored: object | undefined): TaskRow | undefined =>
    stored === undefined ? undefined : withSteps(stored);
  return {
    /** Stores a task whose steps have not begun. */
    insert(task: TaskRow): void {
      insert.run(...columnsOf(task));
      for (const [position, step] of task.steps.entries()) insertStep.run(task.id, position, ...stepColumnsOf(step));
    },
    /** Compare-and-set on (id, status); steps are not touched. */
    update(from: TaskRow, to: TaskRow): boolean {
      const { startedAtMs = null, finishedAtMs = null, cancelRequestedAtMs = null, cancelledBy = null } = to;
      const times = [startedAtMs, finishedAtMs, cancelRequestedAtMs, cancelledBy, to.askingSinceMs ?? null, to.askedMs];
      return update.run(to.status, ...times, from.id, from.status).changes === 1;
    },
    /** Compare-and-set on (task, step, status, attempts, action). */
    updateStep(taskId: string, from: StepRow, to: StepRow): boolean {
      const key = [taskId, from.id, from.status, from.attempts, from.actionId ?? null];
      return updateStep.run(...changingColumnsOf(to), ...key).changes === 1;
    },
    find: (userId: string, id: string): TaskRow | undefined => found(byUser.get(userId, id)),
    findById: (id: string): TaskRow | undefined => found(byId.get(id)),
    /** Every task that has not ended, oldest first. */
    live: (): TaskRow[] => live.all().map(withSteps),
    /** The ids of tasks that have not ended, oldest first. */
    liveIds: (): string[] => liveIds.all(),
    /** Newest first, without the parameters of their steps. */
    page({ statuses, ends, sinceMs, userId, ...query }: TaskQuery): TaskRow[] {
      const since =
        sinceMs === undefined ? { sinceMs: 0, sinceId: '' } : { sinceMs, sinceId: idNotAfter('tsk', sinceMs) };
      const filter = { ...query, ...since, statuses: listOf(statuses), ends: listOf(ends) };
      const tasks = rowsOf<Head>(
        userId === null ? pageOfAll.all(filter) : page.all({ ...filter, userId }),
        JSON_COLUMNS,
      );
      const rows = stepsOfPage.all(JSON.stringify(tasks.map(({ id }) => id)));
      const steps = Map.groupBy(rows, ({ task_id }) => task_id);
      return tasks.map((task) => ({ ...task, steps: (steps.get(task.id) ?? []).map(toStep) }));
    },
    /** How the runs of a procedure of a requester ended, by status, the latest first. */
    runsOfProcedure: (userId: string, name: string): { status: TaskStatus; count: number }[] =>
      runsOfProcedure.all(userId, name),
    /** Deletes the parameters of the steps of tasks that ended before a time. */
    forgetParameters: (finishedBeforeMs: number): number => forget.run(finishedBeforeMs).changes,
  };
}

function listOf(words: readonly string[] | undefined): string | null {
  return words === undefined ? null : JSON.stringify(words);
}

/** In the order of the INSERT above. */
function columnsOf(task: TaskRow): (string | number | null)[] {
  const { id, userId, name, onFailure, status, createdAtMs } = task;
  const { reason = null, profile = null, startedAtMs = null, finishedAtMs = null } = task;
  // An approval does not cover the rest of a run after a restart, so it is not stored.
  const procedure = task.procedure === undefined ? null : JSON.stringify({ ...task.procedure, grantId: undefined });
  return [id, userId, name, reason, profile, onFailure, status, createdAtMs, startedAtMs, finishedAtMs, procedure];
}

/** In the order of the INSERT above, after the task and the position. */
function stepColumnsOf(step: StepRow): (string | number | null)[] {
  return [
    step.id,
    step.deviceId,
    step.actionType,
    JSON.stringify(step.parameters ?? {}),
    JSON.stringify(step.dependsOn),
    step.runIf,
    step.timeoutMs,
    step.maxAttempts,
    step.backoffMs,
    step.effectClass,
    step.risk.level,
    JSON.stringify(step.risk.reasons),
    step.asks ? 1 : 0,
    step.status,
    step.targets === undefined ? null : JSON.stringify(step.targets),
  ];
}

/** In the order of the UPDATE of a step. */
function changingColumnsOf(step: StepRow): (string | number | null)[] {
  return [
    step.risk.level,
    JSON.stringify(step.risk.reasons),
    step.status,
    step.actionId ?? null,
    step.attempts,
    step.recoveries,
    step.retryAtMs ?? null,
    step.error === undefined ? null : JSON.stringify(step.error),
    step.details ?? null,
    step.startedAtMs ?? null,
    step.finishedAtMs ?? null,
  ];
}

function toStep(stored: StoredStep): StepRow {
  return {
    id: stored.id,
    deviceId: stored.device_id,
    actionType: stored.action_type,
    parameters: optionalJson<Record<string, unknown>>(stored.parameters),
    targets: optionalJson<Target[]>(stored.targets),
    dependsOn: storedJson<string[]>(stored.depends_on),
    runIf: stored.run_if,
    timeoutMs: stored.timeout_ms,
    maxAttempts: stored.max_attempts,
    backoffMs: stored.backoff_ms,
    effectClass: stored.effect_class,
    risk: { level: stored.risk_level, reasons: storedJson<string[]>(stored.risk_reasons) },
    asks: stored.asks === 1,
    status: stored.status,
    actionId: stored.action_id ?? undefined,
    attempts: stored.attempts,
    recoveries: stored.recoveries,
    retryAtMs: stored.retry_at_ms ?? undefined,
    error: optionalJson<ActionError>(stored.error),
    details: stored.details ?? undefined,
    startedAtMs: stored.started_at_ms ?? undefined,
    finishedAtMs: stored.finished_at_ms ?? undefined,
  };
}
