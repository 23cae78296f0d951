import { type Static, Type } from 'typebox';
import { Coverage, MetricSnapshot, MetricType, notices, OrNull, Window } from './guardian.ts';
import { Timestamp } from './ids.ts';
import { closed, described, oneOf } from './literals.ts';

/** The most points of a series of the console, over any window. */
export const MOST_POINTS = 400;

const StepMs = Type.Integer({ description: 'milliseconds from one point to the next' });

/** The range in which a metric usually is, at the same time of the days before. In the unit of the metric. */
const UsualRange = Type.Object(
  {
    low: Type.Number({ description: 'one in ten of the earlier values is below' }),
    high: Type.Number({ description: 'one in ten of the earlier values is above' }),
  },
  closed,
);
export type UsualRange = Static<typeof UsualRange>;

const SeriesPoint = Type.Object(
  {
    at: described(Timestamp, 'where its part of the window begins; UTC'),
    value: MetricSnapshot.properties.value,
    sampleSize: MetricSnapshot.properties.sampleSize,
    coverage: Coverage,
    usual: Type.Optional(
      described(
        OrNull(UsualRange),
        'the usual range at the same time on the 28 days before; null with fewer than eight such days',
      ),
    ),
  },
  closed,
);
export type SeriesPoint = Static<typeof SeriesPoint>;

const SeriesOfMetric = Type.Object(
  { type: MetricType, unit: MetricSnapshot.properties.unit, points: Type.Array(SeriesPoint) },
  closed,
);
export type SeriesOfMetric = Static<typeof SeriesOfMetric>;

export const BREAKDOWNS = ['requester', 'type', 'device'] as const;

const BreakdownPart = Type.Object(
  {
    key: Type.String({
      description: 'a user id, an action type or the id of a device; devices of one name are one part',
    }),
    name: Type.String({ description: 'the same, with the name of a device instead of its id' }),
    count: Type.Integer({ description: 'actions, prompts or tasks that count for the metric' }),
    total: Type.Integer({ description: 'how many in all could count' }),
  },
  closed,
);
export type BreakdownPart = Static<typeof BreakdownPart>;

export const MetricBreakdown = Type.Object(
  {
    counted: Type.String({ description: 'the actions, prompts or tasks that are counted, for a person' }),
    isShare: Type.Boolean({ description: 'the metric is the share of `count` in `total`' }),
    groups: Type.Array(
      Type.Object(
        {
          by: oneOf(BREAKDOWNS),
          items: Type.Array(BreakdownPart, { description: 'the largest first, at most 20' }),
          others: Type.Integer({ description: 'how many more there are' }),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type MetricBreakdown = Static<typeof MetricBreakdown>;

/** Metrics over time, for the charts of the dashboard. */
export const ConsoleSeries = Type.Object(
  {
    window: Window,
    stepMs: StepMs,
    items: Type.Array(SeriesOfMetric),
    breakdown: Type.Optional(
      described(
        OrNull(MetricBreakdown),
        'of a single metric; of tasks by requester only; null where nothing is counted by these parts for it',
      ),
    ),
    notices,
  },
  closed,
);
export type ConsoleSeries = Static<typeof ConsoleSeries>;

const count = (description: string) => Type.Integer({ description });

export const OutcomePoint = Type.Object(
  {
    at: described(Timestamp, 'where its part of the window begins; UTC'),
    succeeded: count('actions that succeeded'),
    failed: count('actions that failed'),
    denied: count('actions that you denied, or that your rules blocked or refused'),
    notDone: count('actions that expired, were cancelled, or of which the end is unknown'),
    prompts: count('prompts that came'),
    pauses: count('times that everything was paused'),
    coverage: Coverage,
  },
  closed,
);
export type OutcomePoint = Static<typeof OutcomePoint>;

/** The outcomes of actions over time, by when the actions ended. */
export const OutcomeSeries = Type.Object(
  { window: Window, stepMs: StepMs, points: Type.Array(OutcomePoint), notices },
  closed,
);
export type OutcomeSeries = Static<typeof OutcomeSeries>;
