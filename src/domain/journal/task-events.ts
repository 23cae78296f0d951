import { CancelReason } from '../../contract/link.ts';
import { RISK_LEVELS } from '../../contract/risk-level.ts';
import { STEP_STATUSES, TASK_STATUSES, UnknownResolution } from '../../contract/task.ts';
import { amount, flag, nullable, oneOf, optional, text, texts } from './facts.ts';

const TASK = { taskId: text };

/** `because`: why the plan ended by itself. `heldMs`: for how long a denial was held back before it was recorded. */
const PLAN_END = { ...TASK, because: optional(text), heldMs: optional(amount) };

/**
 * `steps`: how many it has; `succeeded`: how many of them succeeded so far. `workedMs`: without the time it waited for the person. `by`: who cancelled it. `because`
 * is `denied` where the person denied it, `interrupted` where they took the mouse. `intervened`: the person cancelled it, or a step of it, after it had begun.
 */
const TASK_CHANGE = {
  ...TASK,
  status: oneOf(TASK_STATUSES),
  steps: amount,
  succeeded: amount,
  workedMs: optional(amount),
  by: optional(text),
  because: optional(text),
  intervened: optional(flag),
};

/** The life of a task, of its steps, and of the prompt for its plan. They name the requester. */
export const TASK_EVENTS = {
  'task.submitted': { ...TASK, steps: amount, types: texts },
  'task.started': TASK,
  'task.needs_attention': TASK_CHANGE,
  'task.ended': TASK_CHANGE,
  'task.cancel_requested': { ...TASK, because: oneOf(CancelReason.enum), by: text },
  /** `stepStatus` is not called `status`, which is of the task. */
  'task.step_changed': {
    ...TASK,
    stepId: text,
    stepStatus: oneOf(STEP_STATUSES),
    attempts: amount,
    recoveries: amount,
  },
  /** The person said what became of a step whose outcome is unknown. */
  'task.step_resolved': { ...TASK, stepId: text, resolution: oneOf(UnknownResolution.enum) },
  /** `steps`: the ids of the steps that ask, with their action types. */
  'task.plan_asked': { ...TASK, digest: text, risk: oneOf(RISK_LEVELS), steps: texts, types: texts },
  'task.plan_allowed': {
    ...PLAN_END,
    scope: optional(text),
    presence: optional(nullable(text)),
    waitedMs: optional(amount),
  },
  'task.plan_denied': PLAN_END,
  'task.plan_expired': PLAN_END,
  /** No step needs the answer now. */
  'task.plan_withdrawn': PLAN_END,
  /** The plan has changed since it was asked about, so that no approval of it holds. */
  'task.plan_voided': PLAN_END,
};
