import type { CallToolResult } from '@modelcontextprotocol/server';
import { lazyCheck } from '../contract/lazy-check.ts';
import { IntentSubmission } from '../contract/procedure.ts';
import { schemaFaults } from '../contract/schema-faults.ts';
import { type Task, TaskSubmission } from '../contract/task.ts';
import { canonicalJson } from '../domain/canonical-json.ts';
import { isRefusal, type Refusal } from '../services/refusal.ts';
import type { TaskAnswer, TaskCall } from '../services/requester-services.ts';
import { type CallParts, ownDeviceId, refusedWith } from './action-calls.ts';
import type { Caller, Tell } from './caller.ts';
import { FOR_ITS_WHOLE_LIFE, hold } from './hold.ts';
import { asFormer, taskResult, valueResult, waitingResult } from './results.ts';
import { actionTypeOf } from './tools.ts';
import { promptIn, taskAskingWords, taskProgressWords } from './waiting-words.ts';

const isTask = lazyCheck(TaskSubmission);

/** Runs a task for a client. A step names its tool or action type, and no device. */
export async function callTask(
  submitted: Record<string, unknown>,
  parts: CallParts,
  by: { caller: Caller; tell: Tell },
): Promise<CallToolResult> {
  const body = withDevice(submitted, () => ownDeviceId(by.caller.userId, parts));
  if (!isTask(body) || body.dryRun === true) return refusedWith(by.caller, invalid(body));
  const words = ['submit_task', canonicalJson(submitted)] as const;
  return asTask({ words, submit: (call) => parts.services.tasks.submit({ ...call, body }) }, parts, by);
}

/** Runs a procedure for a client, or lists those that it may run without a question. */
export async function callProcedure(
  args: Record<string, unknown>,
  parts: CallParts,
  by: { caller: Caller; tell: Tell },
): Promise<CallToolResult> {
  const { procedures } = parts.services;
  const { userId } = by.caller;
  const { procedure, parameters = {} } = args;
  if (procedure === undefined) return valueResult({ procedures: procedures.intents(userId) });
  const isApproved = procedures.intents(userId).some((intent) => intent.procedure === procedure);
  const body = { procedure, parameters, ...(!isApproved && { targetDeviceId: ownDeviceId(userId, parts) }) };
  if (!isIntent(body)) return refusedWith(by.caller, NO_INTENT);
  const words = ['run_procedure', canonicalJson({ procedure, parameters })] as const;
  return asTask({ words, submit: (call) => procedures.run({ ...call, body }) }, parts, by);
}

const isIntent = lazyCheck(IntentSubmission);
const NO_INTENT: Refusal = {
  refused: 'validation_failed',
  detail: 'The name of a procedure and an object of parameters are expected. Without both this lists the procedures.',
};

type Submitting = {
  words: readonly string[];
  submit(call: Omit<TaskCall, 'body'>): Promise<TaskAnswer | Refusal>;
};

async function asTask(
  { words, submit }: Submitting,
  parts: CallParts,
  by: { caller: Caller; tell: Tell },
): Promise<CallToolResult> {
  const { tasks } = parts.services;
  const { userId, gone, program } = by.caller;
  const { idempotencyKey, former } = parts.formerCalls.keyed<Task>(by.caller, {
    words: JSON.stringify(words),
    isLasting: true,
    records: tasks,
  });
  const found = await parts.standing.join<Task>({
    key: JSON.stringify([userId, ...words]),
    gone,
    async submit() {
      if (former !== undefined) return former;
      const answer = await submit({
        ...{ userId, waitMs: 0, gone, program },
        idempotencyKey,
      });
      if (isRefusal(answer)) return answer;
      // Only a dry run has no task, and this is none.
      if (answer.kind === 'dryRun') throw new Error('a task was submitted, and the answer is a dry run');
      return answer.task;
    },
    // A later step may ask as well, so each task that has not ended counts as one that may.
    promptOf: (task) => (hasEnded(task) ? undefined : task.taskId),
    standing: (id) => unended(tasks.get(userId, id)),
    ended: (id) => tasks.ended(userId, id, FOR_ITS_WHOLE_LIFE),
    withdraw(id) {
      const now = tasks.get(userId, id);
      if (!isRefusal(now) && promptIn(now) !== undefined) tasks.cancel(userId, id);
    },
  });
  if (isRefusal(found)) return refusedWith(by.caller, found);
  parts.formerCalls.made(found.taskId, { idempotencyKey }, by.caller, tasks);
  const outcome = await outcomeOf(found, parts, by);
  return former?.finishedAt === undefined ? outcome : asFormer(outcome, former.createdAt);
}

/** Waits for a task of the caller's own. */
export async function getTask(
  taskId: string,
  parts: CallParts,
  by: { caller: Caller; tell: Tell },
): Promise<CallToolResult> {
  const found = parts.services.tasks.get(by.caller.userId, taskId);
  return isRefusal(found) ? refusedWith(by.caller, found) : outcomeOf(found, parts, by);
}

async function outcomeOf(
  first: Task,
  { services, nowMs, formerCalls }: CallParts,
  { caller, tell }: { caller: Caller; tell: Tell },
): Promise<CallToolResult> {
  const { userId, hurry, holdMs } = caller;
  const task = await hold(first, {
    holdMs,
    gone: hurry,
    promptOf: promptIn,
    whenDenialChanges: services.whenDenialChanges,
    isOver: (found) => hasEnded(found) || found.status === 'needs_attention',
    next: (wait) => services.tasks.ended(userId, first.taskId, wait),
    tell: (found, progress) => tell(taskProgressWords(found, nowMs()), progress),
    nowMs: () => performance.now(),
  });
  if (isRefusal(task)) return refusedWith(caller, task);
  if (!hasEnded(task)) return waitingResult(task, taskAskingWords(task, nowMs()));
  formerCalls.answered(task.taskId, caller);
  return taskResult(task, (actionId) => {
    const action = services.actions.get(userId, actionId);
    return isRefusal(action) ? undefined : action;
  });
}

function withDevice(submitted: Record<string, unknown>, device: () => string): unknown {
  const { steps } = submitted;
  if (!Array.isArray(steps)) return submitted;
  let targetDeviceId: string | undefined;
  const complete = steps.map((step: unknown) => {
    if (typeof step !== 'object' || step === null) return step;
    targetDeviceId ??= device();
    return { targetDeviceId, ...step, ...typeOf(step) };
  });
  return { ...submitted, steps: complete };
}

function typeOf(step: object): { actionType?: string } {
  const named: unknown = Reflect.get(step, 'actionType');
  const actionType = typeof named === 'string' ? actionTypeOf(named) : undefined;
  return actionType === undefined ? {} : { actionType };
}

function invalid(body: unknown): Refusal {
  const errors = schemaFaults(TaskSubmission, body);
  const listed = errors.map(({ pointer, message }) => `${pointer === '' ? 'it' : pointer} ${message}`).join('; ');
  const detail = `The task is not as described: ${listed || 'dryRun is not served here'}.`;
  return { refused: 'validation_failed', detail, errors };
}

function hasEnded({ status }: Task): boolean {
  return status === 'success' || status === 'failed' || status === 'cancelled';
}

function unended(found: Task | Refusal): Task | undefined {
  return isRefusal(found) || hasEnded(found) ? undefined : found;
}
