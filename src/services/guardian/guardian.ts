import type { MetricSnapshot } from '../../contract/guardian.ts';
import type { GuardianDashboard } from '../../contract/risk.ts';
import type { DriftFacts } from '../../guardian/insights/facts.ts';
import { DRIFT_DAYS, FAILURES } from '../../guardian/insights/operation.ts';
import { DAY_MS, daysBefore, HOUR_MS, startOfDay } from '../../guardian/metrics/local-time.ts';
import { snapshots } from '../../guardian/metrics/snapshot.ts';
import type { Recorded } from '../../guardian/recording/metrics.ts';
import { isActive } from '../../guardian/trends/trend.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { AgentPort } from '../agent/port.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../steady-clock.ts';
import { createAssessment } from './assessment.ts';
import { createCharts } from './charts.ts';
import { createFacts } from './facts.ts';
import type { GuardianService } from './guardian-service.ts';
import { createInsights } from './insights.ts';
import { createLogs } from './logs.ts';
import { createRemembered } from './remembered.ts';
import type { RequesterLines } from './requester-lines.ts';
import { shownMetric } from './shown.ts';
import { createGroups, telemetryOf, type Unfinished } from './telemetry.ts';
import { createWindows, MINUTE_MS, type Span, type Windows, windowOf } from './time-windows.ts';
import { createTrends } from './trends.ts';
import { createUsualWindows } from './usual-windows.ts';
import { createNames, type Viewer } from './viewer.ts';
import { toDoNow } from './warnings.ts';

type Parts = {
  port: AgentPort;
  live: Pick<LiveActions, 'countOf'>;
  tasks: { unfinishedCount: Unfinished['tasksWith'] };
  pausedAt(): string | undefined;
  lines: RequesterLines;
};

type Watching = {
  /** Assesses the risk, looks for insights, and notifies the person; to be called every minute. */
  lookAround(): void;
};

/** Guardian's answers to `http`, and the watch behind them. */
export function createGuardian(context: Context, parts: Parts): GuardianService & Watching {
  const { clock } = context;
  const windows = createWindows(context);
  const names = createNames(context);
  const groups = createGroups(context, names.user);
  const usualIn = createUsualWindows(windows);
  const trends = createTrends(context, { windows, usualIn });
  const assessment = createAssessment(context, {
    port: parts.port,
    names,
    windows,
    usualIn,
    metricsIn,
    signsAt: (toMs) => insights.signsAt(toMs),
  });
  const { knownCauses } = assessment;
  const insights = createWatchedInsights(context, { windows, names, ...parts });

  function metricsIn(span: Span, recorded = windows.recorded(span)): MetricSnapshot[] {
    return snapshots({ recorded, window: windowOf(span), medianOf: usualIn(span).medianOf });
  }

  function dashboard(viewer: Viewer, span: Span): GuardianDashboard {
    const assessed = assessment.assess(span);
    return {
      generatedAt: timestamp(clock.nowMs()),
      window: windowOf(span),
      risk: assessment.summaryOf(assessed, viewer),
      warnings: assessment.warningsOf(
        assessed,
        toDoNow(context, { ...parts, nameOf: (userId) => names.user(viewer, userId) }),
      ),
      insights: insights.list(viewer, { limit: 50 }),
      trends: trends().filter(isActive),
      metrics: assessed.metrics.map(shownMetric),
    };
  }

  function lookAround(): void {
    insights.watch();
    assessment.watch(toDoNow(context, { ...parts, nameOf: (userId) => userId }));
  }

  return {
    metrics(request, type) {
      const span = windows.spanOf(request);
      const items = metricsIn(span);
      const wanted = type === undefined ? items : items.filter((item) => type.includes(item.type));
      return { window: windowOf(span), items: wanted.map(shownMetric) };
    },
    ...createCharts(context, windows),
    telemetry(viewer, request, by) {
      const span = windows.spanOf(request);
      const unfinished = { actionsWith: parts.live.countOf, tasksWith: parts.tasks.unfinishedCount };
      const telemetry = telemetryOf(windows.recorded(span), span, unfinished);
      return by === undefined ? telemetry : { ...telemetry, groups: groups(viewer, span, by) };
    },
    ...createLogs(context, names),
    totals: () => totalsOf(context),
    trends,
    insights: insights.list,
    acknowledge: insights.acknowledge,
    knownCauses: knownCauses.list,
    markKnown: knownCauses.mark,
    unmarkKnown: knownCauses.unmark,
    lookAround,
    requesters: (viewer) => parts.lines.list(viewer, names.user),
    dashboard: (viewer, request) => dashboard(viewer, windows.spanOf(request)),
  };
}

type WatchedParts = Pick<Parts, 'port' | 'lines'> & {
  windows: Windows;
  names: ReturnType<typeof createNames>;
};

/** Days are gone through for so long until enough of them have actions. */
const MOST_DAYS = 60;

type FixedPastParts = {
  windows: Pick<Windows, 'recorded'>;
  expectedUntilMs(subject: string): number | undefined;
};

/**
 * The first weeks of this desktop, or the last ones before the person said that a drift was expected, beside the days of now. Unlike the
 * days of a requester it does not move, so that a slow drift is seen.
 */
function createFixedPast({ store, clock }: Context, { windows, expectedUntilMs }: FixedPastParts): () => DriftFacts {
  const remembered = createRemembered<number, readonly Recorded[]>(1);

  function lately(nowMs: number): Recorded[] {
    const todayMs = startOfDay(nowMs);
    const read = () => daysBefore(todayMs, DRIFT_DAYS.lately - 1).map(windows.recorded);
    const today = { fromMs: todayMs, toMs: startOfDay(todayMs + 1.5 * DAY_MS) };
    return [...remembered(todayMs, read, todayMs + HOUR_MS <= nowMs), windows.recorded(today)];
  }

  function used(days: readonly Span[]): Recorded[] {
    const found: Recorded[] = [];
    for (const day of days) {
      const recorded = windows.recorded(day);
      if (recorded.rollup.counters.executed > 0) found.push(recorded);
      if (found.length === DRIFT_DAYS.fixed) break;
    }
    return found;
  }

  function normalDays(todayMs: number): Recorded[] {
    const normalMs = expectedUntilMs(FAILURES);
    if (normalMs !== undefined) return used(daysBefore(startOfDay(normalMs + DAY_MS), MOST_DAYS).toReversed());
    const firstMs = startOfDay(store.users.firstSeenAtMs() ?? todayMs);
    const endMs = Math.min(todayMs, startOfDay(firstMs + MOST_DAYS * DAY_MS));
    return used(daysBefore(endMs, Math.round((endMs - firstMs) / DAY_MS)));
  }

  return () => {
    const nowMs = clock.nowMs();
    return { normal: normalDays(startOfDay(nowMs)), lately: lately(nowMs) };
  };
}

/** The insights. An acknowledged insight counts as expected. */
function createWatchedInsights(context: Context, { windows, names, port, lines }: WatchedParts) {
  const facts = createFacts(context, {
    windows,
    port,
    requesters: lines.told,
    drift: createFixedPast(context, { windows, expectedUntilMs: lines.expectedUntilMs }),
  });
  return createInsights(context, { facts, names, expected: lines.expect });
}

function totalsOf({ store, clock }: Context) {
  const nowMs = clock.nowMs();
  const { counters, types } = store.recording.recorded({ fromMs: 0, toMs: nowMs + MINUTE_MS }, nowMs).rollup;
  return { events: counters, requestsByType: types };
}
