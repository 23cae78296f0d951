import { type Static, type TSchema, Type } from 'typebox';
import { ActionId, Timestamp } from './ids.ts';
import { closed, oneOf } from './literals.ts';

/** The 23 metric types, in the order in which they are always given. */
export const METRIC_TYPES = [
  'action_rate',
  'action_burst_peak',
  'action_diversity',
  'action_success_rate',
  'action_latency_p95',
  'action_retry_rate',
  'task_success_rate',
  'task_duration_p95',
  'elevated_action_share',
  'high_risk_executions',
  'irreversible_executions',
  'novel_action_share',
  'screen_capture_rate',
  'confirmation_prompt_rate',
  'confirmation_approval_rate',
  'confirmation_expiry_rate',
  'confirmation_response_p50',
  'hasty_approval_share',
  'standing_grant_share',
  'human_intervention_rate',
  'denied_action_share',
  'control_violations',
  'device_readiness',
] as const;
export const MetricType = oneOf(METRIC_TYPES);
export type MetricType = Static<typeof MetricType>;

/** From the first moment to just before the last, in UTC; `length` in milliseconds. Spans begin and end with a minute. */
export const Window = Type.Object({ from: Timestamp, to: Timestamp, length: Type.Integer() }, closed);
export type Window = Static<typeof Window>;

export const OrNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Share = Type.Number({ minimum: 0, maximum: 1 });
export const Counts = Type.Record(Type.String(), Type.Integer());
export const METRIC_STATUSES = ['ok', 'watch', 'bad', 'insufficient_data'] as const;

/** One metric over one window. `null` says that there was too little to tell, which is not the same as nothing. */
export const MetricSnapshot = Type.Object(
  {
    type: MetricType,
    category: oneOf(['activity', 'reliability', 'exposure', 'oversight', 'control']),
    value: OrNull(Type.Number()),
    unit: oneOf(['/h', 'count', 'bits', 'ratio', 'ms']),
    status: oneOf(METRIC_STATUSES),
    direction: oneOf(['high', 'low', 'neutral', 'range'], { description: 'which way is good' }),
    target: Type.Object(
      { green: OrNull(Type.Number()), red: OrNull(Type.Number()) },
      {
        ...closed,
        description:
          'where worry begins and where it is complete, in the unit of the value and over this window; of two limits the one that the value is beyond or nearest to',
      },
    ),
    sampleSize: Type.Integer(),
    coverage: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'the share of the window in which the daemon was up',
    }),
    window: Window,
    breakdown: Type.Optional(Counts),
  },
  closed,
);
export type MetricSnapshot = Static<typeof MetricSnapshot>;

export const notices = Type.Optional(Type.Array(Type.String()));

export const MetricList = Type.Object({ window: Window, items: Type.Array(MetricSnapshot), notices }, closed);
export type MetricList = Static<typeof MetricList>;

export const MetricSeries = Type.Object(
  {
    type: MetricType,
    unit: MetricSnapshot.properties.unit,
    window: Window,
    points: Type.Array(
      Type.Object({ at: Timestamp, value: OrNull(Type.Number()), sampleSize: Type.Integer(), coverage: Share }, closed),
    ),
    notices,
  },
  closed,
);
export type MetricSeries = Static<typeof MetricSeries>;

export const TREND_WINDOWS = ['5m', '15m', '1h', '6h', '24h', '7d', '30d'] as const;

/** What a metric does compared with its own past. */
export const Trend = Type.Object(
  {
    metricType: MetricType,
    window: oneOf(TREND_WINDOWS),
    classification: oneOf([
      'insufficient_data',
      'new_activity',
      'went_quiet',
      'shift_up',
      'shift_down',
      'spike',
      'drop',
      'rising',
      'falling',
      'volatile',
      'stable',
    ]),
    zScore: OrNull(Type.Number()),
    changePercent: OrNull(Type.Number()),
    changePoints: Type.Optional(Type.Number()),
    changeKind: oneOf(['percent', 'from_zero', 'unknown']),
    effect: oneOf(['improving', 'worsening', 'neutral']),
    confidence: Share,
    baseline: Type.Object(
      { kind: OrNull(oneOf(['seasonal', 'trailing'])), windows: Type.Integer(), median: OrNull(Type.Number()) },
      closed,
    ),
    current: OrNull(Type.Number()),
    openedAt: OrNull(Timestamp),
    severity: oneOf(['info', 'warning', 'high']),
  },
  closed,
);
export type Trend = Static<typeof Trend>;

export const TrendList = Type.Object({ items: Type.Array(Trend), notices }, closed);
export type TrendList = Static<typeof TrendList>;

export const INSIGHT_CATEGORIES = [
  'safety',
  'oversight',
  'reliability',
  'performance',
  'privacy',
  'integrity',
  'device',
] as const;
export const INSIGHT_SEVERITIES = ['info', 'warning', 'high', 'critical'] as const;
const InsightCategory = oneOf(INSIGHT_CATEGORIES);
export type InsightCategory = Static<typeof InsightCategory>;
const InsightSeverity = oneOf(INSIGHT_SEVERITIES);
export type InsightSeverity = Static<typeof InsightSeverity>;

export const InsightStep = Type.Object(
  {
    kind: oneOf(['open_settings', 'review_grants', 'revoke', 'pause_requester', 'inspect', 'retry']),
    label: Type.String(),
    target: OrNull(Type.String()),
  },
  closed,
);
export type InsightStep = Static<typeof InsightStep>;

/** A fact worth knowing, with its number. The same about the same is one insight that is seen again. */
export const Insight = Type.Object(
  {
    id: Type.String(),
    category: InsightCategory,
    severity: InsightSeverity,
    title: Type.String(),
    detail: Type.String(),
    metricTypes: Type.Array(MetricType),
    evidence: Type.Array(ActionId),
    actionable: Type.Boolean(),
    action: Type.Optional(InsightStep),
    firstSeen: Timestamp,
    lastSeen: Timestamp,
    count: Type.Integer({ description: 'minutes in which it was seen' }),
    status: oneOf(['open', 'acknowledged', 'resolved'], {
      description: 'acknowledged: it is still so, and the person knows; resolved: it is so no more',
    }),
  },
  closed,
);
export type Insight = Static<typeof Insight>;

export const InsightList = Type.Object({ items: Type.Array(Insight), notices }, closed);
export type InsightList = Static<typeof InsightList>;

export const Warning = Type.Object(
  {
    metricType: OrNull(MetricType),
    status: oneOf(['watch', 'bad']),
    message: Type.String(),
    since: Timestamp,
  },
  closed,
);
export type Warning = Static<typeof Warning>;

/** From 0, nothing to worry about, to 100. */
export const RiskSummary = Type.Object(
  {
    score: Type.Number({ minimum: 0, maximum: 100 }),
    level: oneOf(['low', 'moderate', 'high', 'critical']),
    confidence: Share,
    contributors: Type.Array(Type.Object({ metricType: MetricType, points: Type.Number() }, closed)),
    history: Type.Array(Type.Object({ at: Timestamp, score: OrNull(Type.Number()) }, closed)),
  },
  closed,
);
export type RiskSummary = Static<typeof RiskSummary>;

export const GuardianDashboard = Type.Object(
  {
    generatedAt: Timestamp,
    window: Window,
    risk: RiskSummary,
    warnings: Type.Array(Warning),
    insights: Type.Array(Insight),
    trends: Type.Array(Trend),
    metrics: Type.Array(MetricSnapshot),
    notices,
  },
  closed,
);
export type GuardianDashboard = Static<typeof GuardianDashboard>;
