import type { EffectClass } from '../contract/action.ts';
import type { OnFailure, RunIf, StepStatus, TaskStatus } from '../contract/task.ts';

/** Steps of one task under way at once. */
export const MAX_STEPS_UNDER_WAY = 4;

/** A step as the schedule sees it. */
export type ScheduledStep = {
  id: string;
  deviceId: string;
  effectClass: EffectClass;
  dependsOn: readonly string[];
  runIf: RunIf;
  status: StepStatus;
  /** Begun and not ended: it has an action that waits, asks or runs, or will have another attempt. Not while it waits for a plan. */
  isUnderWay: boolean;
};

export type Plan = { start: string[]; skip: string[] };

const FAILURES: ReadonlySet<StepStatus> = new Set(['failed', 'denied', 'expired', 'blocked', 'cancelled']);
/** `unknown` is missing because the person has yet to report the outcome. */
const ENDED: ReadonlySet<StepStatus> = new Set(['success', 'skipped', ...FAILURES]);

/** Not begun, unless it is under way. */
const NOT_BEGUN: ReadonlySet<StepStatus> = new Set(['pending', 'awaiting_confirmation']);

export function isStepEnded(status: StepStatus): boolean {
  return ENDED.has(status);
}

/**
 * The steps that may begin now, and the steps that will never run. A failure under `stop` skips every step that has not
 * begun, except steps with `runIf` `failure` or `always`.
 */
export function planSteps(steps: readonly ScheduledStep[], onFailure: OnFailure): Plan {
  const statuses = new Map(steps.map(({ id, status }) => [id, status]));
  const waiting = steps.filter(({ status, isUnderWay }) => !isUnderWay && NOT_BEGUN.has(status));
  const isStopped = onFailure === 'stop' && steps.some(({ status }) => FAILURES.has(status));
  const skip = skipped(waiting, { statuses, isStopped });
  const ready = waiting.filter(
    (step) => step.status === 'pending' && !skip.includes(step.id) && outlook(step, statuses) === 'true',
  );
  return { start: starters(steps, ready), skip };
}

/** The status of a task, derived from its steps and nothing else. */
export function taskStatusOf(steps: readonly Pick<ScheduledStep, 'status' | 'isUnderWay'>[]): TaskStatus {
  const has = (...statuses: StepStatus[]) => steps.some(({ status }) => statuses.includes(status));
  if (has('unknown')) return 'needs_attention';
  if (has('running')) return 'running';
  if (has('awaiting_confirmation')) return 'awaiting_confirmation';
  if (has('pending')) return steps.every(({ status }) => status === 'pending') ? 'pending' : 'running';
  if (has('cancelled')) return 'cancelled';
  return has(...FAILURES) ? 'failed' : 'success';
}

/** A step that is skipped may settle the condition of others, so this goes on until nothing changes. */
function skipped(
  waiting: readonly ScheduledStep[],
  { statuses, isStopped }: { statuses: Map<string, StepStatus>; isStopped: boolean },
): string[] {
  const skip: string[] = [];
  const isHopeless = (step: ScheduledStep) =>
    outlook(step, statuses) === 'false' || (isStopped && step.runIf === 'success');
  for (;;) {
    const next = waiting.find((step) => statuses.get(step.id) !== 'skipped' && isHopeless(step));
    if (next === undefined) return skip;
    statuses.set(next.id, 'skipped');
    skip.push(next.id);
  }
}

/** Whether the condition of a step is true, can no longer become true, or is still open. */
function outlook(step: ScheduledStep, statuses: ReadonlyMap<string, StepStatus>): 'true' | 'false' | 'open' {
  const before = step.dependsOn.map((id) => statuses.get(id) ?? 'pending');
  const areEnded = before.every(isStepEnded);
  switch (step.runIf) {
    case 'success':
      if (before.some((status) => isStepEnded(status) && status !== 'success')) return 'false';
      return areEnded ? 'true' : 'open';
    case 'failure':
      if (!areEnded) return 'open';
      return before.some((status) => FAILURES.has(status)) ? 'true' : 'false';
    case 'always':
      return areEnded ? 'true' : 'open';
  }
}

function starters(steps: readonly ScheduledStep[], ready: readonly ScheduledStep[]): string[] {
  const underWay = steps.filter((step) => step.isUnderWay);
  const begun: ScheduledStep[] = [];
  for (const step of ready) {
    const beside = [...underWay, ...begun];
    if (beside.length >= MAX_STEPS_UNDER_WAY) break;
    const isAlone = beside.every((other) => other.effectClass !== 'once' || other.deviceId !== step.deviceId);
    if (step.effectClass !== 'once' || isAlone) begun.push(step);
  }
  return begun.map(({ id }) => id);
}
