import type { StepSubmission, TaskSubmission } from '../../contract/task.ts';
import { canonicalJson, canonicalObject } from '../../domain/canonical-json.ts';
import { CATALOGUE } from '../../domain/catalogue.ts';
import { referencesIn } from '../../domain/task-graph.ts';
import { type CheckedAction, canonicalSubmission, checkAction } from '../actions/checked-action.ts';
import type { SubmissionParts } from '../actions/submission-parts.ts';
import type { Confirmations } from '../confirmations/confirmations.ts';
import type { Refusal } from '../refusal.ts';
import type { Submission, TaskCall } from '../requester-services.ts';

/** A step as the submission of an action. `open`: its parameters come from earlier results, so they are checked at its turn. */
export type CheckedStep = { step: StepSubmission; named: Submission; checked: CheckedAction | Refusal | 'open' };

/** The submission of a task whose steps were checked. */
export type CheckedCall = TaskCall & { steps: readonly CheckedStep[] };

export type StepChecks = ReturnType<typeof createStepChecks>;

/**
 * Checks the steps of tasks. A step keeps the parameters that were checked when its task was accepted, so they are not checked
 * again while the task is in memory.
 */
export function createStepChecks() {
  const known = new WeakMap<object, { actionType: string; checked: CheckedAction | Refusal }>();

  function check({ actionType, parameters }: Pick<StepSubmission, 'actionType' | 'parameters'>) {
    const before = known.get(parameters);
    if (before?.actionType === actionType) return before.checked;
    const checked = checkAction({ actionType, parameters });
    known.set(parameters, { actionType, checked });
    return checked;
  }

  return {
    check,
    checkSteps(call: TaskCall): CheckedCall {
      const { userId, body } = call;
      const steps = body.steps.map((step) => {
        const isOpen = CATALOGUE.has(step.actionType) && referencesIn(step.parameters).length > 0;
        return { step, named: submissionOf(userId, body, step), checked: isOpen ? ('open' as const) : check(step) };
      });
      return { ...call, steps };
    },
  };
}

function submissionOf(userId: string, task: TaskSubmission, step: StepSubmission): Submission {
  const { actionType, targetDeviceId, parameters } = step;
  return {
    userId,
    body: { actionType, targetDeviceId, parameters, profile: task.profile },
    isStep: true,
    gone: new AbortController().signal,
  };
}

/** The body of the submission as canonical JSON. */
export function canonicalTask({ body, steps }: CheckedCall): string {
  const { steps: _steps, ...rest } = body;
  const members = Object.entries(rest).map(([name, value]) => [name, canonicalJson(value)]);
  const texts = steps.map(({ step, checked }) => canonicalSubmission(step, checked));
  return canonicalObject({ ...Object.fromEntries(members), steps: `[${texts.join(',')}]` });
}

/** The parts that tasks need of the other services: those of their actions, and the prompts with the plans. */
export type TaskParts = SubmissionParts & { confirmations: Confirmations };
