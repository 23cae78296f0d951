import type { TelemetryMetrics } from '../../contract/telemetry.ts';
import { histogramQuantile, type LogHistogram } from '../../guardian/recording/log-histogram.ts';
import type { Rollup } from '../../guardian/recording/rollup.ts';
import type { ActionRow } from '../../store/actions.ts';
import type { TaskRow } from '../../store/tasks.ts';
import { shownMs } from '../rounding.ts';
import { type Span, windowOf } from './windows.ts';

/** Actions and tasks that have not ended. */
export type Unfinished = { actions: readonly ActionRow[]; tasks: readonly TaskRow[] };

/** What was asked for and what became of it, in numbers. */
export function telemetryOf(
  { counters, types, ...times }: Rollup,
  span: Span,
  unfinished: Unfinished,
): TelemetryMetrics {
  return {
    window: windowOf(span),
    actions: {
      total: counters.requested,
      byStatus: {
        ...countsOf(['awaiting_confirmation', 'queued', 'running'], unfinished.actions),
        success: counters.succeeded,
        failed: counters.failed,
        denied: counters.denied,
        expired: counters.expired,
        cancelled: counters.cancelled,
        blocked: counters.blocked,
        unknown: counters.unknown,
      },
      byType: types,
      byRisk: {
        low: counters.requestedLow,
        medium: counters.requestedMedium,
        high: counters.requestedHigh,
        critical: counters.requestedCritical,
      },
      durationMs: quantilesOf(times.executionMs),
    },
    tasks: tasksOf({ counters, taskMs: times.taskMs }, unfinished.tasks),
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

/** A task whose plan was denied ends without having begun, so its start is no measure of how many there were. */
function tasksOf(
  { counters, taskMs }: Pick<Rollup, 'counters' | 'taskMs'>,
  unfinished: Unfinished['tasks'],
): TelemetryMetrics['tasks'] {
  const byStatus = {
    ...countsOf(['pending', 'running', 'awaiting_confirmation', 'needs_attention'], unfinished),
    success: counters.taskSucceeded,
    failed: counters.taskFailed,
    cancelled: counters.taskCancelled,
  };
  const total = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  return { total, byStatus, durationMs: quantilesOf(taskMs) };
}

function countsOf(statuses: readonly string[], rows: readonly { status: string }[]): Record<string, number> {
  const byStatus = Map.groupBy(rows, ({ status }) => status);
  return Object.fromEntries(statuses.map((status) => [status, byStatus.get(status)?.length ?? 0]));
}

function quantilesOf(histogram: LogHistogram) {
  const at = (share: number) => {
    const ms = histogramQuantile(histogram, share);
    return ms === null ? null : shownMs(ms);
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
