import type { StepRow, TaskRow } from '../../store/tasks.ts';
import type { Admitted } from '../actions/admission.ts';
import { appToLookUp } from '../actions/app-to-look-up.ts';
import { createBegin, judged, type SubmissionParts, tooManyPending } from '../actions/submission.ts';
import type { Standing } from '../confirmations/plans.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission } from '../services.ts';
import type { LiveTasks } from './live-tasks.ts';
import { resolveParameters } from './parameters.ts';
import { afterAttempt, withStep } from './step-changes.ts';
import { createStepResults } from './step-results.ts';

/**
 * Begins attempts of steps, by the same way as any other submission: judged now, under the rules of now. The action, its prompt
 * and the step that it belongs to are stored together. Answers why there is none, if so: it was refused, or waits for the answer
 * to the plan of its task. A step whose app has to be looked up first does not begin now; `again` is called once it is known.
 */
export function createStepStart(
  context: Context,
  parts: SubmissionParts,
  { tasks, again }: { tasks: LiveTasks; again(taskId: string): void },
) {
  const begin = createBegin(context, parts);
  const { plans } = parts.confirmations;
  const results = createStepResults(context);

  function standingOf(task: TaskRow, step: StepRow, admitted: Admitted): Standing {
    return admitted.judgement.verdict === 'ask' ? plans.standingOf(task, step, admitted) : { kind: 'alone' };
  }

  return (task: TaskRow, step: StepRow): Refusal | 'waits' | undefined => {
    const resolved = resolveParameters(results, task, step);
    if (isRefusal(resolved)) return resolved;
    const submission = submissionOf(task, step, resolved);
    const appName = appToLookUp(step.actionType, resolved.parameters);
    if (appName !== undefined && !parts.apps.isKnown(appName)) {
      void parts.apps.learn(appName).then(() => again(task.id));
      return undefined;
    }
    const current = judged(submission, parts);
    if (isRefusal(current)) return current;
    const standing = standingOf(task, step, current.admitted);
    if (standing.kind === 'waits') return 'waits';
    // The task is another one now, and begins what may begin as it then is.
    if (standing.kind === 'voided') return undefined;
    const admitted = standing.kind === 'allowed' ? letThrough(current.admitted, standing) : current.admitted;
    const obstacle = tooManyPending(submission, admitted.judgement.verdict, parts);
    if (obstacle !== undefined) return obstacle;
    let takeIn: (() => void) | undefined;
    begin(submission, {
      ...current,
      admitted,
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

function letThrough(admitted: Admitted, { planId, readySinceMs }: Extract<Standing, { kind: 'allowed' }>): Admitted {
  const rule = 'The person allowed it with the plan of its task.';
  return { ...admitted, judgement: { verdict: 'allow', rule }, planId, readySinceMs };
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
