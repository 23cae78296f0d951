import type { MetricSnapshot, MetricType, Trend } from '../../contract/guardian.ts';
import type { RiskCause } from '../../contract/risk.ts';
import { isUnusual } from '../../guardian/insights/unusual.ts';
import { worseBy } from '../../guardian/metrics/effect.ts';
import { metricDefinition } from '../../guardian/metrics/metric-types.ts';
import { isPerHour, isSurelyBeyondRed } from '../../guardian/metrics/sure-limit.ts';
import type { Usual } from '../../guardian/metrics/usual.ts';
import type { Recorded } from '../../guardian/recording/metrics.ts';
import { NEVER_ALONE, type Risk } from '../../guardian/risk/assess-risk.ts';
import { failureSentence, heldSentence } from '../../guardian/risk/control-sentences.ts';
import { BY_ACTIONS } from '../../guardian/risk/own-approvals.ts';
import { levelOf } from '../../guardian/risk/risk-level.ts';
import { causeSentence, isToldByLimit } from './metric-sentence.ts';
import type { Concern } from './warnings.ts';

/** From this share of risk on, controls that held are worth a warning; from the second on, it is a bad one. */
const HELD_WATCH = 0.2;
const HELD_BAD = 0.4;
/** As for trends. */
const UNUSUAL_Z = 3.5;
/** A warning that is given lasts until its metric is within green, or as close to the usual as this. */
const CALM_Z = 2.5;
const FAR_BEYOND = 1.5;

/** The facts a warning is judged by. `isKnown`: whether the person has marked a cause as known. */
export type Judged = {
  metrics: readonly MetricSnapshot[];
  recorded: Recorded;
  risk: Pick<Risk, 'score' | 'contributors' | 'surges' | 'held' | 'failures' | 'isApproved'>;
  usual: Usual;
  trends: readonly Trend[];
  isKnown(cause: RiskCause): boolean;
  /** Whether a warning with this subject is given already. */
  isRaised(subject: string): boolean;
};

/**
 * The few things a person should look at: surges, failed controls, many attempts, and the main cause of a raised risk. A metric is
 * listed when it is beyond red and not always so on this desktop, or beyond green and unusual.
 */
export function concernsOf(judged: Judged): Concern[] {
  return [...controlConcerns(judged), ...judged.metrics.flatMap((metric) => metricConcern(metric, judged))];
}

/** Controls that failed and controls that held are never told in one sentence. */
function controlConcerns({ recorded, risk: { failures, held }, isKnown }: Judged): Concern[] {
  const metricType = 'control_violations' as const;
  const most = held[0]?.share ?? 0;
  const worthTelling = held.filter(({ share }) => share >= HELD_WATCH);
  const status = most >= HELD_BAD ? ('bad' as const) : ('watch' as const);
  return [
    ...(failures > 0
      ? [{ subject: metricType, metricType, status: 'bad' as const, message: failureSentence(recorded.rollup) }]
      : []),
    ...(worthTelling.length > 0 && !isKnown('controls_held')
      ? [{ subject: 'controls_held', metricType, status, message: heldSentence(worthTelling) }]
      : []),
  ];
}

function metricConcern(metric: MetricSnapshot, judged: Judged): Concern[] {
  const { type, value, unit, target } = metric;
  if (value === null || type === 'control_violations' || judged.isKnown(type) || !isWorthTelling(metric, judged))
    return [];
  const isOwn = judged.risk.isApproved && BY_ACTIONS.has(type);
  const status = (metric.status === 'bad' || isSurge(type, judged)) && !isOwn ? 'bad' : 'watch';
  const usual = isToldForTrend(metric, judged) ? null : judged.usual.medianOf(type);
  const cause = { type, value, unit, target };
  const against = { usual, trends: judged.trends };
  // An insight can make a metric the main cause that is within its limit. The insight says why.
  if (metric.status === 'ok' && isToldByLimit(cause, against)) return [];
  const message = causeSentence(cause, against);
  return [{ metricType: type, status, message, subject: type }];
}

/** Then the figures of the trend are told, not those of the window. */
function isToldForTrend({ type, status }: MetricSnapshot, judged: Judged): boolean {
  return !isSurge(type, judged) && !isMainCause(type, judged) && status !== 'bad' && isUnusual(judged.trends, type);
}

function isWorthTelling(metric: MetricSnapshot, judged: Judged): boolean {
  const { type, status } = metric;
  if (NEVER_ALONE.includes(type)) return false;
  if (isSurge(type, judged) || isMainCause(type, judged)) return true;
  if (isOwnMultiple(type)) return status !== 'ok' && isUnusual(judged.trends, type);
  if (status === 'watch' && isUnusual(judged.trends, type)) return true;
  if (isHarmlessAlone(metric, judged.metrics)) return false;
  return (status === 'bad' && isOutOfTheOrdinary(metric, judged)) || isNotOver(metric, judged);
}

/** A value at its limit goes to and fro, so a warning ends at another one than it began at. */
function isNotOver({ type, status }: MetricSnapshot, { usual, recorded, isRaised }: Judged): boolean {
  if (!isRaised(type) || status === 'ok' || status === 'insufficient_data') return false;
  const z = usual.zOf(type, recorded);
  return z === null ? status === 'bad' : worseZ(type, z) >= CALM_Z;
}

function isSurge(type: MetricType, { risk: { surges } }: Judged): boolean {
  return surges.some(({ metricType }) => metricType === type);
}

/** A risk that is not low needs a reason that the person can read. */
function isMainCause(type: MetricType, { risk: { score, contributors } }: Judged): boolean {
  return levelOf(score) !== 'low' && contributors[0]?.cause === type;
}

/** Limits that are multiples of the desktop's own median are passed by a single long task, so trends decide. */
function isOwnMultiple(type: MetricType): boolean {
  return metricDefinition(type).limits.some(({ of }) => of === 'baselineMedian');
}

/** Beyond red by more than chance, and unusual on this desktop where it has a history. */
function isOutOfTheOrdinary(metric: MetricSnapshot, { usual, recorded }: Judged): boolean {
  const { type } = metric;
  const z = usual.zOf(type, recorded);
  // No number of approvals shows for certain that all are allowed, so this one goes by its history.
  const isSure = isSurelyBeyondRed(type, recorded) || (type === 'confirmation_approval_rate' && z !== null);
  return isSure && (z === null ? isFarBeyondRed(metric) : worseZ(type, z) >= UNUSUAL_Z);
}

function worseZ(type: MetricType, z: number): number {
  return worseBy(metricDefinition(type).good, z);
}

/** Rates differ by a factor of two from desktop to desktop, so without a history one must be half as high again as its limit. */
function isFarBeyondRed({ type, value, target: { red } }: MetricSnapshot): boolean {
  return !isPerHour(type) || value === null || red === null || value >= FAR_BEYOND * red;
}

/** To allow everything is no reason to warn, unless prompts are answered faster than they can be read. */
function isHarmlessAlone({ type, value }: MetricSnapshot, metrics: readonly MetricSnapshot[]): boolean {
  if (type !== 'confirmation_approval_rate' || value === null || value < 0.5) return false;
  const answers = metrics.find((metric) => metric.type === 'confirmation_response_p50');
  return answers?.status !== 'watch' && answers?.status !== 'bad';
}
