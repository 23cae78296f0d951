import type { MetricSnapshot } from '../../contract/guardian.ts';
import type { GuardianDashboard } from '../../contract/risk.ts';
import { snapshots } from '../../guardian/metrics/snapshot.ts';
import { isActive } from '../../guardian/trends/trend.ts';
import type { LiveActions } from '../actions/live-actions.ts';
import type { AgentPort } from '../agent/port.ts';
import type { Context } from '../context.ts';
import { timestamp } from '../timestamps.ts';
import { createAssessment } from './assessment.ts';
import { createCharts } from './charts.ts';
import { createFacts } from './facts.ts';
import { createFixedPast } from './fixed-past.ts';
import { createGroups } from './groups.ts';
import type { GuardianService } from './guardian-service.ts';
import { createInsights } from './insights.ts';
import { createLogs } from './logs.ts';
import type { RequesterLines } from './requester-lines.ts';
import { shownMetric } from './shown.ts';
import { telemetryOf, type Unfinished } from './telemetry.ts';
import { toDoNow } from './to-do-now.ts';
import { createTrends } from './trends.ts';
import { createUsualWindows } from './usual-windows.ts';
import { createNames, type Viewer } from './viewer.ts';
import { createWindows, MINUTE_MS, type Span, type Windows, windowOf } from './windows.ts';

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
    ...{ port: parts.port, names, windows, usualIn, metricsIn },
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

/** The insights. An acknowledged insight counts as expected. */
function createWatchedInsights(context: Context, { windows, names, port, lines }: WatchedParts) {
  const facts = createFacts(context, {
    ...{ windows, port, requesters: lines.told },
    drift: createFixedPast(context, { windows, expectedUntilMs: lines.expectedUntilMs }),
  });
  return createInsights(context, { facts, names, expected: lines.expect });
}

function totalsOf({ store, clock }: Context) {
  const nowMs = clock.nowMs();
  const { counters, types } = store.recording.recorded({ fromMs: 0, toMs: nowMs + MINUTE_MS }, nowMs).rollup;
  return { events: counters, requestsByType: types };
}
