import type { MetricType } from '../../contract/guardian.ts';

export type MetricCategory = 'activity' | 'reliability' | 'exposure' | 'oversight' | 'control';
export type MetricKind = 'count' | 'ratio' | 'duration' | 'entropy' | 'gauge';
export type MetricUnit = '/h' | 'count' | 'bits' | 'ratio' | 'ms';

/** The good direction: up, down, neither, or between two values. */
export type Good = 'high' | 'low' | 'neutral' | { from: number; to: number };

/**
 * The values at which a metric stops being good (`green`) and is entirely bad (`red`), in the metric's unit; all of our own
 * judgement. `of`: whether the value is first divided by the hours the daemon was up, or by the median of the baseline.
 * `minimumSample`: present if the limit needs a larger sample than the metric.
 */
export type Limit = {
  green: number;
  red: number;
  of: 'value' | 'valuePerHour' | 'baselineMedian';
  minimumSample?: number;
};

export type MetricDefinition = {
  type: MetricType;
  category: MetricCategory;
  unit: MetricUnit;
  good: Good;
  kind: MetricKind;
  minimumSample: number;
  limits: readonly Limit[];
  /** The most this metric alone can add to the risk score, as a share of 100. */
  weight: number;
};

const value = (green: number, red: number): Limit => ({ green, red, of: 'value' });
const valuePerHour = (green: number, red: number): Limit => ({ green, red, of: 'valuePerHour' });
const timesBaseline = (green: number, red: number): Limit => ({ green, red, of: 'baselineMedian' });

/** How many action types there are; a test compares it with their catalogue. */
export const ACTION_TYPES = 29;

/** Bits of entropy when all action types are used equally often. */
const FULL_DIVERSITY = Math.log2(ACTION_TYPES);

const count = { unit: 'count', kind: 'count' } as const;
const rate = { unit: '/h', kind: 'count' } as const;
const ratio = { unit: 'ratio', kind: 'ratio' } as const;
const duration = { unit: 'ms', kind: 'duration' } as const;
const entropy = { unit: 'bits', kind: 'entropy' } as const;
const gauge = { unit: 'ratio', kind: 'gauge' } as const;

const DEFINITIONS: Record<MetricType, MetricDefinition> = {
  ...inCategory('activity', {
    action_rate: { ...rate, good: 'neutral', minimumSample: 0, limits: [], weight: 0.1 },
    action_burst_peak: { ...count, good: 'low', minimumSample: 0, limits: [value(30, 120)], weight: 0.2 },
    action_diversity: {
      ...entropy,
      good: 'neutral',
      minimumSample: 10,
      limits: [value(0.3, 0), value(3.5, FULL_DIVERSITY)],
      weight: 0.15,
    },
  }),
  ...inCategory('reliability', {
    action_success_rate: { ...ratio, good: 'high', minimumSample: 10, limits: [value(0.95, 0.7)], weight: 0.35 },
    action_latency_p95: { ...duration, good: 'low', minimumSample: 20, limits: [timesBaseline(1.5, 5)], weight: 0.1 },
    action_retry_rate: { ...ratio, good: 'low', minimumSample: 10, limits: [value(0.05, 0.4)], weight: 0.2 },
    task_success_rate: { ...ratio, good: 'high', minimumSample: 5, limits: [value(0.95, 0.6)], weight: 0.35 },
    task_duration_p95: { ...duration, good: 'low', minimumSample: 20, limits: [timesBaseline(1.5, 5)], weight: 0.08 },
  }),
  ...inCategory('exposure', {
    elevated_action_share: { ...ratio, good: 'low', minimumSample: 20, limits: [value(0.1, 0.6)], weight: 0.25 },
    high_risk_executions: { ...count, good: 'low', minimumSample: 0, limits: [valuePerHour(0, 10)], weight: 0.35 },
    irreversible_executions: { ...count, good: 'low', minimumSample: 0, limits: [valuePerHour(0, 5)], weight: 0.4 },
    novel_action_share: { ...ratio, good: 'low', minimumSample: 20, limits: [value(0.05, 0.5)], weight: 0.25 },
    screen_capture_rate: { ...rate, good: 'low', minimumSample: 0, limits: [value(60, 600)], weight: 0.2 },
  }),
  ...inCategory('oversight', {
    confirmation_prompt_rate: { ...rate, good: 'low', minimumSample: 0, limits: [value(6, 30)], weight: 0.3 },
    confirmation_approval_rate: {
      ...ratio,
      // A person who denies much is careful. Only one who allows everything may not be reading.
      good: { from: 0, to: 0.95 },
      minimumSample: 10,
      limits: [{ ...value(0.95, 1), minimumSample: 20 }],
      weight: 0.3,
    },
    confirmation_expiry_rate: { ...ratio, good: 'low', minimumSample: 5, limits: [value(0.1, 0.6)], weight: 0.2 },
    confirmation_response_p50: {
      ...duration,
      good: { from: 3000, to: 60_000 },
      minimumSample: 5,
      limits: [value(3000, 1000)],
      weight: 0.25,
    },
    hasty_approval_share: { ...ratio, good: 'low', minimumSample: 5, limits: [value(0, 0.5)], weight: 0.35 },
    standing_grant_share: { ...ratio, good: 'low', minimumSample: 20, limits: [value(0.5, 0.95)], weight: 0.25 },
    human_intervention_rate: { ...ratio, good: 'low', minimumSample: 5, limits: [value(0.1, 0.4)], weight: 0.3 },
  }),
  ...inCategory('control', {
    denied_action_share: { ...ratio, good: 'low', minimumSample: 10, limits: [value(0.05, 0.4)], weight: 0.35 },
    control_violations: { ...count, good: { from: 0, to: 0 }, minimumSample: 0, limits: [value(0, 1)], weight: 0.9 },
    // The sample is in seconds: within the first five minutes, an agent that starts in two seconds would look bad.
    device_readiness: { ...gauge, good: 'high', minimumSample: 300, limits: [value(0.99, 0.8)], weight: 0.15 },
  }),
};

export function metricDefinition(type: MetricType): MetricDefinition {
  return DEFINITIONS[type];
}

function inCategory<Type extends MetricType>(
  category: MetricCategory,
  definitions: Record<Type, Omit<MetricDefinition, 'type' | 'category'>>,
): Record<Type, MetricDefinition> {
  const entries = Object.entries<Omit<MetricDefinition, 'type' | 'category'>>(definitions);
  return Object.fromEntries(entries.map(([type, definition]) => [type, { type, category, ...definition }])) as Record<
    Type,
    MetricDefinition
  >;
}
