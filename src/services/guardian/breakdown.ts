import type { BreakdownPart, MetricBreakdown } from '../../contract/console-series.ts';
import type { MetricType } from '../../contract/guardian.ts';
import type { Grouping } from '../../contract/telemetry.ts';
import type { StoredGroup } from '../../store/guardian/action-groups.ts';
import { MARKS_KEPT_MS } from '../../store/guardian/action-marks.ts';
import type { PromptGroup } from '../../store/guardian/prompt-groups.ts';
import { ROLLUPS_KEPT_MS } from '../../store/guardian/recording.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';
import {
  COUNTINGS,
  type Counted,
  countedBy,
  countedByMarks,
  type Group,
  MARK_COUNTINGS,
  type MarkCounting,
  PROMPT_COUNTINGS,
  TASK_COUNTINGS,
} from './countings.ts';
import type { Span } from './windows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MOST_PARTS = 20;
const MOST_DEVICES = 500;

const PLAN = 'plans of several steps';

/** Counts of the actions, prompts or tasks that a metric is about, by requester, type and device; `null` where it is about none. */
export function createBreakdown({ store, clock }: Context) {
  const isLate = ({ fromMs }: Span) => fromMs >= clock.nowMs() - HOUR_MS;

  /** A span of the last hour is exact; another one is widened to hours, an old one to days. */
  function groupsIn(span: Span, by: readonly Grouping[]): StoredGroup[] {
    if (isLate(span)) return store.actionGroups.lately(span, by);
    const unitMs = clock.nowMs() - span.fromMs > ROLLUPS_KEPT_MS.hour ? DAY_MS : HOUR_MS;
    return store.actionGroups.inHours(widened(span, unitMs), by);
  }

  /** Groups actions or prompts by requester, type and device. */
  function byAll(counted: readonly Counted[]): MetricBreakdown['groups'] {
    const names = new Map(store.devices.all(MOST_DEVICES).map(({ id, name }) => [id, name]));
    const nameOf = (id: string) => names.get(id) ?? id;
    return [
      ...byRequester(counted),
      { by: 'type', ...partsOf(counted, { keyOf: ({ type = '' }) => type }) },
      { by: 'device', ...partsOf(counted, { keyOf: ({ device = '' }) => device, nameOf }) },
    ];
  }

  /** Groups marked actions, in the part of a span that has counted marks. */
  function ofMarks(counting: MarkCounting, span: Span): MetricBreakdown {
    const [unit, unitMs] = isLate(span) ? (['minute', MINUTE_MS] as const) : (['hour', HOUR_MS] as const);
    const wide = widened(span, unitMs);
    const knownMs = clock.nowMs() - MARKS_KEPT_MS[unit];
    const fromMs = Math.max(wide.fromMs, Math.ceil(knownMs / unitMs) * unitMs);
    const counted = { fromMs, toMs: Math.max(fromMs, wide.toMs) };
    const requested = counting.of === 'requested' ? groupsIn(counted, ['user', 'type', 'device']) : [];
    const marked = store.recording.marked.in(unit, counted);
    return {
      counted: counting.counted,
      isShare: counting.of !== undefined,
      groups: byAll(countedByMarks(counting, { marked, requested })),
      ...(fromMs > wide.fromMs && { from: timestamp(fromMs) }),
    };
  }

  return (metric: MetricType, span: Span): MetricBreakdown | null => {
    const [ofActions, ofPrompts, ofTasks] = [COUNTINGS[metric], PROMPT_COUNTINGS[metric], TASK_COUNTINGS[metric]];
    const marks = MARK_COUNTINGS[metric];
    if (marks !== undefined) return ofMarks(marks, span);
    const counting = ofActions ?? ofPrompts ?? ofTasks;
    if (counting === undefined) return null;
    const { counted, of } = counting;
    const words = { counted, isShare: of !== undefined };
    if (ofTasks !== undefined) return { ...words, groups: byRequester(countedBy(ofTasks, store.taskGroups.in(span))) };
    const groups =
      ofPrompts === undefined
        ? groupsIn(span, ['user', 'type', 'device', 'risk', 'status'])
        : store.promptGroups.in(span).map(promptGroup);
    return { ...words, groups: byAll(countedBy(counting, groups)) };
  };
}

function widened({ fromMs, toMs }: Span, unitMs: number): Span {
  return { fromMs: Math.floor(fromMs / unitMs) * unitMs, toMs: Math.ceil(toMs / unitMs) * unitMs };
}

function byRequester(counted: readonly Counted[]): MetricBreakdown['groups'] {
  return [{ by: 'requester', ...partsOf(counted, { keyOf: ({ user = '' }) => user }) }];
}

function promptGroup({ type, device, ...group }: PromptGroup): Group {
  return { ...group, type: type ?? PLAN, device: device ?? PLAN };
}

type Partition = { keyOf(counted: Counted): string; nameOf?(key: string): string };

function partsOf(counted: readonly Counted[], { keyOf, nameOf = (key) => key }: Partition) {
  const parts = [...Map.groupBy(counted, keyOf)].map(
    ([key, alike]): BreakdownPart => ({
      key,
      name: nameOf(key),
      count: sum(alike.map(({ count }) => count)),
      total: sum(alike.map(({ total }) => total)),
    }),
  );
  const items = parts.toSorted((one, other) => other.count - one.count || other.total - one.total);
  return { items: items.slice(0, MOST_PARTS), others: Math.max(0, items.length - MOST_PARTS) };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
