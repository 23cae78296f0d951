import type { MetricSnapshot } from '../../contract/guardian.ts';
import type { RiskCause } from '../../contract/risk.ts';
import type { Usual } from '../../guardian/metrics/usual.ts';
import type { Recorded } from '../../guardian/recording/metrics.ts';
import { NEVER_ALONE, type Risk } from '../../guardian/risk/assess-risk.ts';
import { BY_ACTIONS } from '../../guardian/risk/own-approvals.ts';
import { failureSentence, heldSentence } from '../../guardian/risk/refusing-controls.ts';
import { levelOf } from '../../guardian/risk/risk-score.ts';
import { causeSentence, isToldByLimit } from './metric-sentence.ts';
import type { Concern } from './warnings.ts';

/** From this share of risk on, controls that held are worth a warning; from the second on, it is a bad one. */
const HELD_WATCH = 0.2;
const HELD_BAD = 0.4;

/** The facts a warning is judged by. `isKnown`: whether the person has marked a cause as known. */
export type Judged = {
  metrics: readonly MetricSnapshot[];
  recorded: Recorded;
  risk: Pick<Risk, 'score' | 'contributors' | 'held' | 'failures' | 'isApproved'>;
  usual: Usual;
  isKnown(cause: RiskCause): boolean;
};

/** The few things a person should look at: failed controls, many attempts, and the main cause of a raised risk. */
export function concernsOf(judged: Judged): Concern[] {
  return [...controlConcerns(judged), ...mainCause(judged)];
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

/** A risk that is not low needs a reason that the person can read. */
function mainCause({ metrics, usual, isKnown, risk: { score, contributors, isApproved } }: Judged): Concern[] {
  const metric = metrics.find(({ type }) => type === contributors[0]?.cause);
  if (metric === undefined || levelOf(score) === 'low') return [];
  const { type, value, unit, target } = metric;
  if (value === null || type === 'control_violations' || NEVER_ALONE.includes(type) || isKnown(type)) return [];
  const cause = { type, value, unit, target };
  // An insight can make a metric the main cause that is within its limit. The insight says why.
  if (metric.status === 'ok' && isToldByLimit(cause, usual.medianOf(type))) return [];
  const status = metric.status === 'bad' && !(isApproved && BY_ACTIONS.has(type)) ? 'bad' : 'watch';
  return [{ metricType: type, status, message: causeSentence(cause, usual.medianOf(type)), subject: type }];
}
