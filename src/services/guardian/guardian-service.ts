import type { ConsoleSeries, OutcomeSeries } from '../../contract/console-series.ts';
import type { Insight, MetricList, MetricSeries, MetricType, Trend } from '../../contract/guardian.ts';
import type { GuardianDashboard, KnownCause, RiskCause } from '../../contract/risk.ts';
import type {
  ActionLogEntry,
  Grouping,
  RequesterToday,
  TaskLogEntry,
  TelemetryMetrics,
} from '../../contract/telemetry.ts';
import type { Refusal } from '../refusal.ts';
import type { Page, PageRequest } from '../work/pages.ts';
import type { WindowRequest } from './time-windows.ts';
import type { Viewer } from './viewer.ts';

export type InsightFilter = {
  severity?: string[];
  category?: string[];
  actionable?: boolean;
  sinceMs?: number;
  limit: number;
};

/**
 * Read-only, except for the person's decisions on insights. User names are pseudonyms, except to the person and to the users
 * themselves.
 */
export type GuardianService = {
  metrics(request: WindowRequest, type?: string[]): MetricList;
  series(type: MetricType, request: WindowRequest, points: number): MetricSeries;
  /** Metrics over at most so many parts of a window, for the person; `breakdownOf`: with the counts that make up this metric. */
  consoleSeries(
    request: WindowRequest,
    wanted: { types: readonly MetricType[]; points: number; withUsual: boolean; breakdownOf: MetricType | undefined },
  ): ConsoleSeries;
  /** The outcomes of actions in at most so many parts of a window. */
  outcomes(request: WindowRequest, points: number): OutcomeSeries;
  /** With `by`, also the number of actions per group. */
  telemetry(viewer: Viewer, request: WindowRequest, by?: readonly Grouping[]): TelemetryMetrics;
  actionLog(viewer: Viewer, page: PageRequest & { sinceMs?: number }): Promise<Page<ActionLogEntry> | Refusal>;
  taskLog(viewer: Viewer, page: PageRequest & { sinceMs?: number }): Promise<Page<TaskLogEntry> | Refusal>;
  /** How often everything has happened since the beginning, or in the last five years. */
  totals(): { events: Record<string, number>; requestsByType: Record<string, number> };
  /** One for each metric and window, active or not. */
  trends(windows?: string[]): Trend[];
  insights(viewer: Viewer, filter: InsightFilter): Insight[];
  /** The person knows of an insight. */
  acknowledge(insightId: string): Insight | Refusal;
  /** One line for each requester of today, with its days before. */
  requesters(viewer: Viewer): RequesterToday[];
  /** Causes of risk that the person has marked as known. */
  knownCauses(): KnownCause[];
  markKnown(cause: RiskCause, mark: { untilMs: number }): KnownCause | Refusal;
  unmarkKnown(cause: RiskCause): undefined | Refusal;
  dashboard(viewer: Viewer, request: WindowRequest): GuardianDashboard;
};
