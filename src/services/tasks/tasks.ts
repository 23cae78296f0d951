import type { CancelReason } from '../../contract/link.ts';
import type { Task, TaskSubmission } from '../../contract/task.ts';
import type { ProcedureOfTask } from '../../domain/procedures/cover.ts';
import type { PlanConfirmation } from '../../store/records/confirmations.ts';
import type { TaskRow } from '../../store/records/tasks.ts';
import type { Cancel, CancelledBy } from '../actions/cancellation.ts';
import { tooManyPending } from '../actions/submission.ts';
import type { Confirmations } from '../confirmations/confirmations.ts';
import { viewTask } from '../confirmations/task-view.ts';
import type { Context } from '../context.ts';
import type { Idempotency, Subjects } from '../records/idempotency.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { PersonTaskFilter, TaskAnswer, TaskCall, TaskFilter, TaskService } from '../requester-services.ts';
import { limitFor } from '../requesters/requesters.ts';
import { type PageRequest, readPage } from '../work/pages.ts';
import type { Piece } from '../work/slices.ts';
import { createSlice, nextTurn, type Slice } from '../work/turns.ts';
import { type AcceptedStep, acceptSteps, dryRunTask, faultOf, type SightedCall, sightOfTask } from './acceptance.ts';
import { type CheckedCall, canonicalTask, createStepChecks, type TaskParts } from './checked-steps.ts';
import { createTaskEngine, type TaskEngine } from './engine.ts';
import { createStepResolution } from './resolution.ts';
import { isAtRest } from './step-changes.ts';

/** How long the parameters of steps are kept after their task has ended. */
export const PARAMETERS_KEPT_MS = 24 * 3_600_000;

export type Tasks = ReturnType<typeof createTaskService>;

type Parts = TaskParts & { idempotency: Idempotency; cancelAction: Cancel };

function taskNotFound(taskId: string): Refusal {
  return { refused: 'task_not_found', detail: `This user has no task ${taskId}.`, see: 'tasks' };
}

function noSuchTask(taskId: string): Refusal {
  return { refused: 'task_not_found', detail: `There is no task ${taskId}. GET /api/console/tasks lists them.` };
}

function alreadyEnded(row: TaskRow): Refusal {
  return {
    refused: 'already_terminal',
    detail: `The task has already ended: ${row.status}. There is nothing left to cancel; GET /api/tee/tasks/${row.id} says what became of its steps.`,
    facts: { taskId: row.id, taskStatus: row.status },
  };
}

/** Tasks, from submission to record. */
export function createTaskService(context: Context, parts: Parts) {
  const { store, clock } = context;
  const checks = createStepChecks();
  const sliceOf = (userId: string) => createSlice(clock, () => nextTurn(userId));
  const engine = createTaskEngine(context, { ...parts, checks });
  const kept: Subjects<TaskAnswer, Task> = {
    keys: store.taskKeys,
    viewById: get,
    viewIn: (answer) => (answer.kind === 'task' ? answer.task : undefined),
    replayed: (task) => ({ kind: 'task', task, replayed: true }),
    isFinal: ({ finishedAt }) => finishedAt !== undefined,
  };
  const cancel = createTaskCancel(context, engine, parts);
  const view = (row: TaskRow) => viewTask(context, row);

  function get(userId: string, taskId: string): Task | Refusal {
    const row = store.tasks.find(userId, taskId);
    return row === undefined ? taskNotFound(taskId) : view(row);
  }

  async function submit(call: CheckedCall, fingerprint: string | undefined): Promise<TaskAnswer | Refusal> {
    if (call.body.dryRun === true) {
      const dryRun = await dryRunTask(call, sliceOf(call.userId), parts);
      return isRefusal(dryRun) ? dryRun : { kind: 'dryRun', dryRun };
    }
    const task = await begun(context, { ...parts, engine }, { call, fingerprint, slice: sliceOf(call.userId) });
    if (isRefusal(task)) return task;
    const { id } = task;
    await Promise.all([noteProgram(parts, { ...task, call }), heldUntilRest(engine, id, call)]);
    return { kind: 'task', task: view(stored(context, id)), replayed: false };
  }

  function cancelStored(row: TaskRow | undefined, by: CancelledBy): Task | Refusal | undefined {
    if (row === undefined) return undefined;
    if (row.finishedAtMs !== undefined) return alreadyEnded(row);
    cancel(engine.tasks.get(row.id) ?? row, { reason: 'requested', by });
    return get(row.userId, row.id);
  }

  const service: TaskService = {
    submit(submitted) {
      const call = checks.checkSteps(submitted);
      const keyed = { ...call, canonicalBody: () => canonicalTask(call) };
      return parts.idempotency.once(keyed, kept, (key) => submit(call, key));
    },
    get,
    former: (userId, key) => parts.idempotency.former(userId, key, kept),
    forgetKey: (userId, key) => parts.idempotency.forget(userId, key, kept.keys),
    async ended(userId, taskId, wait) {
      if (engine.tasks.get(taskId)?.userId === userId) await heldUntilRest(engine, taskId, wait);
      // A task has up to a hundred steps, so callers read tasks one after the other.
      await nextTurn(userId);
      return get(userId, taskId);
    },
    list: (userId, filter, page) => pageOfTasks(context, { ...filter, userId }, page),
    cancel: (userId, taskId) => cancelStored(store.tasks.find(userId, taskId), 'requester') ?? taskNotFound(taskId),
  };

  return {
    service,
    /** Lists the tasks of all requesters, or of the one that the filter names. The newest comes first. */
    all: (filter: PersonTaskFilter, page: PageRequest) => pageOfTasks(context, { userId: null, ...filter }, page),
    /** A task of any requester. */
    find(taskId: string): Task | Refusal {
      const row = store.tasks.findById(taskId);
      return row === undefined ? noSuchTask(taskId) : view(row);
    },
    /** The tasks that have not ended, of all requesters, the oldest first. */
    unfinished: engine.tasks.all,
    /** Cancels a task of any requester. */
    cancelByPerson: (taskId: string): Task | Refusal =>
      cancelStored(store.tasks.findById(taskId), 'person') ?? noSuchTask(taskId),
    resolveStep: createStepResolution(context, engine),
    /** How many tasks that have not ended have a status. */
    unfinishedCount: engine.tasks.countOf,
    observedBy: engine.observedBy,
    load: engine.load,
    goOn: engine.goOn,
    end: engine.end,
    /** The pieces of work that cancel every unfinished task. */
    cancellations: (why: TaskCancellation) => cancellations(engine, (task) => cancel(task, why)),
    /** Forgets what retention no longer keeps. */
    sweep(nowMs: number): void {
      store.write('relaxed', () => store.tasks.forgetParameters(nowMs - PARAMETERS_KEPT_MS));
    },
  };
}

/** All tasks that have not ended are in memory, and the emergency stop has to end every step of them. */
export const MOST_TASKS = { ofUser: 20, inAll: 160 };
export const MOST_STEPS = { ofUser: 1_000, inAll: 8_000 };

type UnfinishedTask = { userId: string; steps: readonly unknown[] };

/** Why a task is not taken until others have ended, if so. `unfinished`: all tasks that have not ended. */
export function tooMuchUnfinished(
  { userId, steps }: UnfinishedTask,
  unfinished: readonly Pick<TaskRow, 'userId' | 'steps'>[],
  isKnown: boolean,
): Refusal | undefined {
  const ofUser = countOf(unfinished.filter((task) => task.userId === userId));
  const inAll = countOf(unfinished);
  const most = { tasks: limitFor(isKnown, MOST_TASKS.inAll), steps: limitFor(isKnown, MOST_STEPS.inAll) };
  const hasRoom =
    ofUser.tasks < MOST_TASKS.ofUser &&
    inAll.tasks < most.tasks &&
    ofUser.steps + steps.length <= MOST_STEPS.ofUser &&
    inAll.steps + steps.length <= most.steps;
  if (hasRoom) return undefined;
  return {
    refused: 'too_many_pending',
    detail: `${words(ofUser)} of this user and ${words(inAll)} in all have not ended, and this task has ${steps.length} steps; at most ${words({ tasks: MOST_TASKS.ofUser, steps: MOST_STEPS.ofUser })} of a user and ${words(most)} in all are taken. Wait for some of them to end, or cancel them.`,
    retryAfterSeconds: 30,
  };
}

type Count = { tasks: number; steps: number };

function countOf(tasks: readonly Pick<TaskRow, 'steps'>[]): Count {
  return { tasks: tasks.length, steps: tasks.reduce((sum, { steps }) => sum + steps.length, 0) };
}

function words({ tasks, steps }: Count): string {
  return `${tasks} tasks with ${steps} steps`;
}

/** Accepts a task and begins its steps in slices. Between the two it is stored whole, in one transaction. */
async function begun(
  context: Context,
  parts: Parts & { engine: TaskEngine },
  { call, fingerprint, slice }: { call: CheckedCall; fingerprint: string | undefined; slice: Slice },
): Promise<{ id: string; steps: AcceptedStep[] } | Refusal> {
  const { userId } = call;
  const { engine } = parts;
  const refusal = parts.stopped() ?? parts.requesters.refusalFor(userId) ?? faultOf(call.body);
  if (refusal !== undefined) return refusal;
  const sightOf = await sightOfTask(call, parts);
  const steps = await acceptUnderOneRule({ ...call, sightOf }, slice, parts);
  if (isRefusal(steps)) return steps;
  const obstacle =
    tooMuchUnfinished({ userId, steps }, engine.tasks.all(), parts.isKnown(userId)) ??
    (asksForPlan(steps) ? tooManyPending(call, 'ask', parts) : undefined);
  if (obstacle !== undefined) return obstacle;
  const id = storeTask(context, parts, { call, fingerprint, steps });
  await engine.pace.begin(id);
  return { id, steps };
}

/** A page of the tasks of a user, or of everybody where no user is named. */
function pageOfTasks(
  context: Context,
  { status: statuses, ...filter }: TaskFilter & Omit<PersonTaskFilter, 'userId'> & { userId: string | null },
  page: PageRequest,
) {
  return readPage(context, page, {
    ...(filter.userId === null ? {} : { pause: () => nextTurn(String(filter.userId)) }),
    read: (beforeId, limit) => context.store.tasks.page({ beforeId, limit, ...filter, statuses }),
    view: (row) => viewTask(context, row),
  });
}

/** Accepts the steps again where the person changed the rules between two slices: a plan is judged by one version of the rules. */
async function acceptUnderOneRule(call: SightedCall, slice: Slice, parts: Parts): Promise<AcceptedStep[] | Refusal> {
  const { permissions } = parts.rules;
  for (;;) {
    const version = permissions.policyVersion();
    const steps = await acceptSteps(call, slice, parts);
    if (isRefusal(steps)) return steps;
    const refusal = parts.stopped() ?? parts.requesters.refusalFor(call.userId);
    if (refusal !== undefined || version === permissions.policyVersion()) return refusal ?? steps;
  }
}

/** Records which program submitted a task. It asks where some step does, with the plan or when it is its turn. */
async function noteProgram(
  { programs }: Parts,
  { id, call, steps }: { id: string; call: TaskCall; steps: readonly AcceptedStep[] },
): Promise<void> {
  const asks = steps.some(({ plan }) => plan.consent === 'asked' || plan.consent === 'later');
  await programs.note({ taskId: id, userId: call.userId }, call.program, asks);
}

/** The person is asked once for all steps that need approval and whose arguments are known. */
function asksForPlan(steps: readonly AcceptedStep[]): boolean {
  return steps.some(({ plan }) => plan.consent === 'asked');
}

/** Stores a task and, where it has to ask, the prompt for its plan. */
function storeTask(
  { store, clock, newId }: Context,
  { engine, confirmations }: { engine: TaskEngine; confirmations: Confirmations },
  { call, fingerprint, steps: accepted }: { call: TaskCall; fingerprint: string | undefined; steps: AcceptedStep[] },
): string {
  const { userId, body, idempotencyKey: key } = call;
  const steps = accepted.map(({ row }) => row);
  let plan: PlanConfirmation | undefined;
  const task: TaskRow = {
    id: newId('tsk'),
    userId,
    name: body.name ?? nameOf(body),
    reason: body.reason,
    profile: body.profile,
    onFailure: body.onFailure ?? 'stop',
    status: 'pending',
    createdAtMs: clock.nowMs(),
    askedMs: 0,
    procedure: withRun(store, call.procedure),
    steps,
  };
  engine.change(
    task,
    () => task,
    (atMs) => {
      store.users.see(userId, atMs);
      store.tasks.insert(task);
      const metadata = { taskId: task.id, steps: steps.length, types: steps.map(({ actionType }) => actionType) };
      store.journal.append(atMs, { kind: 'task.submitted', userId, metadata });
      if (asksForPlan(accepted)) {
        const planSteps = accepted.map((step) => step.plan);
        plan = confirmations.plans.insert(task, planSteps);
      }
      if (key !== undefined && fingerprint !== undefined)
        store.taskKeys.insert({ userId, key, fingerprint, subjectId: task.id, createdAtMs: atMs });
    },
  );
  if (plan !== undefined) {
    confirmations.watch(
      plan,
      accepted.map(({ asked }) => asked),
    );
  }
  return task.id;
}

/** Takes one of the runs that the approval of a procedure allows. Without one left its steps ask by themselves. */
function withRun(store: Context['store'], procedure: ProcedureOfTask | undefined): ProcedureOfTask | undefined {
  const grantId = procedure?.grantId;
  if (procedure === undefined || grantId === undefined) return procedure;
  return store.write('durable', () => store.grants.useRun(grantId)) ? procedure : { ...procedure, grantId: undefined };
}

type TaskCancellation = { reason: CancelReason; by: CancelledBy };

/** Stores the wish first, then cancels the actions that have not ended. Asking twice changes nothing. */
function createTaskCancel({ store }: Context, engine: TaskEngine, { live, cancelAction }: Parts) {
  return (task: TaskRow, { reason, by }: TaskCancellation): void => {
    if (task.cancelRequestedAtMs === undefined) {
      engine.change(
        task,
        (atMs) => ({ ...task, cancelRequestedAtMs: atMs, cancelledBy: by }),
        (atMs) => {
          const metadata = { taskId: task.id, because: reason, by };
          store.journal.append(atMs, { kind: 'task.cancel_requested', userId: task.userId, metadata });
        },
      );
    }
    for (const { actionId } of task.steps) {
      const action = actionId === undefined ? undefined : live.get(actionId);
      if (action !== undefined) cancelAction(action, { reason, by, withTask: true });
    }
  };
}

function* cancellations(engine: TaskEngine, cancel: (task: TaskRow) => void): Generator<Piece> {
  for (const { id } of engine.tasks.all()) {
    yield () => {
      const task = engine.tasks.get(id);
      if (task !== undefined) cancel(task);
    };
  }
}

/** Resolves when nothing more happens by itself, the wait is over, or the caller has gone. */
function heldUntilRest(
  engine: TaskEngine,
  id: string,
  { waitMs = 0, gone }: Pick<TaskCall, 'waitMs' | 'gone'>,
): Promise<void> {
  const task = engine.tasks.get(id);
  if (waitMs === 0 || task === undefined || isAtRest(task)) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      gone.removeEventListener('abort', finish);
      forget();
      resolve();
    };
    const timer = setTimeout(finish, waitMs);
    const forget = engine.tasks.whenAtRest(id, finish);
    gone.addEventListener('abort', finish);
  });
}

function stored({ store }: Context, id: string): TaskRow {
  const row = store.tasks.findById(id);
  if (row === undefined) throw new Error(`the task ${id} was stored and is not there`);
  return row;
}

function nameOf({ steps }: TaskSubmission): string {
  const text = steps.map(({ actionType }) => actionType).join(', ');
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}
