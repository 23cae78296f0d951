import type { ActionRow } from '../../store/records/actions.ts';
import type { DeviceRow } from '../../store/records/devices.ts';
import type { StepRow, TaskRow } from '../../store/records/tasks.ts';
import type { Admitted, CheckedSubmission } from '../actions/admission.ts';
import { asksForWindow, createBegin, judged, tooManyPending } from '../actions/submission.ts';
import { lookUp, needsNothing, toLookUp } from '../actions/to-look-up.ts';
import type { PlanCover } from '../confirmations/plans.ts';
import type { Clock, Context } from '../context.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Submission } from '../requester-services.ts';
import type { StepChecks } from './checked-steps.ts';
import type { LiveTasks } from './live-tasks.ts';
import { type Resolved, resolveParameters } from './parameters.ts';
import { afterAttempt, afterChange, withStep } from './step-changes.ts';
import type { StepResults } from './step-results.ts';
import type { TaskParts } from './task-parts.ts';
import type { WindowLooks } from './window-looks.ts';

/**
 * Begins attempts of steps, by the same way as any other submission: judged now, under the rules of now. The action, its prompt and
 * the step that it belongs to are stored together. Without an attempt it answers why: the step was refused, waits for the answer to
 * its plan, or waits for the agent to say which window it is about. A step whose app has to be looked up first does not begin now;
 * `again` is called once it is known.
 */
export function createStepStart(context: Context, parts: TaskParts, { tasks, looks, results, checks, again }: Beside) {
  const begin = createBegin(context, parts);
  const { plans } = parts.confirmations;

  function coverOf(task: TaskRow, step: StepRow, admitted: Admitted): PlanCover {
    return admitted.judgement.verdict === 'ask' ? plans.coverOf(task, step, admitted) : { kind: 'alone' };
  }

  function beginStep(
    task: TaskRow,
    step: StepRow,
    submission: CheckedSubmission,
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

  /** With the window as it is now, once the agent has said how that is. */
  function beginForWindow(task: TaskRow, step: StepRow, named: CheckedSubmission, { admitted }: Current) {
    const obstacle = tooManyPending(named, admitted.judgement.verdict, parts);
    if (obstacle !== undefined) return obstacle;
    const { windowId = '', risk } = admitted.assessment;
    const window = looks.take({ taskId: task.id, stepId: step.id, windowId, riskLevel: risk.level });
    if (window === undefined) return 'looks' as const;
    const submission = { ...named, window };
    const current = judged(submission, parts);
    return isRefusal(current) ? current : beginStep(task, step, submission, current);
  }

  const awaitsAgent = createAgentWaits({ ...parts, clock: context.clock }, again);

  function looksUp(task: TaskRow, step: StepRow, named: CheckedSubmission): boolean {
    const needs = toLookUp(named.checked, parts.rules.displays());
    if (!needsNothing(needs) && awaitsAgent(task.id, step.id)) return true;
    const knowsApp = needs.appName === undefined || parts.apps.isKnown(needs.appName);
    if (knowsApp && parts.paths.isKnown(needs.paths)) return false;
    void lookUp([needs], parts).then(() => again(task.id));
    return true;
  }

  return (task: TaskRow, step: StepRow, isOver: () => boolean): Refusal | NotNow | undefined => {
    const resolved = resolveParameters(results, { task, step, isOver });
    if (resolved === 'unread' || isRefusal(resolved)) return resolved;
    const submitted = submissionOf(task, step, resolved);
    const named = { ...submitted, checked: checks.check(submitted.body) };
    if (looksUp(task, step, named)) return undefined;
    const submission = asPlanned(named, step);
    const current = judged(submission, parts);
    if (isRefusal(current)) return current;
    const cover = coverOf(task, step, current.admitted);
    if (cover.kind === 'waits') return 'waits';
    // The task is another one now, and begins what may begin as it then is.
    if (cover.kind === 'voided') return undefined;
    if (cover.kind === 'allowed') {
      const admitted = letThrough(current.admitted, cover);
      return beginStep(task, step, submission, { ...current, admitted });
    }
    return asksForWindow(current.admitted)
      ? beginForWindow(task, step, named, current)
      : beginStep(task, step, submission, current);
  };
}

/** How long a step that did not get its agent is not made to wait for one again. Its attempt has failed by then. */
const WAITED_MS = 5_000;

/** Lets a step wait for an agent that is starting, once for each attempt, and as long as a submission waits. */
function createAgentWaits(
  { agentReady, clock }: Pick<TaskParts, 'agentReady'> & { clock: Clock },
  again: (taskId: string) => void,
) {
  const waits = new Map<string, 'waits' | 'waited'>();
  return (taskId: string, stepId: string): boolean => {
    const key = JSON.stringify([taskId, stepId]);
    const state = waits.get(key);
    if (state !== undefined) return state === 'waits';
    const ready = agentReady();
    if (typeof ready === 'boolean') return false;
    waits.set(key, 'waits');
    void ready.then(() => {
      waits.set(key, 'waited');
      clock.after(WAITED_MS, () => waits.delete(key));
      again(taskId);
    });
    return true;
  };
}

/** It waits for the answer to the plan, for the agent's word on its window, or for the next slice, in which more results are read. */
type NotNow = 'waits' | 'looks' | 'unread';

type Beside = {
  tasks: LiveTasks;
  looks: WindowLooks;
  results: StepResults;
  checks: Pick<StepChecks, 'check'>;
  again(taskId: string): void;
};

/** With the window that the plan of its task told the person about, if it did. */
function asPlanned(submission: CheckedSubmission, { window }: StepRow): CheckedSubmission {
  return window === undefined ? submission : { ...submission, window: { ok: true, window } };
}

type Current = { device: DeviceRow; admitted: Admitted };

/** An attempt that has failed before it was sent, because its window was not found, is tried again like any other. */
function afterBegin(task: TaskRow, step: StepRow, row: ActionRow): StepRow {
  const begun = afterAttempt(step, row);
  if (row.status !== 'failed') return begun;
  const by = { atMs: row.createdAtMs, endingSinceMs: undefined };
  const event = { kind: 'failed', attempt: row.attempt, sideEffect: 'none', effectClass: row.effectClass } as const;
  return afterChange(task, begun, { to: row, event, by });
}

function letThrough(admitted: Admitted, { planId, readySinceMs }: Extract<PlanCover, { kind: 'allowed' }>): Admitted {
  const rule = 'The person allowed it with the plan of its task.';
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
      ...(task.reason === undefined ? {} : { reason: task.reason }),
      ...(task.profile === undefined ? {} : { profile: task.profile }),
    },
    step: { taskId: task.id, stepId: step.id, taint },
    gone: NEVER_GONE,
  };
}

const NEVER_GONE = new AbortController().signal;
