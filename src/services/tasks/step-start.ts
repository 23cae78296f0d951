import type { StepRow, TaskRow } from '../../store/tasks.ts';
import { createBegin, judged, type SubmissionParts, tooManyPending } from '../actions/submission.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission } from '../services.ts';
import type { LiveTasks } from './live-tasks.ts';
import { resolveParameters } from './parameters.ts';
import { afterAttempt, withStep } from './step-changes.ts';

/**
 * Begins attempts of steps, by the same way as any other submission: judged now, under the rules of now. The action, its prompt
 * and the step that it belongs to are stored together. Answers why there is none, if so.
 */
export function createStepStart(context: Context, parts: SubmissionParts, tasks: LiveTasks) {
  const begin = createBegin(context, parts);
  return (task: TaskRow, step: StepRow): Refusal | undefined => {
    const resolved = resolveParameters(context, task, step);
    if ('missing' in resolved) return missingReference(resolved.missing);
    const submission = submissionOf(task, step, resolved);
    const current = judged(submission, parts);
    if (isRefusal(current)) return current;
    const obstacle = tooManyPending(submission, current.admitted.judgement.verdict, parts);
    if (obstacle !== undefined) return obstacle;
    let takeIn: (() => void) | undefined;
    begin(submission, {
      ...current,
      companion: {
        write(row) {
          takeIn = tasks.stage(task, withStep(task, afterAttempt(step, row)), row.createdAtMs);
        },
        stored: () => takeIn?.(),
      },
    });
    return undefined;
  };
}

function submissionOf(
  task: TaskRow,
  step: StepRow,
  { parameters, taint }: { parameters: Record<string, unknown>; taint: string | undefined },
): Submission {
  return {
    userId: task.userId,
    body: {
      targetDeviceId: step.deviceId,
      actionType: step.actionType,
      parameters,
      timeoutMs: step.timeoutMs,
      ...(task.reason === undefined ? {} : { reason: task.reason }),
      ...(task.profile === undefined ? {} : { profile: task.profile }),
    },
    step: { taskId: task.id, stepId: step.id, taint },
    gone: NEVER_GONE,
  };
}

const NEVER_GONE = new AbortController().signal;

function missingReference(from: string): Refusal {
  return {
    refused: 'parameters_invalid',
    detail: `$from "${from}" leads to nothing: a step's result has status, details, effect and data, and this path is not in it.`,
  };
}
