import { type Static, Type } from 'typebox';
import {
  Insight,
  InsightStep,
  MetricSnapshot,
  MetricType,
  notices,
  OrNull,
  Trend,
  Warning,
  Window,
} from './guardian.ts';
import { Timestamp } from './ids.ts';
import { closed, described, oneOf } from './literals.ts';
import { METRIC_TYPES } from './metrics.ts';

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const number = (description: string) => described(OrNull(Type.Number()), description);

/**
 * Causes of risk: the metrics, `controls_held` for refused attempts, and `requesters` for requesters that do something new. The
 * metric `control_violations` counts controls that failed.
 */
export const RISK_CAUSES = [...METRIC_TYPES, 'controls_held', 'requesters'] as const;
export const RiskCause = oneOf(RISK_CAUSES);
export type RiskCause = Static<typeof RiskCause>;

/** A cause of risk that the person has marked as known: until then it adds nothing to the score. */
export const KnownCause = Type.Object(
  {
    cause: described(RiskCause, 'a metric, `controls_held` or `requesters`'),
    markedAt: described(Timestamp, 'when the person marked it'),
    until: described(Timestamp, 'when it counts again'),
  },
  closed,
);
export type KnownCause = Static<typeof KnownCause>;

export const KnownCauseMark = Type.Object(
  { until: described(Timestamp, 'when it counts again: later than now, and at most 90 days from now') },
  closed,
);

export const KnownCauseList = Type.Object({ items: Type.Array(KnownCause) }, closed);
export type KnownCauseList = Static<typeof KnownCauseList>;

/** One cause of the score. */
export const RiskContributor = Type.Object(
  {
    metricType: MetricType,
    points: Type.Number({ description: 'its part of the score' }),
    cause: described(RiskCause, 'the cause that can be marked as known'),
    message: Type.String({ description: 'a sentence for a person' }),
    source: described(
      OrNull(
        Type.Object(
          {
            kind: oneOf(['requester', 'device', 'origin']),
            name: Type.String({ description: 'a user id, the name of a device, or the origin of a web page' }),
          },
          closed,
        ),
      ),
      'the requester that most of it came from, the device, or the web page; null where that is not known',
    ),
    since: described(OrNull(Timestamp), 'the first minute of the window in which it happened; UTC'),
    last: described(OrNull(Timestamp), 'the last such minute; UTC'),
    action: Type.Optional(described(InsightStep, 'the next step')),
  },
  closed,
);
export type RiskContributor = Static<typeof RiskContributor>;

/** From 0, nothing to worry about, to 100. */
export const RiskSummary = Type.Object(
  {
    score: Type.Number({
      minimum: 0,
      maximum: 100,
      description: '0: nothing to worry about; 90 or more: a promise is broken',
    }),
    level: oneOf(['low', 'moderate', 'high', 'critical'], {
      description: 'from 0, 25, 50 and 75 on; of now it falls only after ten minutes clearly below',
    }),
    confidence: share('the share of the weighed metrics that had enough data; 0 to 1'),
    contributors: Type.Array(RiskContributor, { description: 'the causes that add most to it, at most three' }),
    known: Type.Array(KnownCause, { description: 'causes that the person has marked as known: they add nothing' }),
    history: Type.Array(
      Type.Object(
        {
          at: described(Timestamp, 'where its window ends; UTC'),
          score: number('of the window of the same length that ends then; null where the daemon was never up'),
        },
        closed,
      ),
      {
        description: 'twelve windows, oldest first; the last is this one',
      },
    ),
  },
  closed,
);
export type RiskSummary = Static<typeof RiskSummary>;

export const GuardianDashboard = Type.Object(
  {
    generatedAt: Timestamp,
    window: Window,
    risk: RiskSummary,
    warnings: Type.Array(Warning, { description: 'actions that the person must take now, then metrics beyond green' }),
    insights: Type.Array(Insight, { description: 'the latest 50' }),
    trends: Type.Array(Trend, { description: 'the active trends' }),
    metrics: Type.Array(MetricSnapshot, { description: 'all 23, in their order' }),
    notices,
  },
  closed,
);
export type GuardianDashboard = Static<typeof GuardianDashboard>;
