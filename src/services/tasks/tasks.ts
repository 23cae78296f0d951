import type { CancelReason } from '../../contract/link.ts';
import type { Task, TaskSubmission } from '../../contract/task.ts';
import type { ActionRow } from '../../store/actions.ts';
import type { PlanConfirmation } from '../../store/confirmations.ts';
import type { TaskRow } from '../../store/tasks.ts';
import { type SubmissionParts, tooManyPending } from '../actions/submission.ts';
import type { Confirmations } from '../confirmations/confirmations.ts';
import type { Context } from '../context.ts';
import type { Idempotency, Subjects } from '../idempotency.ts';
import { readPage } from '../pages.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { PageRequest, TaskAnswer, TaskCall, TaskFilter, TaskService, Wait } from '../services.ts';
import type { Piece } from '../slices.ts';
import { resolveWindow } from '../window-resolution.ts';
import { type AcceptedStep, acceptSteps, explainSteps } from './acceptance.ts';
import { createTaskEngine, type TaskEngine } from './engine.ts';
import { whenLookedUp } from './look-up-apps.ts';
import { createStepResolution } from './resolution.ts';
import { isAtRest } from './step-changes.ts';
import { viewTask } from './task-view.ts';
import { tooMuchUnfinished } from './unfinished-limits.ts';

/** How long the parameters of steps are kept after their task has ended. */
const PARAMETERS_KEPT_MS = 24 * 3_600_000;

type Parts = SubmissionParts & { idempotency: Idempotency; cancelAction(row: ActionRow, reason: CancelReason): void };

/** Tasks, from submission to record. */
export function createTaskService(context: Context, parts: Parts) {
  const { store, clock } = context;
  const engine = createTaskEngine(context, parts);
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

  async function submit(call: TaskCall, fingerprint: string | undefined): Promise<TaskAnswer | Refusal> {
    const { userId, body } = call;
    if (body.dryRun === true) {
      const steps = explainSteps(userId, body, parts);
      return isRefusal(steps) ? steps : { kind: 'dryRun', dryRun: { dryRun: true, steps } };
    }
    const refusal = parts.stopped() ?? parts.requesters.refusalFor(userId);
    if (refusal !== undefined) return refusal;
    const steps = await acceptWithWindows(call, parts);
    if (isRefusal(steps)) return steps;
    const obstacle =
      tooMuchUnfinished(steps.length, { ...engine.tasks.sizes(userId), isKnown: parts.isKnown(userId) }) ??
      (asksForPlan(steps) ? tooManyPending(call, 'ask', parts) : undefined);
    if (obstacle !== undefined) return obstacle;
    const id = storeTask(context, { engine, ...parts }, { call, fingerprint, steps });
    engine.advance(id);
    await heldUntilRest(engine, id, call);
    return { kind: 'task', task: view(stored(context, id)), replayed: false };
  }

  const service: TaskService = {
    submit: (call) => parts.idempotency.once(call, kept, (key) => whenLookedUp(call, parts, () => submit(call, key))),
    get,
    ended: (userId, taskId, wait) => readAtRest(engine, taskId, wait, () => get(userId, taskId)),
    list: (userId, { status: statuses, ...filter }, page) =>
      readPage(page, {
        read: (beforeId, limit) =>
          store.tasks.page({ userId, beforeId, limit, ...filter, ...(statuses === undefined ? {} : { statuses }) }),
        view,
      }),
    cancel(userId, taskId) {
      const row = store.tasks.find(userId, taskId);
      if (row === undefined) return taskNotFound(taskId);
      if (row.finishedAtMs !== undefined) return alreadyEnded(row);
      cancel(engine.tasks.get(taskId) ?? row, 'requested');
      return get(userId, taskId);
    },
  };

  return {
    service,
    /** Everybody's. */
    all: ({ status: statuses }: Pick<TaskFilter, 'status'>, page: PageRequest) =>
      readPage(page, {
        read: (beforeId, limit) =>
          store.tasks.page({ userId: null, beforeId, limit, ...(statuses === undefined ? {} : { statuses }) }),
        view,
      }),
    byId: (taskId: string): Task => view(stored(context, taskId)),
    resolveStep: createStepResolution(context, engine),
    load: engine.load,
    goOn: engine.goOn,
    end: engine.end,
    /** The pieces of work that cancel every unfinished task. */
    cancellations: (reason: CancelReason) => cancellations(engine, (task) => cancel(task, reason)),
    /** Forgets what retention no longer keeps. */
    sweep(): void {
      store.write('relaxed', () => store.tasks.forgetParameters(clock.nowMs() - PARAMETERS_KEPT_MS));
    },
  };
}

/** The steps of a task, with the windows that the person is to be asked about as they are now. */
async function acceptWithWindows({ userId, body }: TaskCall, parts: Parts): Promise<AcceptedStep[] | Refusal> {
  const steps = acceptSteps(userId, body, parts);
  if (isRefusal(steps)) return steps;
  const ids = new Set(steps.flatMap(({ windowId }) => windowId ?? []));
  if (ids.size === 0) return steps;
  const answers = [...ids].map(async (id) => [id, await resolveWindow(parts.ask, id, 'medium')] as const);
  const windows = new Map(await Promise.all(answers));
  return parts.stopped() ?? parts.requesters.refusalFor(userId) ?? acceptSteps(userId, body, parts, windows);
}

/** The person is asked once for all steps whose arguments are known and that need a yes. */
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
  if (plan !== undefined) confirmations.watch(plan);
  return task.id;
}

/** The wish is stored first, with what it ends at once; then what runs is told. Asking twice changes nothing. */
function createTaskCancel({ store }: Context, engine: TaskEngine, { live, cancelAction }: Parts) {
  return (task: TaskRow, reason: CancelReason): void => {
    if (task.cancelRequestedAtMs === undefined) {
      const cancelledBy = reason === 'emergency_stop' ? 'person' : 'requester';
      engine.change(
        task,
        (atMs) => ({ ...task, cancelRequestedAtMs: atMs, cancelledBy }),
        (atMs) => {
          const metadata = { taskId: task.id, because: reason };
          store.journal.append(atMs, { kind: 'task.cancel_requested', userId: task.userId, metadata });
        },
      );
    }
    for (const { actionId } of task.steps) {
      const action = actionId === undefined ? undefined : live.get(actionId);
      if (action !== undefined) cancelAction(action, reason);
    }
  };
}

/** Reads a task when it is at rest. A task that cannot be read is not waited for. */
async function readAtRest(
  engine: TaskEngine,
  id: string,
  wait: Wait,
  read: () => Task | Refusal,
): Promise<Task | Refusal> {
  if (!isRefusal(read())) await heldUntilRest(engine, id, wait);
  return read();
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

function taskNotFound(taskId: string): Refusal {
  return { refused: 'task_not_found', detail: `This user has no task ${taskId}. GET /api/tee/tasks lists them.` };
}

function alreadyEnded(row: TaskRow): Refusal {
  return {
    refused: 'already_terminal',
    detail: `The task has already ended: ${row.status}. There is nothing left to cancel; GET /api/tee/tasks/${row.id} says what became of its steps.`,
    facts: { taskId: row.id, taskStatus: row.status },
  };
}
