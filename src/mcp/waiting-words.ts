import type { Action } from '../contract/action.ts';
import type { Task } from '../contract/task.ts';

type Waiting = Pick<Action, 'status' | 'details' | 'confirmation'>;
type Prompt = NonNullable<Waiting['confirmation']>;

/** For a model: who is asked, how long, which tool comes next, and that to ask again is useless. */
export function askingWords(action: Action, nowMs: number): string {
  const next = `wait_for_action with {"actionId":"${action.actionId}"}`;
  if (action.status !== 'awaiting_confirmation')
    return `${action.status}: the action has not ended. Call ${next} to get its outcome. Do not call the same tool again: it would be done twice.`;
  const denied = deniedWords(action.confirmation, nowMs);
  if (denied !== undefined) return `awaiting_confirmation: ${denied} Call ${next} for the end of it.`;
  return [
    `awaiting_confirmation: nothing was done yet. ${action.details}`,
    `The person at this computer is being asked, and has ${leftWords(action.confirmation, nowMs)} to answer. Only they can.`,
    `Next, call ${next}: it waits for their answer and gives the result.`,
    'To make the same call again is useless: it finds this same prompt.',
  ].join('\n');
}

/** The same for a task. */
export function taskAskingWords(task: Task, nowMs: number): string {
  const next = `get_task with {"taskId":"${task.taskId}"}`;
  if (task.status === 'needs_attention')
    return `needs_attention: a step was sent and its end was lost. Only the person can say at the Handrail dashboard what became of it. Tell them, and call ${next} later.`;
  const prompt = promptIn(task);
  if (prompt === undefined)
    return `${task.status}: ${ended(task)} Call ${next} to get the rest. To submit the task again is useless: it finds this same one.`;
  const denied = deniedWords(prompt, nowMs);
  if (denied !== undefined) return `awaiting_confirmation: ${ended(task)} ${denied} Call ${next} for the end of it.`;
  return [
    `awaiting_confirmation: ${ended(task)}`,
    `The person at this computer is being asked, and has ${leftWords(prompt, nowMs)} to answer. Only they can.`,
    `Next, call ${next}: it waits for their answer and gives the result.`,
    'To submit the task again is useless: it finds this same prompt.',
  ].join('\n');
}

/** The open prompt of a task. Other steps of the task may run meanwhile. */
export function promptIn({ steps }: Task): Prompt | undefined {
  return steps.find(({ confirmation }) => confirmation !== undefined)?.confirmation;
}

/** One line while a call is held. */
export function progressWords(found: Waiting & Pick<Action, 'actionId'>, nowMs: number): string {
  if (found.status !== 'awaiting_confirmation') return `The action ${found.actionId} is ${found.status}.`;
  const denied = deniedWords(found.confirmation, nowMs);
  if (denied !== undefined) return `${found.actionId}: ${denied}`;
  return `${found.actionId}: Waiting for the person at this computer to allow or deny this; they have ${leftWords(found.confirmation, nowMs)} left.`;
}

/** The same for a task. */
export function taskProgressWords(task: Task, nowMs: number): string {
  const prompt = promptIn(task);
  const denied = deniedWords(prompt, nowMs);
  if (denied !== undefined) return `${task.taskId}: ${ended(task)} ${denied}`;
  const asks = `Waiting for the person at this computer to allow or deny it; they have ${leftWords(prompt, nowMs)} left.`;
  return `${task.taskId}: ${prompt === undefined ? ended(task) : `${ended(task)} ${asks}`}`;
}

function ended({ progress: { done, total } }: Task): string {
  return `${done} of ${total} steps have ended.`;
}

/** That the person denied it, while they can still undo that. */
function deniedWords(prompt: Prompt | undefined, nowMs: number): string | undefined {
  if (prompt?.denialFinalAt === undefined) return undefined;
  return `The person denied this; they may still change that for ${secondsUntil(prompt.denialFinalAt, nowMs)} s.`;
}

function secondsUntil(timestamp: string, nowMs: number): number {
  return Math.max(0, Math.ceil((Date.parse(timestamp) - nowMs) / 1_000));
}

/** The time of a prompt runs only while it can be answered, so that this is the least there is. */
function leftWords(prompt: Prompt | undefined, nowMs: number): string {
  if (prompt === undefined) return 'some time';
  return `about ${secondsUntil(prompt.expiresAt, nowMs)} s`;
}
