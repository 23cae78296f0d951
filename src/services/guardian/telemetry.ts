import type { ActionStatus } from '../../contract/action.ts';
import type { TaskStatus } from '../../contract/task.ts';
import type { ActionGroups, Grouping, TelemetryMetrics } from '../../contract/telemetry.ts';
import { coverageOf } from '../../guardian/metrics/snapshot.ts';
import type { Recorded } from '../../guardian/recording/metrics.ts';
import { histogramQuantile, type LogHistogram, type Rollup } from '../../guardian/recording/rollup.ts';
import type { StoredGroup } from '../../store/guardian/action-groups.ts';
import { COUNTS_KEPT_MS } from '../../store/guardian/units.ts';
import type { Context } from '../context.ts';
import { shownMs } from '../rounding.ts';
import { timestamp } from '../steady-clock.ts';
import { DAY_MS, HOUR_MS, type Span, windowOf } from './time-windows.ts';
import type { Names, Viewer } from './viewer.ts';

/** How many actions and tasks that have not ended have a status. */
export type Unfinished = { actionsWith(status: ActionStatus): number; tasksWith(status: TaskStatus): number };

/** How many actions, tasks and prompts there were, and how they ended. */
export function telemetryOf(recorded: Recorded, span: Span, unfinished: Unfinished): TelemetryMetrics {
  const { counters, types, ...times } = recorded.rollup;
  return {
    window: windowOf(span),
    coverage: coverageOf(recorded),
    actions: {
      total: counters.requested + counters.requestRefused,
      byStatus: {
        ...Object.fromEntries(UNFINISHED_ACTIONS.map((status) => [status, unfinished.actionsWith(status)])),
        success: counters.succeeded,
        failed: counters.failed,
        denied: counters.denied,
        expired: counters.expired,
        cancelled: counters.cancelled,
        blocked: counters.blocked,
        refused: counters.requestRefused,
        unknown: counters.unknown,
      },
      byType: types,
      byRisk: {
        low: counters.requestedLow,
        medium: counters.requestedMedium + counters.requestedByAccess,
        high: counters.requestedHigh,
        critical: counters.requestedCritical,
      },
      durationMs: quantilesOf(times.executionMs),
    },
    tasks: tasksOf({ counters, taskMs: times.taskMs }, unfinished),
    confirmations: {
      total: counters.prompted,
      byOutcome: {
        allowed: counters.promptAllowed,
        denied: counters.promptDenied,
        expired: counters.promptExpired,
      },
    },
  };
}

const UNFINISHED_ACTIONS = ['awaiting_confirmation', 'queued', 'running'] as const;
const UNFINISHED_TASKS = ['pending', 'running', 'awaiting_confirmation', 'needs_attention'] as const;

/** The total sums up the ends, since a task whose plan was denied ends without a start. */
function tasksOf(
  { counters, taskMs }: Pick<Rollup, 'counters' | 'taskMs'>,
  { tasksWith }: Pick<Unfinished, 'tasksWith'>,
): TelemetryMetrics['tasks'] {
  const byStatus = {
    ...Object.fromEntries(UNFINISHED_TASKS.map((status) => [status, tasksWith(status)])),
    success: counters.taskSucceeded,
    failed: counters.taskFailed + counters.planDenied,
    cancelled: counters.taskCancelled,
  };
  const total = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  return { total, byStatus, durationMs: quantilesOf(taskMs) };
}

function quantilesOf(histogram: LogHistogram) {
  const at = (share: number) => {
    const ms = histogramQuantile(histogram, share);
    return ms === null ? null : shownMs(ms);
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }; // guard E-17
}

const LONGEST_BY_HOUR_MS = 7 * DAY_MS;

/**
 * Counts actions by shared properties. A span within the last hour is exact; a longer span is widened to full hours, an old
 * one to full days. Grouped by hour, only the last week of the span counts.
 */
export function createGroups({ store, clock }: Context, nameOf: Names['user']) {
  return (viewer: Viewer, span: Span, by: readonly Grouping[]): ActionGroups => {
    const nowMs = clock.nowMs();
    const isLate = span.fromMs >= nowMs - HOUR_MS;
    const asked = by.includes('hour')
      ? { ...span, fromMs: Math.max(span.fromMs, span.toMs - LONGEST_BY_HOUR_MS) }
      : span;
    const wide = isLate ? span : widened(asked, nowMs - asked.fromMs > COUNTS_KEPT_MS.hour ? DAY_MS : HOUR_MS);
    const groups = isLate ? store.actionGroups.lately(span, by) : store.actionGroups.inHours(wide, by);
    return {
      by: [...by],
      // Nothing happens after now, so that the hour that goes on need not be shown as over.
      window: windowOf({ ...wide, toMs: span.toMs > nowMs ? span.toMs : wide.toMs }),
      items: groups.map((group) => shown(group, (userId) => nameOf(viewer, userId))),
    };
  };
}

function widened({ fromMs, toMs }: Span, unitMs: number): Span {
  return { fromMs: Math.floor(fromMs / unitMs) * unitMs, toMs: Math.ceil(toMs / unitMs) * unitMs };
}

function shown(
  { hour, user, ...rest }: StoredGroup,
  nameOf: (userId: string) => string,
): ActionGroups['items'][number] {
  return {
    hour: timestamp(hour),
    ...(user === undefined ? {} : { user: nameOf(user) }),
    ...rest,
  };
}
