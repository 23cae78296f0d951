import type { MetricSnapshot, Warning } from '../../contract/guardian.ts';
import type { RiskCause, RiskSummary } from '../../contract/risk.ts';
import type { Sign } from '../../guardian/insights/finding.ts';
import type { Usual } from '../../guardian/metrics/usual.ts';
import { measure, type Recorded } from '../../guardian/recording/metrics.ts';
import { NEVER_ALONE, type Risk } from '../../guardian/risk/assess-risk.ts';
import { BY_ACTIONS } from '../../guardian/risk/own-approvals.ts';
import { failureSentence, heldSentence } from '../../guardian/risk/refusing-controls.ts';
import { levelOf } from '../../guardian/risk/risk-score.ts';
import type { AgentPort } from '../agent/port.ts';
import type { Context } from '../context.ts';
import { type Assessed, createExplainRisk } from './explain-risk.ts';
import { createKnownCauses } from './known-causes.ts';
import { causeSentence, isToldByLimit } from './metric-sentence.ts';
import { createRisk, type Happened } from './risk.ts';
import { DAY_MS, type Span, type Windows, windowOf } from './time-windows.ts';
import type { UsualIn } from './usual-windows.ts';
import type { Names, Viewer } from './viewer.ts';
import { type Concern, createWarnings, type ToDo } from './warnings.ts';

type Parts = {
  port: AgentPort;
  names: Names;
  windows: Windows;
  usualIn: UsualIn;
  metricsIn(span: Span, recorded: Happened['recorded']): MetricSnapshot[];
  /** What insights add to the risk of a window that ends at a time. */
  signsAt(toMs: number): readonly Sign[];
};

/** From this share of risk on, controls that held are worth a warning; from the second on, it is a bad one. */
const HELD_WATCH = 0.2;
const HELD_BAD = 0.4;

/** The facts a warning is judged by. `isKnown`: whether the person has marked a cause as known. */
type Judged = {
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

/** Judges windows: their risk, and the warnings they deserve. */
export function createAssessment(context: Context, parts: Parts) {
  const { windows, usualIn, metricsIn } = parts;
  const knownCauses = createKnownCauses(
    context,
    (span) => measure('control_violations', windows.recorded(span)).sampleSize,
  );
  const risk = createRisk(context, { ...parts, knownCauses });
  const warnings = createWarnings(context);
  const explain = createExplainRisk(context, parts);

  function assess(span: Span): Assessed {
    const recorded = windows.recorded(span);
    return { span, recorded, risk: risk.assess(span, recorded), metrics: metricsIn(span, recorded) };
  }

  function warningsOf({ span, ...assessed }: Assessed, now: readonly ToDo[]): Warning[] {
    const isKnown = (cause: RiskCause) => knownCauses.isKnown(cause, span.toMs);
    const window = windowOf(span);
    const concerns = concernsOf({ ...assessed, usual: usualIn(span), isKnown });
    return warnings.list(window, { concerns, now });
  }

  return {
    knownCauses,
    assess,
    warningsOf,
    summaryOf: (assessed: Assessed, viewer: Viewer): RiskSummary =>
      risk.summary(assessed.risk, { ...assessed, contributors: explain(assessed, viewer) }),
    /** Goes by the last day, so that levels and warnings do not depend on readers; to be called every minute. */
    watch(now: readonly ToDo[]): Assessed {
      const assessed = assess(windows.spanOf({ lengthMs: DAY_MS }));
      warningsOf(assessed, now);
      risk.watch(assessed.risk, assessed.span);
      return assessed;
    },
  };
}
