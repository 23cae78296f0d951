import type { MetricType } from '../../contract/guardian.ts';
import { type Effect, effectOf } from '../metrics/effect.ts';
import { isHarmlessRate } from '../metrics/harmless-rate.ts';
import { DAY_MS } from '../metrics/local-time.ts';
import { dispersionOf, hasLeastEffect, metricZ } from '../metrics/metric-deviation.ts';
import { metricDefinition } from '../metrics/metric-types.ts';
import {
  type Measured,
  type MetricWindow,
  sizesAt,
  TREND_WINDOWS,
  type TrendWindow,
} from '../metrics/metric-window.ts';
import { median } from '../statistics/statistics.ts';
import { type Baseline, type BaselineKind, leastUpMs, selectBaseline } from './baseline.ts';
import { type Change, changeFrom } from './change.ts';
import { type Classification, classifyDeparture } from './trend-classification.ts';
import {
  type Departure,
  departureOf,
  dispersionFor,
  isBeyondCalm,
  isConfirmed,
  nextTrendState,
  type Sighting,
  stillShown,
  type TrendState,
  unseenTrendState,
} from './trend-state.ts';

const MOST_WINDOWS = 28;
/** From here on a warning is a grave one. */
const SEVERE_Z = 6;

export type TrendSeverity = 'info' | 'warning' | 'high';

/**
 * A metric compared with its own past. `current`, `baseline.median`: in the metric's unit; `confidence`: 0 to 1, how much of
 * a full baseline there was times how long the daemon was up compared with it (our own); `openedAtMs`: since when the trend
 * is open, `null` if this window shows none.
 */
export type Trend = {
  metricType: MetricType;
  window: TrendWindow;
  classification: Classification;
  zScore: number | null;
  changePercent: number | null;
  changePoints?: number;
  changeKind: Change['changeKind'] | 'unknown';
  effect: Effect;
  confidence: number;
  baseline: { kind: BaselineKind | null; windows: number; median: number | null };
  current: number | null;
  openedAtMs: number | null;
  severity: TrendSeverity;
};

/** `candidates`: the windows named by `baselineStarts`, in that order. */
export type Evidence = {
  metricType: MetricType;
  window: TrendWindow;
  current: MetricWindow;
  candidates: Record<BaselineKind, readonly MetricWindow[]>;
};

/** The trend of a metric, and the state to pass in at its next measurement. */
export function assessTrend(evidence: Evidence, before: TrendState): { trend: Trend; state: TrendState } {
  const { window, current, candidates } = evidence;
  const measured = current.upMs >= leastUpMs(window) ? current.measured : null;
  const of = { window, upMs: measured === null ? null : current.upMs, leftOut: distortedBy(before, evidence) };
  const baseline = isComparable(evidence, measured) ? selectBaseline(candidates, of) : null;
  if (measured === null || baseline === null) {
    const state = unseenTrendState(before, timesOf(evidence));
    return { trend: unknownTrend(evidence, baseline), state };
  }
  const sighting = sightingOf(evidence, { measured, baseline, before });
  const state = nextTrendState(before, sighting);
  return { trend: knownTrend({ evidence, measured, baseline, sighting, before, state }), state };
}

/** The trend of a metric of which nothing is known yet. */
export function trendBeforeAll(metricType: MetricType, window: TrendWindow): Trend {
  const current = { fromMs: 0, upMs: 0, measured: null };
  return unknownTrend({ metricType, window, current }, null);
}

/** Whether the list of active trends shows this trend. */
export function isActive({ classification }: Pick<Trend, 'classification'>): boolean {
  return classification !== 'stable' && classification !== 'insufficient_data';
}

/** There is something to compare, or limits that are multiples of the baseline. */
function isComparable({ metricType }: Evidence, measured: Measured | null): boolean {
  return measured !== null || metricDefinition(metricType).limits.some(({ of }) => of === 'baselineMedian');
}

type Known = {
  evidence: Evidence;
  measured: Measured;
  baseline: Baseline;
  sighting: Sighting;
  before: TrendState;
  state: TrendState;
};

function knownTrend(known: Known): Trend {
  const { evidence, measured, baseline, sighting, state } = known;
  const { metricType, window, current } = evidence;
  const departure = departureOf(known.before, sighting) ?? stillShown({ before: known.before, after: state }, sighting);
  const classification = classify(known, departure);
  const effect = effectFor(known, classification);
  return {
    metricType,
    window,
    classification,
    zScore: sighting.z,
    ...changeFrom(baseline.measured, measured),
    effect,
    confidence: (baseline.measured.length / MOST_WINDOWS) * Math.min(1, current.upMs / baseline.upMs),
    baseline: { kind: baseline.kind, windows: baseline.measured.length, median: usualOf(known) },
    current: measured.value,
    openedAtMs: departure === null ? null : (state.open?.openedAtMs ?? null),
    severity: severityOf(known, effect),
  };
}

function unknownTrend(
  { metricType, window, current }: Pick<Evidence, 'metricType' | 'window' | 'current'>,
  baseline: Baseline | null,
): Trend {
  return {
    metricType,
    window,
    classification: 'insufficient_data',
    zScore: null,
    changePercent: null,
    changeKind: 'unknown',
    effect: 'neutral',
    confidence: 0,
    baseline: {
      kind: baseline?.kind ?? null,
      windows: baseline?.measured.length ?? 0,
      median: baseline?.median ?? null,
    },
    current: current.measured?.value ?? null,
    openedAtMs: null,
    severity: 'info',
  };
}

/** Values since a trend opened are not normal yet: baselines leave them out for a day. */
function distortedBy({ open }: TrendState, { window, current }: Evidence): (candidate: MetricWindow) => boolean {
  const lengthMs = TREND_WINDOWS[window];
  if (open === null || current.fromMs + lengthMs - open.openedAtMs >= DAY_MS) return () => false;
  return ({ fromMs }) => fromMs + lengthMs > open.openedAtMs;
}

function sightingOf(
  evidence: Evidence,
  { measured, baseline, before }: Pick<Known, 'measured' | 'baseline' | 'before'>,
): Sighting {
  const times = timesOf(evidence);
  const z = metricZ(measured, baseline.measured, dispersionFor(before, times));
  return {
    ...times,
    z,
    standsAlone: measured.kind === 'count' || measured.kind === 'ratio',
    dispersion: dispersionOf(measured, baseline.measured),
    hasLeastEffect: hasLeastEffect(measured, { baseline: baseline.measured, z }),
  };
}

function timesOf({ window, current }: Evidence): Pick<Sighting, 'atMs' | 'lengthMs'> {
  const lengthMs = TREND_WINDOWS[window];
  return { atMs: current.fromMs + lengthMs, lengthMs };
}

/** A window that departs, or still shows an open trend, has the name of that; a calm one can only show a shift. */
function classify({ measured, baseline, sighting }: Known, departure: Departure | null): Classification {
  if (departure === null) return 'stable';
  if (isBeyondCalm(sighting)) return classifyDeparture(departure, measured, baseline.measured);
  return departure.direction === 'up' ? 'shift_up' : 'shift_down';
}

/** The usual value, in the metric's unit. Totals are as they would be if the daemon had been up as long as in the current window. */
function usualOf({ evidence, measured, baseline }: Known): number {
  const isTotal = measured.kind === 'count' && metricDefinition(evidence.metricType).unit === 'count';
  return isTotal ? median(sizesAt(measured, baseline.measured)) : baseline.median;
}

function effectFor(known: Known, classification: Classification): Effect {
  if (classification === 'stable') return 'neutral';
  return effectOf(metricDefinition(known.evidence.metricType).good, { from: usualOf(known), to: known.measured.value });
}

/**
 * Novelty is not an error: a new project brings many new actions (Heaps 1978). Insights warn where novelty matters, for
 * dangerous actions and for unknown requesters.
 */
const NEVER_A_WARNING: readonly MetricType[] = ['novel_action_share'];

function severityOf({ evidence, measured, sighting, state }: Known, effect: Effect): TrendSeverity {
  if (NEVER_A_WARNING.includes(evidence.metricType) || isHarmlessRate(evidence.metricType, measured)) return 'info';
  if (state.open === null || effect !== 'worsening' || !isConfirmed(state, sighting)) return 'info';
  return Math.abs(sighting.z) >= SEVERE_Z ? 'high' : 'warning';
}
