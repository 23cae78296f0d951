import type { GrantScope } from '../../src/contract/console.ts';
import type { StepSubmission, Task, TaskSubmission } from '../../src/contract/task.ts';
import type { AttemptOutcome } from '../../src/services/agent/port.ts';
import { isRefusal, type Refusal } from '../../src/services/refusal.ts';
import type { TaskAnswer, TaskCall } from '../../src/services/requester-services.ts';
import { answerFirst } from './answers.ts';
import type { Rig } from './rig.ts';

export type Step = Pick<StepSubmission, 'id'> & Partial<StepSubmission>;

/** A step that waits for nothing on the device, unless told otherwise. */
export function stepOf(rig: Rig, step: Step): StepSubmission {
  return { actionType: 'Wait', targetDeviceId: rig.deviceId, parameters: { durationMs: 0 }, ...step };
}

export function submitTask(
  rig: Rig,
  steps: readonly Step[],
  { body = {}, ...call }: { body?: Partial<TaskSubmission> } & Partial<Omit<TaskCall, 'body'>> = {},
): Promise<TaskAnswer | Refusal> {
  return rig.services.tasks.submit({
    userId: 'ann',
    gone: new AbortController().signal,
    body: { steps: steps.map((step) => stepOf(rig, step)), ...body },
    ...call,
  });
}

/** Submits and hands over the record that came back. */
export async function submittedTask(
  rig: Rig,
  steps: readonly Step[],
  body: Partial<TaskSubmission> = {},
): Promise<Task> {
  const answer = await submitTask(rig, steps, { body });
  if (isRefusal(answer) || answer.kind !== 'task') throw new Error(`expected a task, got ${JSON.stringify(answer)}`);
  return answer.task;
}

export function taskNow(rig: Rig, taskId: string): Task {
  const task = rig.services.tasks.get('ann', taskId);
  if (isRefusal(task)) throw new Error(task.detail);
  return task;
}

/** The status of every step, by id. */
export function stepsNow(rig: Rig, taskId: string): Record<string, string> {
  return Object.fromEntries(taskNow(rig, taskId).steps.map(({ id, status }) => [id, status]));
}

/** Answers what was sent for the running attempt of a step, and lets follow what follows. */
export async function answerStep(rig: Rig, taskId: string, id: string, outcome: AttemptOutcome): Promise<void> {
  const actionId = taskNow(rig, taskId).steps.find((step) => step.id === id)?.actionId;
  const params = rig.agent.sent.find((sent) => sent.actionId === actionId);
  if (params === undefined) throw new Error(`nothing was sent for the step ${id}`);
  await rig.agent.answer(outcome, params);
}

/** What was sent to the agent, as the steps it belongs to. */
export function sentSteps(rig: Rig): string[] {
  return rig.agent.sent.map(({ actionId }) => String(rig.store.actions.findById(actionId)?.stepId));
}

export function settle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** The person answers the first prompt, after looking at it for long enough. */
export async function answerPrompt(rig: Rig, decision: 'allow' | 'deny', scope: GrantScope = 'once'): Promise<void> {
  const decided = answerFirst(rig, decision, scope);
  if (isRefusal(decided)) throw new Error(decided.detail);
  await settle();
}
