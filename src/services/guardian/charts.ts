import {
  BREAKDOWNS,
  type BreakdownPart,
  type MetricBreakdown,
  type OutcomePoint,
  type SeriesOfMetric,
  type SeriesPoint,
  type UsualRange,
} from '../../contract/console-series.ts';
import type { MetricType } from '../../contract/guardian.ts';
import { behindMachine } from '../../contract/machine-rules.ts';
import { METRIC_TYPES, METRICS } from '../../contract/metrics.ts';
import { coverageOf } from '../../guardian/metrics/snapshot.ts';
import { usualRange } from '../../guardian/metrics/usual.ts';
import { type MetricValue, measureAll, type Recorded } from '../../guardian/recording/metrics.ts';
import type { Context } from '../context.ts';
import { shownShare } from '../rounding.ts';
import { timestamp } from '../steady-clock.ts';
import type { GuardianService } from './guardian-service.ts';
import { createRemembered } from './remembered.ts';
import { shownPoint, shownRange } from './shown.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Span, type Windows, windowOf } from './time-windows.ts';

const EARLIER_DAYS = 28;
/** Below an hour, the same minutes of 28 days are too many rows for more than this. */
const LONGEST_BY_MINUTE_MS = 3 * HOUR_MS;
const MOST_RANGES = 3_000;

type By = (typeof BREAKDOWNS)[number];

const MOST_PARTS = 20;
const MOST_DEVICES = 500;
const NONE: ReadonlyMap<string, string> = new Map();
const TASKS: readonly MetricType[] = ['task_success_rate', 'task_duration_p95', 'human_intervention_rate'];

/**
 * The counts that a metric is made of, by requester, type and device; `null` where it is made of none. They come from the same counters as
 * the metric, over the same span.
 */
function createBreakdown({ store }: Context) {
  const deviceNames = () =>
    new Map(store.devices.all(MOST_DEVICES).map(({ id, machine, name }) => [id, behindMachine(machine, name)]));

  return (metric: MetricType, span: Span): MetricBreakdown | null => {
    if (metric === 'device_readiness') return null;
    const { hits, of = hits } = METRICS[metric];
    const names = deviceNames();
    // A task may use several types of actions and several devices.
    const wanted: readonly By[] = TASKS.includes(metric) ? ['requester'] : BREAKDOWNS;
    return {
      counted: METRICS[metric].counted ?? METRICS[metric].name,
      isShare: of !== hits,
      groups: wanted.map((by) => {
        const sums = store.recording.parts(span, by, { count: hits, total: of });
        const named = sums.map((part) => ({ ...part, name: nameOf(part.key, metric, by === 'device' ? names : NONE) }));
        const parts = by === 'device' ? merged(named) : named;
        const items = parts.slice(0, MOST_PARTS);
        return { by, items, others: Math.max(0, parts.length - MOST_PARTS) };
      }),
    };
  };
}

/** Registrations of one name are one device. It has the key of the registration with the largest count. */
function merged(parts: readonly BreakdownPart[]): BreakdownPart[] {
  const sums = [...Map.groupBy(parts, ({ name }) => name).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [others.reduce(sumOf, first)],
  );
  return sums.toSorted((one, other) => other.count - one.count || other.total - one.total);
}

function sumOf(sum: BreakdownPart, { count, total }: BreakdownPart): BreakdownPart {
  return { ...sum, count: sum.count + count, total: sum.total + total };
}

/** A prompt for a plan has no action type and no device, and so has a request that was refused before an action existed. */
function nameOf(key: string, metric: MetricType, devices: ReadonlyMap<string, string>): string {
  if (key !== '') return devices.get(key) ?? key;
  return metric.startsWith('confirmation') || metric === 'hasty_approval_share'
    ? 'plans of several steps'
    : 'no action';
}

/** Steps that divide an hour or a day, so that every day has the same ones. */
const STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720, 1_440].map((minutes) => minutes * MINUTE_MS);

/** A window that begins with a step. */
type Stepped = { window: Span; stepMs: number };

/**
 * Cuts a span into at most so many steps of a length that people reckon in. Steps begin at a multiple of their length. Where local
 * time differs from UTC by whole hours, they do so in local time, so that a step of a day is a day of the person. `unitMs`: no step
 * is shorter.
 */
export function steppedOver(span: Span, { points, unitMs }: { points: number; unitMs: number }): Stepped {
  const stepMs = STEPS_MS.find((each) => each >= unitMs && isEnough(span, each, points)) ?? longStepMs(span, points);
  return { stepMs, window: { fromMs: startOf(span.fromMs, stepMs), toMs: span.toMs } };
}

function isEnough(span: Span, stepMs: number, points: number): boolean {
  return Math.ceil((span.toMs - startOf(span.fromMs, stepMs)) / stepMs) <= points;
}

/** Whole days, one more than would do if the span began with a step. */
function longStepMs(span: Span, points: number): number {
  let days = 2;
  while (!isEnough(span, days * DAY_MS, points)) days += 1;
  return days * DAY_MS;
}

function startOf(atMs: number, stepMs: number): number {
  const offsetMs = -new Date(atMs).getTimezoneOffset() * MINUTE_MS;
  const shiftMs = offsetMs % HOUR_MS === 0 ? offsetMs : 0;
  return Math.floor((atMs + shiftMs) / stepMs) * stepMs - shiftMs;
}

/** A window of at most so many steps of the same length. Steps of an hour or more begin with an hour. No step is shorter than `unitMs`. */
function evenlyOver(span: Span, { points, unitMs }: { points: number; unitMs: number }): Stepped {
  const isLong = span.toMs - span.fromMs >= points * HOUR_MS;
  const edgeMs = Math.max(isLong ? HOUR_MS : MINUTE_MS, unitMs);
  const fromMs = Math.floor(span.fromMs / edgeMs) * edgeMs;
  return {
    stepMs: Math.ceil((span.toMs - fromMs) / points / edgeMs) * edgeMs,
    window: { fromMs, toMs: span.toMs },
  };
}

/** Windows in steps: the series of metrics and the outcomes of actions. */
export function createCharts(
  context: Context,
  windows: Windows,
): Pick<GuardianService, 'series' | 'consoleSeries' | 'outcomes'> {
  const measured = createMeasured();
  const usualOf = createUsualRanges(context, { ...windows, measured });
  const breakdown = createBreakdown(context);
  const unitMs = (span: Span) => windows.unitKeptMs(span.fromMs);

  function pointOf(type: MetricType, { fromMs, recorded }: Step) {
    const { value, sampleSize } = measured(type, recorded);
    return shownPoint(METRICS[type].unit, { at: timestamp(fromMs), value, sampleSize, coverage: coverageOf(recorded) });
  }

  return {
    series(type, request, points) {
      const span = windows.spanOf(request);
      const { window, stepMs } = evenlyOver(span, { points, unitMs: unitMs(span) });
      const { unit } = METRICS[type];
      const shown = windows.history(window, stepMs).map((step) => pointOf(type, step));
      return { type, unit, window: windowOf(span), points: shown };
    },
    consoleSeries(request, { types, points, withUsual, breakdownOf }) {
      const span = windows.spanOf(request);
      const { window, stepMs } = steppedOver(span, { points, unitMs: unitMs(span) });
      const hasUsual = withUsual && mayCompare(stepMs, span);
      const history = windows.history(window, stepMs);
      const items = types.map((type): SeriesOfMetric => {
        const points = history.map((step): SeriesPoint => {
          const usual = hasUsual ? usualOf(type, step.fromMs, stepMs) : null;
          return { ...pointOf(type, step), ...(withUsual && { usual }) };
        });
        return { type, unit: METRICS[type].unit, points };
      });
      const parts = breakdownOf === undefined ? {} : { breakdown: breakdown(breakdownOf, span) };
      return { window: windowOf(span), stepMs, items, ...parts };
    },
    outcomes(request, points) {
      const span = windows.spanOf(request);
      const { window, stepMs } = steppedOver(span, { points, unitMs: unitMs(span) });
      return { window: windowOf(span), stepMs, points: windows.history(window, stepMs).map(outcomesOf) };
    },
  };
}

type Step = { fromMs: number; recorded: Recorded };

type MeasuredIn = (type: MetricType, recorded: Recorded) => { value: number | null; sampleSize: number };

/** The metrics of a step that is remembered are worked out once. */
function createMeasured(): MeasuredIn {
  const known = new WeakMap<Recorded, MetricValue[]>();
  return (type, recorded) => {
    const values = known.get(recorded) ?? measureAll(recorded);
    known.set(recorded, values);
    return values[METRIC_TYPES.indexOf(type)] ?? { value: null, sampleSize: 0 };
  };
}

/** With the prompts and pauses of the step. */
function outcomesOf({ fromMs, recorded }: Step): OutcomePoint {
  const { counters } = recorded.rollup;
  return {
    at: timestamp(fromMs),
    succeeded: counters.succeeded,
    failed: counters.failed,
    denied: counters.denied + counters.blocked + counters.requestRefused,
    notDone: counters.expired + counters.cancelled + counters.unknown,
    prompts: counters.prompted,
    pauses: counters.emergencyStopped,
    coverage: shownShare(coverageOf(recorded)),
  };
}

/** The usual range of a metric in the same step of each of the days before: whole ones, although the step itself may go on. */
function createUsualRanges(
  { clock }: Context,
  { recorded, measured }: Pick<Windows, 'recorded'> & { measured: MeasuredIn },
) {
  const remembered = createRemembered<string, UsualRange | null>(MOST_RANGES);
  return (type: MetricType, fromMs: number, stepMs: number): UsualRange | null => {
    const range = () => {
      const earlier = Array.from({ length: EARLIER_DAYS }, (_, index) => {
        const startMs = fromMs - (index + 1) * DAY_MS;
        return recorded({ fromMs: startMs, toMs: startMs + stepMs });
      });
      const covered = earlier.filter((each) => coverageOf(each) >= 0.5);
      return shownRange(METRICS[type].unit, usualRange(covered.flatMap((each) => measured(type, each).value ?? [])));
    };
    // Days that are over do not change.
    return remembered(`${type} ${fromMs} ${stepMs}`, range, fromMs - DAY_MS + stepMs + HOUR_MS <= clock.nowMs());
  };
}

/** Days are compared with days and parts of a day with the same part; more than a day has no days like it. */
function mayCompare(stepMs: number, { fromMs, toMs }: Span): boolean {
  if (stepMs > DAY_MS) return false;
  return stepMs >= HOUR_MS || toMs - fromMs <= LONGEST_BY_MINUTE_MS;
}
