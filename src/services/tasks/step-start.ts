import { keyOf } from '../../contract/targets.ts';
import type { ActionRow } from '../../store/records/actions.ts';
import type { DeviceRow } from '../../store/records/devices.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { Admitted, SightedSubmission } from '../actions/admission.ts';
import { createBegin, judged, tooManyPending } from '../actions/submission.ts';
import type { PlanCover } from '../confirmations/plans.ts';
import type { Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission } from '../requester-services.ts';
import type { Sight } from '../targets/sight.ts';
import type { StepChecks } from './checked-steps.ts';
import type { LiveTasks } from './live-tasks.ts';
import { type Resolved, resolveParameters } from './parameters.ts';
import { afterAttempt, afterChange, withStep } from './step-changes.ts';
import type { StepResults } from './step-results.ts';
import type { StepSights } from './step-sights.ts';
import type { TaskParts } from './task-parts.ts';

/**
 * Begins attempts of steps, by the same way as any other submission: judged now, under the rules of now. The action, its prompt
 * and the step that it belongs to are stored together. Answers why there is none, if so: it was refused, or waits for the answer
 * to the plan of its task. A step whose targets have to be looked at first does not begin now.
 */
export function createStepStart(context: Context, parts: TaskParts, { tasks, sights, results, checks }: Beside) {
  const begin = createBegin(context, parts);
  const { plans } = parts.confirmations;

  function coverOf(task: TaskRow, step: StepRow, admitted: Admitted): PlanCover {
    if (admitted.judgement.verdict !== 'ask') return { kind: 'alone' };
    // A program that reads the code before the person does gets the person's session.
    if (admitted.assessment.showsContents === true && parts.rules.isCodeGood()) return { kind: 'alone' };
    return task.procedure?.grantId === undefined
      ? plans.coverOf(task, step, admitted)
      : plans.coverOfProcedure(task.procedure, step, { ...admitted, userId: task.userId });
  }

  function beginStep(
    task: TaskRow,
    step: StepRow,
    submission: SightedSubmission,
    current: Current,
  ): Refusal | undefined {
    const obstacle = tooManyPending(submission, current.admitted.judgement.verdict, parts);
    if (obstacle !== undefined) return obstacle;
    let takeIn: (() => void) | undefined;
    begin(submission, {
      ...current,
      companion: {
        write(row) {
          takeIn = tasks.stage(task, withStep(task, afterBegin(task, step, row)), row.createdAtMs);
        },
        stored: () => takeIn?.(),
      },
    });
    return undefined;
  }

  return (task: TaskRow, step: StepRow, isOver: () => boolean): Refusal | NotNow | undefined => {
    const resolved = resolveParameters(results, { task, step, isOver });
    if (resolved === 'unread' || isRefusal(resolved)) return resolved;
    const submitted = submissionOf(task, step, resolved);
    const checked = checks.check(submitted.body);
    const sight = sights.take({
      taskId: task.id,
      stepId: step.id,
      userId: task.userId,
      deviceId: step.deviceId,
      checked,
      known: plannedWindows(step),
    });
    // The task is looked at again once the agent has looked.
    if (sight === undefined) return undefined;
    const submission = { ...submitted, checked, sight };
    const current = judged(submission, parts);
    if (isRefusal(current)) return current;
    const cover = coverOf(task, step, current.admitted);
    if (cover.kind === 'waits') return 'waits';
    // The task is another one now, and begins what may begin as it then is.
    if (cover.kind === 'voided') return undefined;
    const admitted =
      cover.kind === 'allowed' || cover.kind === 'granted' ? letThrough(current.admitted, cover) : current.admitted;
    return beginStep(task, step, submission, { ...current, admitted });
  };
}

/** It waits for the answer to the plan, or for the next slice, in which more results are read. */
type NotNow = 'waits' | 'unread';

type Beside = {
  tasks: LiveTasks;
  sights: StepSights;
  results: StepResults;
  checks: Pick<StepChecks, 'check'>;
};

/** The windows that the plan of its task told the person about. They stay; the agent refuses one that has changed. */
function plannedWindows({ targets = [] }: StepRow): Sight {
  return new Map(targets.filter(({ kind }) => kind === 'window').map((target) => [keyOf(target), target]));
}

type Current = { device: DeviceRow; admitted: Admitted };

/** An attempt that has failed before it was sent, because a target was not there, is tried again like any other. */
function afterBegin(task: TaskRow, step: StepRow, row: ActionRow): StepRow {
  const begun = afterAttempt(step, row);
  if (row.status !== 'failed') return begun;
  const by = { atMs: row.createdAtMs, endingSinceMs: undefined };
  const event = { kind: 'failed', attempt: row.attempt, sideEffect: 'none', effectClass: row.effectClass } as const;
  return afterChange(task, begun, { to: row, event, by });
}

function letThrough(admitted: Admitted, cover: Extract<PlanCover, { kind: 'allowed' | 'granted' }>): Admitted {
  if (cover.kind === 'granted')
    return { ...admitted, judgement: { verdict: 'allow', rule: cover.rule }, grantId: cover.grantId };
  const rule = 'The person allowed it with the plan of its task.';
  const { planId, readySinceMs } = cover;
  return { ...admitted, judgement: { verdict: 'allow', rule }, planId, readySinceMs };
}

function submissionOf(task: TaskRow, step: StepRow, { parameters, taint }: Resolved): Submission {
  return {
    userId: task.userId,
    body: {
      targetDeviceId: step.deviceId,
      actionType: step.actionType,
      parameters,
      timeoutMs: step.timeoutMs,
      reason: task.reason,
      profile: task.profile,
    },
    step: { taskId: task.id, stepId: step.id, taint },
    gone: NEVER_GONE,
  };
}

const NEVER_GONE = new AbortController().signal;
