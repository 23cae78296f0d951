import type { BreakdownPart, MetricBreakdown } from '../../contract/console-series.ts';
import type { MetricType } from '../../contract/guardian.ts';
import type { Grouping } from '../../contract/telemetry.ts';
import { isCapture, isIrreversible } from '../../domain/catalogue.ts';
import type { StoredGroup } from '../../store/guardian/action-groups.ts';
import type { PromptGroup } from '../../store/guardian/prompt-groups.ts';
import { ROLLUPS_KEPT_MS } from '../../store/guardian/recording.ts';
import type { TaskGroup } from '../../store/guardian/task-groups.ts';
import type { Context } from '../context.ts';
import type { Span } from './windows.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_PARTS = 20;
const MOST_DEVICES = 500;
const NOT_TOLD_APART = 'counted before devices were told apart';

const PLAN = 'plans of several steps';

/** Actions, prompts or tasks that have something in common. */
type Group = Pick<StoredGroup, 'user' | 'type' | 'device' | 'risk' | 'count'> &
  Partial<Pick<PromptGroup, 'isElevated' | 'isHasty'> & Pick<TaskGroup, 'endedByDenial' | 'intervened'>> & {
    status?: StoredGroup['status'] | PromptGroup['status'] | TaskGroup['status'];
  };

/** The actions or prompts that a metric is about, in words and as a test of their group. `of`: those it is a share of. */
type Counting = { counted: string; matches(group: Group): boolean; of?: (group: Group) => boolean };

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

/** The hourly counts of actions do not tell retries, grants or what is new, so those metrics have none. */
const COUNTINGS: Partial<Record<MetricType, Counting>> = {
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

/** Metrics about prompts, which are counted by themselves. */
const PROMPT_COUNTINGS: Partial<Record<MetricType, Counting>> = {
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
const TASK_COUNTINGS: Partial<Record<MetricType, Counting>> = {
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

/** Counts of the actions, prompts or tasks that a metric is about, by requester, type and device; `null` where it is about none. */
export function createBreakdown({ store, clock }: Context) {
  /** A span of the last hour is exact; another one is widened to hours, an old one to days. */
  function groupsIn(span: Span, by: readonly Grouping[]): StoredGroup[] {
    const nowMs = clock.nowMs();
    if (span.fromMs >= nowMs - HOUR_MS) return store.actionGroups.lately(span, by);
    const unitMs = nowMs - span.fromMs > ROLLUPS_KEPT_MS.hour ? DAY_MS : HOUR_MS;
    const wide = {
      fromMs: Math.floor(span.fromMs / unitMs) * unitMs,
      toMs: Math.ceil(span.toMs / unitMs) * unitMs,
    };
    return store.actionGroups.inHours(wide, by);
  }

  /** Of actions or prompts. */
  function byAll(counting: Counting, groups: readonly Group[]): MetricBreakdown['groups'] {
    const names = new Map(store.devices.all(MOST_DEVICES).map(({ id, name }) => [id, name]));
    const nameOf = (id: string) => (id === '' ? NOT_TOLD_APART : (names.get(id) ?? id));
    return [
      ...byRequester(counting, groups),
      { by: 'type', ...partsOf(groups, { counting, keyOf: ({ type = '' }) => type }) },
      { by: 'device', ...partsOf(groups, { counting, keyOf: ({ device = '' }) => device, nameOf }) },
    ];
  }

  function counted(metric: MetricType, span: Span) {
    const [ofActions, ofPrompts, ofTasks] = [COUNTINGS[metric], PROMPT_COUNTINGS[metric], TASK_COUNTINGS[metric]];
    if (ofActions !== undefined) {
      const groups = groupsIn(span, ['user', 'type', 'device', 'risk', 'status']);
      return { counting: ofActions, groups: byAll(ofActions, groups) };
    }
    if (ofPrompts !== undefined)
      return { counting: ofPrompts, groups: byAll(ofPrompts, store.promptGroups.in(span).map(promptGroup)) };
    return ofTasks && { counting: ofTasks, groups: byRequester(ofTasks, store.taskGroups.in(span)) };
  }

  return (metric: MetricType, span: Span): MetricBreakdown | null => {
    const found = counted(metric, span);
    if (found === undefined) return null;
    const { counting, groups } = found;
    return { counted: counting.counted, isShare: counting.of !== undefined, groups };
  };
}

function byRequester(counting: Counting, groups: readonly Group[]): MetricBreakdown['groups'] {
  return [{ by: 'requester', ...partsOf(groups, { counting, keyOf: ({ user = '' }) => user }) }];
}

function promptGroup({ type, device, ...group }: PromptGroup): Group {
  return { ...group, type: type ?? PLAN, device: device ?? PLAN };
}

type Partition = { counting: Counting; keyOf(group: Group): string; nameOf?(key: string): string };

function partsOf(groups: readonly Group[], { counting, keyOf, nameOf = (key) => key }: Partition) {
  const { matches, of = matches } = counting;
  const parts = [...Map.groupBy(groups.filter(of), keyOf)].map(
    ([key, alike]): BreakdownPart => ({
      key,
      name: nameOf(key),
      count: sum(alike.filter(matches)),
      total: sum(alike),
    }),
  );
  const items = parts.toSorted((one, other) => other.count - one.count || other.total - one.total);
  return { items: items.slice(0, MOST_PARTS), others: Math.max(0, items.length - MOST_PARTS) };
}

function sum(groups: readonly Group[]): number {
  return groups.reduce((total, { count }) => total + count, 0);
}
