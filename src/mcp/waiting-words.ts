import type { Action } from '../contract/action.ts';
import type { Task } from '../contract/task.ts';

type Waiting = Pick<Action, 'status' | 'details' | 'confirmation'>;

/** For a model: who is asked, how long, which tool comes next, and that to ask again is useless. */
export function askingWords(action: Action, nowMs: number): string {
  const next = `wait_for_action with {"actionId":"${action.actionId}"}`;
  if (action.status !== 'awaiting_confirmation')
    return `${action.status}: the action has not ended. Call ${next} to get its outcome. Do not call the same tool again: it would be done twice.`;
  return [
    `awaiting_confirmation: nothing was done yet. ${action.details}`,
    `The person at this computer is being asked, and has ${leftWords(action, nowMs)} to answer. Only they can.`,
    `Next, call ${next}: it waits for their answer and gives the result.`,
    'To make the same call again is useless: it finds this same prompt.',
  ].join('\n');
}

/** The same for a task. */
export function taskAskingWords(task: Task, nowMs: number): string {
  const next = `get_task with {"taskId":"${task.taskId}"}`;
  if (task.status === 'needs_attention')
    return `needs_attention: a step was sent and its end was lost. Only the person can say at the Handrail dashboard what became of it. Tell them, and call ${next} later.`;
  if (task.status !== 'awaiting_confirmation')
    return `${task.status}: ${task.progress.done} of ${task.progress.total} steps have ended. Call ${next} to get the rest. Do not submit it again: its steps would be done twice.`;
  const asked = task.steps.find(({ confirmation }) => confirmation !== undefined);
  return [
    `awaiting_confirmation: ${task.progress.done} of ${task.progress.total} steps have ended.`,
    `The person at this computer is being asked, and has ${leftWords({ confirmation: asked?.confirmation }, nowMs)} to answer. Only they can.`,
    `Next, call ${next}: it waits for their answer and gives the result.`,
    'To submit the task again is useless: it finds this same prompt.',
  ].join('\n');
}

/** One line while a call is held. */
export function progressWords(found: Waiting, nowMs: number): string {
  if (found.status !== 'awaiting_confirmation') return `The action is ${found.status}.`;
  return `Waiting for the person at this computer to allow or deny this; they have ${leftWords(found, nowMs)} left.`;
}

/** The time of a prompt runs only while it can be answered, so that this is the least there is. */
function leftWords({ confirmation }: { confirmation?: Waiting['confirmation'] }, nowMs: number): string {
  if (confirmation === undefined) return 'some time';
  const seconds = Math.max(0, Math.ceil((Date.parse(confirmation.expiresAt) - nowMs) / 1_000));
  return `about ${seconds} s`;
}
