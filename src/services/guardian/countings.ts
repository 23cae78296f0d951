import type { MetricType } from '../../contract/guardian.ts';
import { isCapture, isIrreversible } from '../../domain/catalogue.ts';
import type { StoredGroup } from '../../store/guardian/action-groups.ts';
import type { Mark, MarkGroup } from '../../store/guardian/action-marks.ts';
import type { PromptGroup } from '../../store/guardian/prompt-groups.ts';
import type { TaskGroup } from '../../store/guardian/task-groups.ts';

/** Actions, prompts or tasks that have something in common. */
export type Group = Pick<StoredGroup, 'user' | 'type' | 'device' | 'risk' | 'count'> &
  Partial<Pick<PromptGroup, 'isElevated' | 'isHasty'> & Pick<TaskGroup, 'endedByDenial' | 'intervened'>> & {
    status?: StoredGroup['status'] | PromptGroup['status'] | TaskGroup['status'];
  };

/** The actions, prompts or tasks that a metric is about, in words and as a test of their group. `of`: those it is a share of. */
export type Counting = { counted: string; matches(group: Group): boolean; of?: (group: Group) => boolean };

/** The marks of actions that a metric counts. `of`: a mark that it is a share of, or all requested actions. */
export type MarkCounting = { counted: string; marks: readonly Mark[]; of?: Mark | 'requested' };

const isAny = () => true;
const hasStatus =
  (...statuses: string[]) =>
  ({ status }: Group) =>
    status !== undefined && statuses.includes(status);
const wasExecuted = hasStatus('success', 'failed', 'unknown');
const isElevated = ({ risk }: Group) => risk !== 'low';
const isHigh = ({ risk }: Group) => risk === 'high' || risk === 'critical';
const showsScreen = ({ type }: Group) => type !== undefined && isCapture(type);
const cannotBeUndone = ({ type }: Group) => type !== undefined && isIrreversible(type);

/** Metrics about actions, by their rows and hourly counts. */
export const COUNTINGS: Partial<Record<MetricType, Counting>> = {
  action_rate: { counted: 'Actions requested', matches: isAny },
  action_burst_peak: { counted: 'Actions requested', matches: isAny },
  action_diversity: { counted: 'Actions requested', matches: isAny },
  action_success_rate: {
    counted: 'Actions that succeeded',
    matches: hasStatus('success'),
    of: hasStatus('success', 'failed'),
  },
  action_latency_p95: { counted: 'Actions that ended', matches: hasStatus('success', 'failed') },
  elevated_action_share: { counted: 'Requested actions of medium risk or above', matches: isElevated, of: isAny },
  high_risk_executions: {
    counted: 'Actions of high or critical risk that ran',
    matches: (group) => isHigh(group) && wasExecuted(group),
  },
  irreversible_executions: {
    counted: 'Actions that ran and cannot be undone',
    matches: (group) => cannotBeUndone(group) && wasExecuted(group),
  },
  screen_capture_rate: {
    counted: 'Pictures and descriptions of the screen',
    matches: (group) => showsScreen(group) && wasExecuted(group),
  },
  denied_action_share: { counted: 'Actions blocked or denied', matches: hasStatus('blocked', 'denied'), of: isAny },
};

/** Metrics about actions for something that their rows do not tell: the recorder marks those as it counts them. */
export const MARK_COUNTINGS: Partial<Record<MetricType, MarkCounting>> = {
  action_retry_rate: {
    counted: 'Retries, and requests that repeat the same request within ten minutes',
    marks: ['retried', 'repeated'],
    of: 'requested',
  },
  novel_action_share: {
    counted: 'Requests for a combination of requester, action type and app that was new',
    marks: ['novel'],
    of: 'requested',
  },
  standing_grant_share: {
    counted: 'Actions of medium risk or above that ran under a grant',
    marks: ['executedByGrant'],
    of: 'executedElevated',
  },
  control_violations: {
    counted: 'Actions that ran, were approved or ended without the decision that must come before',
    marks: ['uncontrolled'],
  },
};

/** Metrics about prompts, which are counted by themselves. */
export const PROMPT_COUNTINGS: Partial<Record<MetricType, Counting>> = {
  confirmation_prompt_rate: { counted: 'Prompts', matches: isAny },
  confirmation_approval_rate: {
    counted: 'Answered prompts that you allowed',
    matches: hasStatus('allowed'),
    of: hasStatus('allowed', 'denied'),
  },
  confirmation_expiry_rate: { counted: 'Prompts that expired', matches: hasStatus('expired'), of: isAny },
  confirmation_response_p50: { counted: 'Prompts that were answered', matches: hasStatus('allowed', 'denied') },
  hasty_approval_share: {
    counted: 'Approvals of medium risk or above that took less than 2 s',
    matches: ({ isHasty }) => isHasty === true,
    of: (group) => group.isElevated === true && hasStatus('allowed')(group),
  },
};

/** Metrics about tasks. A task may use several types of actions and several devices, so its requester alone is told. */
export const TASK_COUNTINGS: Partial<Record<MetricType, Counting>> = {
  task_success_rate: {
    counted: 'Tasks that succeeded',
    matches: hasStatus('success'),
    of: (group) => hasStatus('success', 'failed')(group) && group.endedByDenial !== true,
  },
  task_duration_p95: { counted: 'Tasks that ended', matches: hasStatus('success', 'failed', 'cancelled') },
  human_intervention_rate: {
    counted: 'Tasks that you stopped, or of which you stopped a step',
    matches: ({ intervened }) => intervened === true,
    of: isAny,
  },
};

/** One requester, type and device, with how many of its actions, prompts or tasks count, and how many could. */
export type Counted = Pick<Group, 'user' | 'type' | 'device'> & { count: number; total: number };

/** Groups as a metric counts them. */
export function countedBy({ matches, of = matches }: Counting, groups: readonly Group[]): Counted[] {
  return groups.filter(of).map((group) => ({ ...group, count: matches(group) ? group.count : 0, total: group.count }));
}

/** Marked actions as a metric counts them. `requested`: all actions that were requested, where it is a share of those. */
export function countedByMarks(
  { marks, of }: MarkCounting,
  { marked, requested }: { marked: readonly MarkGroup[]; requested: readonly Group[] },
): Counted[] {
  const counted = marked.map((group): Counted => {
    const count = marks.reduce((sum, mark) => sum + group[mark], 0);
    const { user, type, device } = group;
    if (of === 'requested') return { user, type, device, count, total: 0 };
    return { user, type, device, count, total: of === undefined ? count : group[of] };
  });
  const all = requested.map(({ count, ...group }): Counted => ({ ...group, count: 0, total: count }));
  return [...counted, ...all].filter(({ count, total }) => count + total > 0);
}
