import { type Static, type TSchema, Type } from 'typebox';
import { ActionId, Timestamp } from './ids.ts';
import { INSIGHT_SEVERITIES } from './insight-severities.ts';
import { closed, described, oneOf } from './literals.ts';
import { METRIC_TYPES } from './metrics.ts';

export const MetricType = oneOf(METRIC_TYPES);
export type MetricType = Static<typeof MetricType>;

/** From the first moment to just before the last, in UTC; `length` in milliseconds. Spans begin and end with a minute. */
export const Window = Type.Object(
  {
    from: described(Timestamp, 'its first moment; UTC'),
    to: described(Timestamp, 'the moment just after its last; UTC, later than now where it is still going on'),
    length: Type.Integer({ description: 'milliseconds' }),
  },
  { ...closed, description: 'as asked for, widened to minutes; to hours or days where minutes are no longer kept' },
);
export type Window = Static<typeof Window>;

export const OrNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const number = (description: string) => described(OrNull(Type.Number()), description);
export const Coverage = share('the share of the window, so far, in which the daemon was up; 0 to 1');
export const Counts = Type.Record(Type.String(), Type.Integer());
const Breakdown = Type.Record(Type.String(), Type.Union([Type.Integer(), Counts]));
export const METRIC_STATUSES = ['ok', 'watch', 'bad', 'insufficient_data'] as const;

/** One metric over one window. `null` means too few samples, which is not the same as zero. */
export const MetricSnapshot = Type.Object(
  {
    type: MetricType,
    category: oneOf(['activity', 'reliability', 'exposure', 'oversight', 'control'], {
      description:
        'activity: how much is done; reliability: how well; exposure: how dangerous; oversight: how well the person watches; control: whether controls hold',
    }),
    value: number('in `unit`; null if there are too few samples'),
    unit: oneOf(['/h', 'count', 'bits', 'ratio', 'ms'], {
      description:
        '`/h`: per hour the daemon was up, counted as at least a quarter; `bits`: of entropy; `ratio`: 0 to 1; `ms`: milliseconds',
    }),
    status: oneOf(METRIC_STATUSES, {
      description:
        '`ok`: within green; `watch`: between green and red; `bad`: at red or beyond; `insufficient_data`: too few samples, or no past to compare with yet',
    }),
    direction: oneOf(['high', 'low', 'neutral', 'range'], {
      description: 'which way is good; `neutral`: neither; `range`: between two values',
    }),
    target: Type.Object(
      { green: number('where worry begins'), red: number('where it is complete') },
      {
        ...closed,
        description:
          'in `unit` and over this window; of two limits the one that the value is beyond or nearest to; null where there is none',
      },
    ),
    sampleSize: Type.Integer({
      description:
        'how many events the value was made of; of `device_readiness` seconds in which the session was unlocked',
    }),
    coverage: Coverage,
    window: Window,
    breakdown: Type.Optional(
      described(
        Breakdown,
        'the parts of the value, by type, risk or kind; only some metrics have them. `held` of `control_violations`: attempts that a control refused, by kind; the value leaves them out',
      ),
    ),
  },
  closed,
);
export type MetricSnapshot = Static<typeof MetricSnapshot>;

export const notices = Type.Optional(
  Type.Array(Type.String(), { description: 'unknown parts of the query, which were ignored' }),
);

export const MetricList = Type.Object({ window: Window, items: Type.Array(MetricSnapshot), notices }, closed);
export type MetricList = Static<typeof MetricList>;

export const MetricSeries = Type.Object(
  {
    type: MetricType,
    unit: MetricSnapshot.properties.unit,
    window: Window,
    points: Type.Array(
      Type.Object(
        {
          at: described(Timestamp, 'where its part of the window begins; UTC'),
          value: MetricSnapshot.properties.value,
          sampleSize: MetricSnapshot.properties.sampleSize,
          coverage: Coverage,
        },
        closed,
      ),
      { description: 'one part of the window after the other, oldest first' },
    ),
    notices,
  },
  closed,
);
export type MetricSeries = Static<typeof MetricSeries>;

export const TREND_WINDOWS = ['5m', '15m', '1h', '6h', '24h', '7d', '30d'] as const;

/** A metric compared with its own past. */
export const Trend = Type.Object(
  {
    metricType: MetricType,
    window: oneOf(TREND_WINDOWS, { description: 'the length of the compared windows' }),
    classification: oneOf(['insufficient_data', 'new_activity', 'went_quiet', 'spike', 'drop', 'stable'], {
      description:
        'the first that holds; `spike` and `drop`: far from the usual; all but `stable` and `insufficient_data` are active',
    }),
    zScore: number(
      'how unusual it is: standard deviations from the mean of the earlier windows, -8 to 8, above 0 for more',
    ),
    changePercent: number('percent from the median of the earlier windows; null where that is about zero'),
    effect: oneOf(['improving', 'worsening', 'neutral'], { description: 'whether that is good' }),
    baseline: Type.Object(
      {
        windows: Type.Integer({ description: 'how many there were; 28 at most' }),
        median: number("in the metric's unit"),
      },
      { ...closed, description: 'the earlier windows it is compared with: at the same time, on days of the same kind' },
    ),
    current: number("the value of the latest window, in the metric's unit"),
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
const InsightCategory = oneOf(INSIGHT_CATEGORIES);
export type InsightCategory = Static<typeof InsightCategory>;
const InsightSeverity = oneOf(INSIGHT_SEVERITIES);
export type InsightSeverity = Static<typeof InsightSeverity>;

export const InsightStep = Type.Object(
  {
    kind: oneOf(['open_settings', 'review_grants', 'revoke', 'pause_requester', 'inspect', 'retry']),
    label: Type.String({ description: 'the label of a button for it' }),
    target: described(
      OrNull(Type.String()),
      'the target of the step: an address of the system settings, a grant, a user, an action, or a path of this API',
    ),
  },
  closed,
);
export type InsightStep = Static<typeof InsightStep>;

/** A fact worth knowing, with its number. A fact that is found again about the same subject is the same insight. */
export const Insight = Type.Object(
  {
    id: Type.String(),
    category: InsightCategory,
    severity: InsightSeverity,
    title: Type.String({ description: 'the fact, with its number' }),
    detail: Type.String({ description: 'the meaning of the fact, and advice' }),
    metricTypes: Type.Array(MetricType, { description: 'the metrics it shows in' }),
    evidence: Type.Array(ActionId, { description: 'the latest actions that show it, at most 20, newest first' }),
    actionable: Type.Boolean({ description: 'there is a step to take: `action`' }),
    action: Type.Optional(described(InsightStep, 'the step to take')),
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
    metricType: described(
      OrNull(MetricType),
      'the metric that is beyond green; null where a person must do something now',
    ),
    status: oneOf(['watch', 'bad'], {
      description: '`watch`: between green and red; `bad`: at red, or to be done now',
    }),
    message: Type.String({ description: 'a sentence for a person' }),
    since: described(Timestamp, 'when it was first noticed; UTC'),
  },
  closed,
);
export type Warning = Static<typeof Warning>;
