import type { OutcomePoint, SeriesOfMetric, SeriesPoint, UsualRange } from '../../contract/console-series.ts';
import type { MetricType } from '../../contract/guardian.ts';
import { METRIC_TYPES, METRICS } from '../../contract/metrics.ts';
import { coverageOf } from '../../guardian/metrics/snapshot.ts';
import { usualRange } from '../../guardian/metrics/usual.ts';
import { type MetricValue, measureAll, type Recorded } from '../../guardian/recording/metrics.ts';
import type { Context } from '../context.ts';
import { shownShare } from '../rounding.ts';
import { timestamp } from '../timestamps.ts';
import { createBreakdown } from './breakdown.ts';
import type { GuardianService } from './guardian-service.ts';
import { createRemembered } from './remembered.ts';
import { shownPoint, shownRange } from './shown.ts';
import { evenlyOver, steppedOver } from './steps.ts';
import { DAY_MS, HOUR_MS, type Span, type Windows, windowOf } from './windows.ts';

const EARLIER_DAYS = 28;
/** Below an hour, the same minutes of 28 days are too many rows for more than this. */
const LONGEST_BY_MINUTE_MS = 3 * HOUR_MS;
const MOST_RANGES = 3_000;

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
