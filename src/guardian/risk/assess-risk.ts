import type { MetricType } from '../../contract/guardian.ts';
import { METRIC_TYPES, METRICS } from '../../contract/metrics.ts';
import type { RiskCause } from '../../contract/risk.ts';
import { positionOf } from '../metrics/snapshot.ts';
import type { Usual } from '../metrics/usual.ts';
import { hoursUp, measure, measuredOf, type Recorded } from '../recording/metrics.ts';
import { histogramQuantile, sizeOfHistogram } from '../recording/rollup.ts';
import { cautiousRatio } from '../statistics/distributions.ts';
import { clamp } from '../statistics/statistics.ts';
import {
  isAllApproved,
  isFarBeyondLimits,
  isMany,
  judgedPart,
  MOST_BY_APPROVALS,
  withoutApproved,
} from './own-approvals.ts';
import { type Held, heldControls, heldCounts, heldShare } from './refusing-controls.ts';
import {
  FAILED_CONTROL_FLOOR,
  metricShare,
  type RiskInput,
  type RiskScore,
  type RiskShare,
  riskConfidence,
  riskScore,
} from './risk-score.ts';

export type Risk = RiskScore & {
  /** The share of all weight that had data, from 0 to 1. */
  confidence: number;
  held: Held[];
  /** Controls that failed, without those that the person has marked as known. */
  failures: number;
  /** The desktop has no past, and the person approved one by one what ran. */
  isApproved: boolean;
};

type Circumstances = {
  /** The usual amounts in windows of this length. */
  usual: Usual;
  /** Whether the person has marked a cause as known. */
  isKnown(cause: RiskCause): boolean;
  /** Controls that failed and that the person did not know of when they marked failed controls as known. */
  failures: number;
  /** The shares of open insights. The largest share of each cause counts. */
  signs: readonly RiskShare[];
};

/**
 * The risk of a window, with its held controls and failed controls. Without a past, actions that the person approved one by one leave
 * it moderate, unless both the actions of high risk and those without undo are far beyond any limit.
 */
export function assessRisk(recorded: Recorded, circumstances: Circumstances): Risk {
  const risk = riskOf(recorded, circumstances);
  const { usual, signs } = circumstances;
  if (usual.hasHistory || isFarBeyondLimits(recorded)) return risk;
  if (risk.score < MOST_BY_APPROVALS) return { ...risk, isApproved: isAllApproved(recorded) };
  const others = { ...circumstances, signs: signs.filter(({ wasAsked }) => wasAsked !== true) };
  const { score } = riskOf(withoutApproved(recorded), others);
  const most = Math.max(score, MOST_BY_APPROVALS);
  return { ...riskOf(recorded, { ...circumstances, most }), isApproved: isAllApproved(recorded) };
}

function riskOf(recorded: Recorded, circumstances: Circumstances & { most?: number }): Risk {
  const { usual, isKnown, failures, most = 100 } = circumstances;
  const held = heldControls(heldCounts(recorded.rollup), usual.held);
  const inputs = METRIC_TYPES.map((type) => inputOf(type, { recorded, ...circumstances }));
  const measured = [...inputs.map(metricShare), { cause: 'controls_held' as const, share: heldShare(held) }];
  const shares = withSigns(measured, circumstances.signs);
  return {
    ...riskScore(
      shares.filter(({ cause }) => cause === 'control_violations' || !isKnown(cause)),
      { floor: failures > 0 ? FAILED_CONTROL_FLOOR : 0, most },
    ),
    confidence: riskConfidence(inputs),
    held,
    failures,
    isApproved: false,
  };
}

function withSigns(measured: readonly RiskShare[], signs: readonly RiskShare[]): RiskShare[] {
  const largest = new Map<RiskCause, number>();
  for (const { cause, share } of [...measured, ...signs]) largest.set(cause, Math.max(share, largest.get(cause) ?? 0));
  return [...largest].map(([cause, share]) => ({ cause, share }));
}

type Of = Omit<Circumstances, 'signs'> & { recorded: Recorded };

function inputOf(metricType: MetricType, of: Of): RiskInput {
  const { failures, usual } = of;
  if (metricType === 'control_violations') {
    const isMeasured = failures > 0 || of.recorded.upTime.upMs > 0;
    return { metricType, position: isMeasured ? Math.min(1, failures) : null };
  }
  const recorded = judgedPart(metricType, of.recorded);
  const position = positionOf(measure(metricType, recorded), { recorded, medianOf: usual.medianOf });
  return { metricType, position: weighed(metricType, position, { recorded, usual }) };
}

/** One-sided 95 % of a normal distribution, in standard errors. */
const SURE_ERRORS = 1.645;

/** From this median on, approvals have hardly been read (milliseconds); from the second on, they are taken for considered. */
const UNREAD_MS = 3_000;
const CONSIDERED_MS = 6_000;

/** These count however usual they are on this desktop: a habit of approving everything is a risk from its first day to its last. */
export const WRONG_THOUGH_USUAL: readonly MetricType[] = [
  'confirmation_approval_rate',
  'confirmation_response_p50',
  'confirmation_expiry_rate',
  'hasty_approval_share',
  'device_readiness',
];
/**
 * Desktops differ by a factor of two and more. Without a history, worry begins only halfway to the red limit, and a value
 * beyond it counts less: most metrics alone then leave the risk low.
 */
function withoutHistory(position: number): number {
  return 0.75 * Math.max(0, 2 * position - 1);
}

/** New work brings heaps of new kinds of actions, and a simple task has few kinds, so these alone leave the risk low. */
export const NEVER_ALONE: readonly MetricType[] = ['novel_action_share', 'action_diversity'];
const MOST_ALONE = 0.9;

/** Corrects a position for its circumstances, by our own judgement. */
function weighed(
  type: MetricType,
  position: number | null,
  { recorded, usual }: Pick<Of, 'recorded' | 'usual'>,
): number | null {
  // In the first weeks nearly everything is new.
  if (type === 'novel_action_share' && !usual.hasHistory) return null;
  if (position === null || position === 0) return position;
  if (!WRONG_THOUGH_USUAL.includes(type)) return againstUsual(type, position, { recorded, usual });
  if (type !== 'confirmation_approval_rate') return Math.min(position, cautiousPosition(type, recorded));
  const { value } = measure(type, recorded);
  const answeredMs = slowMedianMs(recorded);
  // A person who allows everything may still decide with care.
  if (value === null || value < 0.5 || answeredMs === null) return position;
  return position * clamp((CONSIDERED_MS - answeredMs) / (CONSIDERED_MS - UNREAD_MS), { from: 0, to: 1 });
}

/** With a history, only what is worse than in each of the earlier windows counts. */
function againstUsual(type: MetricType, position: number, { recorded, usual }: Pick<Of, 'recorded' | 'usual'>): number {
  const value = measure(type, recorded).value ?? 0;
  const isWorst = usual.isWorst(type, value);
  if (isWorst === false) return 0;
  if (isWorst === true && isMany(type, value)) return 1;
  const most = NEVER_ALONE.includes(type) ? MOST_ALONE : 1;
  const cautious = Math.min(position, most, cautiousPosition(type, recorded));
  return usual.hasHistory ? cautious : withoutHistory(cautious);
}

/** Two failed tasks of five may be chance, so a ratio counts as far as it is surely bad, and so does the median of answer times. */
function cautiousPosition(type: MetricType, recorded: Recorded): number {
  const measured = measuredOf(type, recorded);
  if (isPerHour(type)) return positionOver(type, recorded);
  if (type === 'confirmation_response_p50') return positionOfSlowMedian(recorded);
  if (measured?.kind !== 'ratio') return 1;
  const { good } = METRICS[type];
  const metric = { type, value: cautiousRatio(measured, { isHighBad: good === 'low' }), sampleSize: measured.total };
  return positionOf(metric, { recorded, medianOf: () => null }) ?? 0;
}

/** The largest median that these answer times allow, in ms: a one-sided bound of 95 %, by order statistics (Conover 1999). */
function slowMedianMs({ rollup: { responseMs } }: Recorded): number | null {
  const share = Math.min(1, 0.5 + SURE_ERRORS / (2 * Math.sqrt(sizeOfHistogram(responseMs))));
  return histogramQuantile(responseMs, share);
}

function positionOfSlowMedian(recorded: Recorded): number {
  const { sampleSize } = measure('confirmation_response_p50', recorded);
  const value = slowMedianMs(recorded);
  return positionOf({ type: 'confirmation_response_p50', value, sampleSize }, { recorded, medianOf: () => null }) ?? 0;
}

/** The position of a rate over at least a sixth of the window. */
function positionOver(type: MetricType, recorded: Recorded): number {
  const { value, sampleSize } = measure(type, recorded);
  const hours = hoursUp(recorded.upTime);
  const share = hours / Math.max(hours, (LEAST_PART * recorded.lengthMs) / HOUR_MS);
  const metric = { type, value: value === null ? null : value * share, sampleSize };
  return positionOf(metric, { recorded, medianOf: () => null }) ?? 0;
}

/** A rate per hour says little while the machine was up for less than this part of the window: it had no time to be calm. */
const LEAST_PART = 1 / 6;
const HOUR_MS = 3_600_000;

/** Whether a metric is a rate per hour, or has a limit per hour. */
function isPerHour(type: MetricType): boolean {
  const { unit, limits } = METRICS[type];
  return unit === '/h' || limits.some(({ of }) => of === 'valuePerHour');
}
