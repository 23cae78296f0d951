import type { MetricSnapshot, Warning } from '../../contract/guardian.ts';
import type { RiskCause, RiskSummary } from '../../contract/risk.ts';
import type { Sign } from '../../guardian/insights/finding.ts';
import { measure } from '../../guardian/recording/metrics.ts';
import type { AgentPort } from '../agent/port.ts';
import type { Context } from '../context.ts';
import type { Assessed } from './assessed.ts';
import { concernsOf } from './concerns.ts';
import { createExplainRisk } from './explain-risk.ts';
import { createKnownCauses } from './known-causes.ts';
import { createRisk, type Happened } from './risk.ts';
import type { UsualIn } from './usual-windows.ts';
import type { Names, Viewer } from './viewer.ts';
import { createWarnings, type ToDo } from './warnings.ts';
import { DAY_MS, type Span, type Windows, windowOf } from './windows.ts';

type Parts = {
  port: AgentPort;
  names: Names;
  windows: Windows;
  usualIn: UsualIn;
  metricsIn(span: Span, recorded: Happened['recorded']): MetricSnapshot[];
  /** What insights add to the risk of a window that ends at a time. */
  signsAt(toMs: number): readonly Sign[];
};

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
