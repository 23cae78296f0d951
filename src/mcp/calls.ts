import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Action } from '../contract/action.ts';
import { lazyCheck } from '../contract/lazy-check.ts';
import { IntentSubmission } from '../contract/procedure.ts';
import { schemaFaults } from '../contract/schema-faults.ts';
import { type Task, TaskSubmission } from '../contract/task.ts';
import { canonicalJson } from '../domain/canonical-json.ts';
import { CATALOGUE } from '../domain/catalogue.ts';
import { isRefusal, type Refusal } from '../services/refusal.ts';
import type { TaskAnswer, TaskCall } from '../services/requester-services.ts';
import {
  type CallParts,
  callAction,
  FOR_ITS_WHOLE_LIFE,
  hold,
  ownDeviceId,
  refusedWith,
  waitForAction,
} from './action-calls.ts';
import type { Caller, Tell } from './caller.ts';
import {
  asFormer,
  promptIn,
  taskAskingWords,
  taskProgressWords,
  taskResult,
  valueResult,
  waitingResult,
} from './results.ts';
import { actionTypeOf, procedureToolName, type Tool } from './tools.ts';

type ToolCall = { name: string; args: Record<string, unknown> };
type By = { caller: Caller; tell: Tell };

const isTask = lazyCheck(TaskSubmission);

/** Runs a task for a client. A step names its tool or action type, and no device. */
async function callTask(
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
async function callProcedure(
  args: Record<string, unknown>,
  parts: CallParts,
  by: { caller: Caller; tell: Tell },
): Promise<CallToolResult> {
  const { procedures } = parts.services;
  const { userId } = by.caller;
  const { procedure, parameters = {}, ...unknown } = args;
  const [first] = Object.keys(unknown);
  if (first !== undefined) return refusedWith(by.caller, unknownMember(first));
  if (procedure === undefined && args.parameters === undefined)
    return valueResult({ procedures: procedures.intents(userId) });
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

function unknownMember(name: string): Refusal {
  const detail = `run_procedure does not know ${name.slice(0, 100)}: the name of the procedure is its member procedure, and its values are the object parameters.`;
  return { refused: 'validation_failed', detail };
}

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
        userId,
        waitMs: 0,
        gone,
        program,
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
async function getTask(taskId: string, parts: CallParts, by: { caller: Caller; tell: Tell }): Promise<CallToolResult> {
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

/** Calls the tool that a client names. */
export function createToolCalls(parts: CallParts, tools: readonly Tool[]) {
  return async ({ name, args }: ToolCall, by: By): Promise<CallToolResult> => {
    if (!tools.some((tool) => tool.name === name)) {
      const kept = parts.services.procedures.list(by.caller.userId);
      const procedure = kept.find((each) => procedureToolName(each.name) === name)?.name;
      if (procedure !== undefined) return callProcedure({ procedure, parameters: args }, parts, by);
      return refusedWith(by.caller, unknownTool(name, tools));
    }
    switch (name) {
      case 'submit_task':
        return callTask(args, parts, by);
      case 'run_procedure':
        return callProcedure(args, parts, by);
      case 'get_task':
        return withId(args, 'taskId', by, (id) => getTask(id, parts, by));
      case 'wait_for_action':
        return withId(args, 'actionId', by, (id) => waitForAction(id, parts, by));
      case 'list_actions':
        return listActions(parts, by);
      case 'get_access':
        return valueResult(parts.services.ownAccess(by.caller.userId));
      case 'list_devices':
        return listDevices(parts, by);
      default:
        return callAction(actionOf(name, args), parts, by);
    }
  };
}

function actionOf(name: string, args: Record<string, unknown>) {
  const actionType = actionTypeOf(name) ?? name;
  return { actionType, parameters: { ...CATALOGUE.get(actionType)?.forModels, ...args } };
}

const MOST_ACTIONS = 20;

/** The latest actions of this user, without their results. */
async function listActions({ services }: CallParts, { caller }: By): Promise<CallToolResult> {
  const page = await services.actions.list(caller.userId, {}, { limit: MOST_ACTIONS });
  if (isRefusal(page)) return refusedWith(caller, page);
  const actions = page.items.map((item) => {
    const { actionId, actionType, status, details, error, createdAt }: Action = JSON.parse(item);
    return { actionId, actionType, status, details, code: error?.code, createdAt };
  });
  return valueResult({ actions });
}

const MOST_DEVICES = 50;

/** Each device as a model needs it: its state and its displays. This computer is one of them from the first call on. */
async function listDevices(parts: CallParts, { caller }: By): Promise<CallToolResult> {
  const { services } = parts;
  ownDeviceId(caller.userId, parts);
  const page = await services.devices.list(caller.userId, { limit: MOST_DEVICES });
  if (isRefusal(page)) return refusedWith(caller, page);
  const devices = page.items.map((item) => {
    const { id, name, type, machine, status, reason, agent } = JSON.parse(item);
    return { id, name, type, machine, status, ...(reason && { reason }), displays: agent?.displays ?? [] };
  });
  return valueResult({ devices });
}

function withId(
  args: Record<string, unknown>,
  name: string,
  { caller }: By,
  call: (id: string) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const id = args[name];
  if (typeof id === 'string' && id.length <= 64) return call(id);
  const refusal: Refusal = {
    refused: 'validation_failed',
    detail: `The argument ${name} is expected: an id that an answer gave.`,
  };
  return Promise.resolve(refusedWith(caller, refusal));
}

function unknownTool(name: string, tools: readonly Tool[]): Refusal {
  const known = tools.map((tool) => tool.name).join(', ');
  return {
    refused: 'unknown_action_type',
    detail: `There is no tool ${JSON.stringify(name.slice(0, 100))}. The known ones are ${known}.`,
  };
}
