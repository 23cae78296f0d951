import type { ActionLogEntry, TelemetryMetrics } from '../../contract/guardian.ts';
import { histogramQuantile, type LogHistogram } from '../../guardian/recording/log-histogram.ts';
import type { Rollup } from '../../guardian/recording/rollup.ts';
import type { ActionRow } from '../../store/actions.ts';
import { timestamp } from '../timestamps.ts';
import { type Span, windowOf } from './windows.ts';

/** What was asked for and what became of it, in numbers; `live`: the actions that have not ended. */
export function telemetryOf(
  { counters, types, ...times }: Rollup,
  span: Span,
  live: readonly ActionRow[],
): TelemetryMetrics {
  const now = Map.groupBy(live, ({ status }) => status);
  return {
    window: windowOf(span),
    actions: {
      total: counters.requested,
      byStatus: {
        awaiting_confirmation: now.get('awaiting_confirmation')?.length ?? 0,
        queued: now.get('queued')?.length ?? 0,
        running: now.get('running')?.length ?? 0,
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
    tasks: {
      total: counters.taskStarted,
      byStatus: { success: counters.taskSucceeded, failed: counters.taskFailed, cancelled: counters.taskCancelled },
      durationMs: quantilesOf(times.taskMs),
    },
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

/** An action without its contents: not what it said, read or captured, nor the caller's own words. */
export function logEntryOf(row: ActionRow, userName: string): ActionLogEntry {
  return {
    actionId: row.id,
    userId: userName,
    deviceId: row.deviceId,
    actionType: row.actionType,
    risk: row.risk.level,
    status: row.status,
    effect: row.effect,
    ...(row.error === undefined ? {} : { errorCode: row.error.code }),
    createdAt: timestamp(row.createdAtMs),
    ...(row.startedAtMs === undefined ? {} : { startedAt: timestamp(row.startedAtMs) }),
    ...(row.finishedAtMs === undefined ? {} : { finishedAt: timestamp(row.finishedAtMs) }),
    ...(row.durationMs === undefined ? {} : { durationMs: row.durationMs }),
  };
}

function quantilesOf(histogram: LogHistogram) {
  return {
    p50: histogramQuantile(histogram, 0.5),
    p95: histogramQuantile(histogram, 0.95),
    p99: histogramQuantile(histogram, 0.99),
  };
}
